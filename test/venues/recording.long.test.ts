import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Recording } from '../../scripts/recording/recording.ts';
import { recordedPayload, replaySender } from '../../scripts/recording/replay.ts';
import { trimmed } from '../../scripts/recording/trim.ts';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { type Batch, type Contract, mergeBatches } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Poll, Stream, Topic, Venue } from '../../src/venues/venue.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROWS = 12;

function record(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/venues-record.ts'), ...args]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, stdout, stderr })));
}

/** Ahead of the system's by less than an hour: right after a settlement, Toobit's rows still show the passed one. */
function halfPast(): Clock {
  const aheadMs = (1.5 * HOUR_MS - (systemClock.nowMs() % HOUR_MS)) % HOUR_MS;
  return { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
}

/** What the venue's polls and streams make of the recording. */
async function replay(venue: Venue, folder: string, { calls }: Recording) {
  const contracts = new Map<string, Contract>();
  const send = replaySender(folder, calls);
  const batches: Batch[] = [];
  const lists = venue.polls.filter((poll) => poll.gives.includes('contracts'));
  const others = venue.polls.filter((poll) => !poll.gives.includes('contracts'));
  for (const poll of [...lists, ...others]) {
    if (poll.kind !== 'bulk') continue;
    const batch = await poll.collect({ send, contracts });
    for (const contract of batch.contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
    batches.push({ ...batch, contractList: null });
  }
  for (const stream of venue.streams) {
    const call = calls.find(({ source }) => source === stream.name);
    assert.ok(call && 'stream' in call.request, `${stream.name} is recorded`);
    const messages = recordedPayload(folder, call);
    assert.ok(Array.isArray(messages));
    const session = stream.open(call.request.contracts.flatMap((symbol) => contracts.get(symbol) ?? []));
    const context = { receivedAtMs: Date.parse(call.receivedAt), contracts };
    for (const message of messages) batches.push(session.receive(message, context).batch);
  }
  return { contracts, batch: mergeBatches(batches) };
}

const giving = (sources: readonly (Poll | Stream)[], topic: Topic) =>
  sources.some(({ gives }) => gives.includes(topic));

suite('npm run venues:record, on the simulator', () => {
  let sim: SimServer;
  const parent = mkdtempSync(join(tmpdir(), 'perpwire-recordings-'));
  before(async () => {
    sim = await startSimServer({
      seed: 1,
      coins: 40,
      venues: [],
      port: 0,
      pushEveryMs: 200,
      clock: halfPast(),
    });
    const done = await record(
      'all',
      '--venues-url',
      sim.url,
      '--out',
      parent,
      '--rows',
      String(ROWS),
      '--seconds',
      '1',
    );
    assert.equal(done.code, 0, done.stdout + done.stderr);
  });
  after(async () => {
    await sim.close();
    rmSync(parent, { recursive: true, force: true });
  });

  for (const venue of VENUES.filter(({ facts }) => !facts.endedAt)) {
    test(`${venue.facts.exchange}: every call is recorded, small, dated, and parses again`, async () => {
      const folder = join(parent, venue.slug);
      const recording = JSON.parse(readFileSync(join(folder, 'recording.json'), 'utf8')) as Recording;
      assert.deepEqual(recording.failures, []);
      const recorded = new Set(recording.calls.map((call) => call.source));
      for (const source of [...venue.polls, ...venue.streams])
        assert.ok(recorded.has(source.name), `${source.name} is recorded`);
      assert.equal(recorded.has('settled history'), venue.facts.noHistory === undefined);
      const isBookGiven = giving([...venue.polls, ...venue.streams], 'books');
      assert.ok(recorded.has('order book') || isBookGiven || venue.facts.noBook);
      const day = recording.recordedAt.slice(0, 10);
      assert.match(day, /^20\d\d-\d\d-\d\d$/);
      for (const file of readdirSync(folder).filter((name) => name !== 'recording.json')) {
        assert.ok(file.startsWith(`${day}-`), `${file} is dated`);
        assert.ok(statSync(join(folder, file)).size < 60_000, `${file} is small`);
      }
      const { contracts, batch } = await replay(venue, folder, recording);
      assert.ok(contracts.size >= 1 && contracts.size <= 3 * ROWS, `${contracts.size} contracts`);
      const replayed = [...venue.polls.filter(({ kind }) => kind === 'bulk'), ...venue.streams];
      assert.equal(batch.fundingQuotes.length > 0, giving(replayed, 'rate'));
      assert.equal(batch.bookTops.length > 0, giving(replayed, 'bid and ask'));
      assert.equal(batch.depths.length > 0, giving(replayed, 'books'));
      assert.ok(batch.dayVolumes.length > 0);
      assert.deepEqual(batch.rejected, []);
    });
  }

  test('a folder of one venue is the named one', async () => {
    const folder = join(parent, 'mine');
    const done = await record('okx', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    assert.equal(done.code, 0);
    assert.match(done.stdout, /OKX: \d+ replies in .*mine/);
    assert.ok(readdirSync(folder).includes('recording.json'));
  });

  test('a call that fails is reported, the others are kept', async () => {
    sim.setFaults('bybit', { errorStatus: 500, share: 0.5 });
    const folder = join(parent, 'half');
    let done = await record('bybit', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    for (let again = 0; done.code === 0 && again < 5; again++)
      done = await record('bybit', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    sim.setFaults('bybit', {});
    assert.equal(done.code, 1);
    assert.match(done.stdout, /Bybit .*: could not be recorded: HTTP 500/);
  });

  test('without a network it says what could not be reached', async () => {
    const done = await record('woox', '--venues-url', 'http://127.0.0.1:9', '--out', join(parent, 'none'));
    assert.equal(done.code, 1);
    assert.match(done.stdout, /WOOX instruments: could not be recorded: ECONNREFUSED/);
    assert.match(done.stdout, /WOOX could not be reached at http:\/\/127\.0\.0\.1:9/);
  });

  for (const [name, args, message] of [
    ['no venue', [], /name a venue/],
    ['an unknown venue', ['nyse'], /there is no venue "nyse"; there are binance/],
    ['--rows that is no number', ['okx', '--rows', 'many'], /--rows takes a whole number from 1 to 9999/],
    ['an unknown flag', ['okx', '--everything'], /Unknown option '--everything'/],
  ] as const) {
    test(`${name} is named, without a stack`, async () => {
      const done = await record(...args);
      assert.equal(done.code, 1);
      assert.match(done.stderr, message);
      assert.doesNotMatch(done.stderr, /\n\s+at /);
    });
  }
});

test('a reply is cut in its lists and maps of rows, and stays whole otherwise', () => {
  const row = { a: 1, b: '2', c: null };
  const map = Object.fromEntries(['x', 'y', 'z'].map((name) => [name, row]));
  assert.deepEqual(trimmed({ code: 0, data: [row, row, row], markets: map, row }, 2), {
    code: 0,
    data: [row, row],
    markets: { x: row, y: row },
    row,
  });
});

test('a row that is cut from its list stays if a row of the list beside it refers to it', () => {
  const coins = ['1', '2', '3'].map((coinId) => ({ coinId, name: `coin ${coinId}` }));
  const contracts = [
    { contractId: '2', baseCoinId: '3' },
    { contractId: '9', baseCoinId: '2' },
  ];
  assert.deepEqual(trimmed({ coins, contracts }, 1), {
    coins: [coins[0], coins[2]],
    contracts: [contracts[0]],
  });
});
