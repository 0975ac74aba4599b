import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { venuesText } from '../../src/commands/venues-text.ts';
import type { VenueReport } from '../../src/venues/health.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { perpwire } from '../support/process.ts';
import { collectOnce, runService } from '../support/service.ts';

/** One line of the printed table, cells split where two spaces separate them. */
function lineOf(stdout: string, exchange: string): string[] {
  const line = stdout.split('\n').find((candidate) => candidate.startsWith(`${exchange} `));
  assert.ok(line, `${exchange} has a line in:\n${stdout}`);
  return line.trim().split(/\s{2,}/);
}

suite('perpwire venues check', () => {
  let sim: SimServer;
  before(async () => {
    sim = await startSimServer({ seed: 1, coins: 30, venues: [], port: 0, pushEveryMs: 200 });
  });
  after(() => sim.close());

  const check = (...args: string[]) => perpwire(['venues', 'check', '--venues-url', sim.url, ...args]);
  let whole: ReturnType<typeof check> | null = null;
  /** One check of all venues, without faults, for all tests that read it. */
  const checkAll = () => {
    whole ??= check('--seconds', '2');
    return whole;
  };

  test('all venues: reachable or ended, contracts, age, calls and weight of the minute against the limit', async () => {
    const { stdout, stderr, code } = await checkAll();
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^venue +reachable +contracts +age +bad rows +quarantined +calls\/min +weight\/min of limit/,
    );
    for (const venue of VENUES) {
      const [, reachable, contracts, age, bad, , calls, weight = ''] = lineOf(stdout, venue.facts.exchange);
      if (venue.facts.endedAt) {
        assert.deepEqual([reachable, contracts, age, calls], ['ended', '0', '-', '0'], venue.slug);
        continue;
      }
      assert.equal(reachable, 'yes', venue.slug);
      assert.ok(Number(contracts) > 10, venue.slug);
      assert.match(age ?? '', /^\d+ s$/);
      assert.equal(bad, '0', venue.slug);
      const bulk = venue.polls.filter((poll) => poll.kind === 'bulk').length;
      assert.ok(Number(calls) >= bulk, `${venue.slug} made ${calls} calls for ${bulk} polls`);
      for (const name of Object.keys(venue.budgets)) assert.match(weight, new RegExp(`${name} \\d+/\\d+`));
    }
    // 5 + 10 + 40 + 1 of each side, out of 1,800 a minute.
    assert.match(lineOf(stdout, 'Binance').at(-1) ?? '', /usd-m 56\/1800, coin-m 56\/1800, funding 2\/80/);
    assert.match(stdout, /Binance: \d+ rows ignored: /);
  });

  test('a venue that answers with an error is not reachable, with the cause; the others are', async () => {
    sim.setFaults('okx', { errorStatus: 503 });
    const { stdout, code } = await check('--venues', 'okx,bybit', '--seconds', '0');
    sim.setFaults('okx', {});
    assert.equal(code, 0);
    assert.equal(lineOf(stdout, 'OKX')[1], 'no');
    assert.equal(lineOf(stdout, 'Bybit')[1], 'yes');
    assert.match(stdout, /OKX instruments: HTTP 503/);
  });

  test('a venue that refuses this address is told apart from one that fails, and from a 403 for too many requests', async () => {
    sim.setFaults('okx', { errorStatus: 451 });
    sim.setFaults('woox', { errorStatus: 403 });
    sim.setFaults('bybit', { errorStatus: 403 });
    const { stdout } = await check('--venues', 'okx,woox,bybit,kraken', '--seconds', '0');
    for (const slug of ['okx', 'woox', 'bybit']) sim.setFaults(slug, {});
    const reachable = ['OKX', 'WOOX', 'Bybit', 'Kraken'].map((exchange) => lineOf(stdout, exchange)[1]);
    assert.deepEqual(reachable, ['refuses this address', 'refuses this address', 'no', 'yes']);
    assert.match(stdout, /OKX instruments: refuses this address: HTTP 451/);
  });

  test('bad rows are counted with their reasons', async () => {
    sim.setFaults('binance', { zeroQuotes: true });
    const { stdout } = await check('--venues', 'binance', '--seconds', '0');
    sim.setFaults('binance', {});
    assert.ok(Number(lineOf(stdout, 'Binance')[4]) > 10, stdout);
    assert.match(stdout, /Binance: \d+ rows rejected as bad: /);
  });

  test('a price that does not fit its ticker is quarantined, with the reason', async () => {
    const { stdout } = await checkAll();
    assert.match(stdout, /: \d+ rows quarantined: price off the median of its ticker/);
  });

  test('without a network: every venue no, the cause of each, exit code 1', async () => {
    const { stdout, code } = await perpwire([
      'venues',
      'check',
      '--venues',
      'okx,woox',
      '--venues-url',
      'http://127.0.0.1:9',
      '--seconds',
      '0',
    ]);
    assert.equal(code, 1);
    for (const exchange of ['OKX', 'WOOX']) assert.equal(lineOf(stdout, exchange)[1], 'no');
    assert.match(stdout, /WOOX instruments: ECONNREFUSED/);
  });

  test('--admin-url prints what a running service knows, its own quarantine included', async () => {
    const running = await runService({ venues: ['binance', 'okx'], coins: 20 });
    await collectOnce(running);
    const [binance] = running.service.collectors;
    assert.ok(binance);
    const [symbol = ''] = binance.contracts.keys();
    running.service.context.market.accept(
      binance.venue,
      {
        ...emptyBatch(),
        fundingQuotes: [
          { venueSymbol: symbol, ratePct: 99, nextFundingAtMs: null, intervalHours: 1, venueTimeMs: null },
        ],
      },
      running.clock.nowMs(),
      binance.contracts,
    );
    const { stdout, code, stderr } = await perpwire([
      'venues',
      'check',
      '--admin-url',
      running.service.adminUrl,
    ]);
    await running.stop();
    assert.equal(code, 0, stderr);
    assert.equal(lineOf(stdout, 'OKX')[1], 'yes');
    assert.equal(lineOf(stdout, 'OKX')[2], String(running.service.collectors[1]?.contracts.size));
    assert.match(stdout, /Binance: 1 rows quarantined: rate above the cap of the venue/);
    assert.doesNotMatch(stdout, /Bybit/);
  });

  for (const [name, args, message] of [
    [
      'an admin address without a scheme',
      ['--admin-url', 'localhost:8081'],
      /--admin-url takes an http address/,
    ],
    [
      'an admin address where nothing listens',
      ['--admin-url', 'http://127.0.0.1:9'],
      /no service answers at/,
    ],
    ['--seconds that is no number', ['--seconds', 'soon'], /--seconds takes a whole number/],
    ['an unknown venue', ['--venues', 'nyse'], /no venue "nyse"/],
    ['an unknown flag', ['--fast'], /unknown flag --fast/],
  ] as const) {
    test(`${name} is named, without a stack`, async () => {
      const finished = await perpwire(['venues', 'check', ...args]);
      assert.equal(finished.code, 1);
      assert.match(finished.stderr, message);
      assert.doesNotMatch(finished.stderr, /\n\s+at /);
    });
  }

  test('an admin address of something else is named', async () => {
    const other = createServer((_request, response) => response.end('{"hello":1}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const finished = await perpwire(['venues', 'check', '--admin-url', url]);
    other.close();
    assert.equal(finished.code, 1);
    assert.match(finished.stderr, /is not the admin port of a Perpwire service/);
  });
});

test('a venue is reachable in part if one of its sources fails', () => {
  const report: VenueReport = {
    exchange: 'OKX',
    slug: 'okx',
    contracts: 3,
    lastGoodAtMs: 1_000,
    sources: [
      { name: 'tickers', lastGoodAtMs: 1_000, failuresInARow: 0, lastFailure: null },
      { name: 'funding-rate', lastGoodAtMs: null, failuresInARow: 2, lastFailure: 'HTTP 500' },
    ],
    rejected: { 'no price': 2, 'no symbol': 1 },
    ignored: {},
    quarantined: { 'impossible interval': 4 },
    callsPerMinute: 7,
    budgets: [
      { name: 'rest', spent: 1, capacity: 10, windowSeconds: 2, usedPerMinute: 7, limitPerMinute: 300 },
    ],
  };
  const text = venuesText([report], 31_000);
  assert.deepEqual(lineOf(text, 'OKX'), ['OKX', 'in part', '3', '30 s', '3', '4', '7', 'rest 7/300']);
  assert.match(text, /OKX funding-rate: HTTP 500/);
  assert.match(text, /OKX: 2 rows rejected as bad: no price/);
  assert.match(text, /OKX: 4 rows quarantined: impossible interval/);
});
