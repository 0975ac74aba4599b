import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { CHECKS } from '../../live/checks.ts';
import { type Look, lookAt, type VenueLook } from '../../live/look.ts';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { runLive } from './run-live.ts';

suite('npm run test:live, on the simulator', () => {
  let sim: SimServer;
  before(async () => {
    sim = await startSimServer({
      seed: 1,
      coins: 30,
      venues: ['okx', 'bybit', 'gate'],
      port: 0,
      pushEveryMs: 200,
    });
  });
  after(() => sim.close());

  test('a venue that answers with errors fails alone and is named with the cause', async () => {
    sim.setFaults('okx', { errorStatus: 500 });
    const { code, text } = await runLive({
      RUN_LIVE_TESTS: '1',
      VENUES_URL: sim.url,
      VENUES: 'okx,bybit,gate',
    });
    sim.setFaults('okx', {});
    assert.equal(code, 1);
    assert.match(text, /OKX could not be reached at http:\/\/127\.0\.0\.1:\d+: HTTP 500/);
    assert.match(text, /OKX +no .* could not be reached/);
    assert.match(text, /Bybit +yes .* all well/);
  });

  test('without a network it says plainly what could not be reached', async () => {
    const { code, text } = await runLive({
      RUN_LIVE_TESTS: '1',
      VENUES_URL: 'http://127.0.0.1:9',
      VENUES: 'okx',
    });
    assert.equal(code, 1);
    assert.match(text, /OKX could not be reached at http:\/\/127\.0\.0\.1:9: ECONNREFUSED/);
  });

  test('without RUN_LIVE_TESTS=1 no call is made', async () => {
    const before = sim.requests.get('okx') ?? 0;
    const { code, text } = await runLive({ VENUES_URL: sim.url, VENUES: 'okx' });
    assert.equal(code, 0);
    assert.match(text, /run it with RUN_LIVE_TESTS=1/);
    assert.equal(sim.requests.get('okx') ?? 0, before);
  });
});

suite('what the live checks find', () => {
  let sim: SimServer;
  let look: Look;
  before(async () => {
    const slugs = ['binance', 'bybit', 'gate', 'okx'];
    sim = await startSimServer({ seed: 1, coins: 20, venues: slugs, port: 0 });
    look = await lookAt(
      VENUES.filter((venue) => slugs.includes(venue.slug)),
      sim.url,
      0,
    );
  });
  after(() => sim.close());

  /** OKX after a change to each of its contracts, in an otherwise good look. */
  function spoiled(change: (state: VenueLook['states'][number]) => Partial<VenueLook['states'][number]>) {
    const own = look.venues.find((one) => one.venue.slug === 'okx');
    assert.ok(own);
    return { ...own, states: own.states.map((state) => ({ ...state, ...change(state) })) };
  }
  const faultsOf = (name: string, one: VenueLook) => CHECKS[name]?.(one, look) ?? [`no check "${name}"`];

  for (const name of Object.keys(CHECKS)) {
    test(`nothing is wrong at first: ${name}`, () => {
      for (const one of look.venues) assert.deepEqual(faultsOf(name, one), [], one.venue.slug);
    });
  }

  test('rates in basis points instead of percent', () => {
    const one = spoiled((state) => ({ ratePct: (state.ratePct ?? 0) * 10_000 }));
    assert.ok(faultsOf('rates are within the cap', one).length > 0);
  });

  test('rates that are all zero', () => {
    assert.deepEqual(
      faultsOf(
        'rates are within the cap',
        spoiled(() => ({ ratePct: 0 })),
      ),
      ['every rate is 0'],
    );
  });

  test('prices that are 6 % off', () => {
    const one = spoiled(({ top }) => ({
      top: top && { ...top, bidPrice: top.bidPrice * 1.06, askPrice: top.askPrice * 1.06 },
    }));
    const faults = faultsOf('prices are within 5 % of the median of the others', one);
    assert.match(faults[0] ?? '', /beside/);
  });

  test('a settlement time that has passed, or is in the wrong unit', () => {
    const name = 'the next settlement lies ahead, within a day';
    const past = spoiled(() => ({ nextFundingAtMs: look.atMs - 3_600_000 }));
    assert.match(faultsOf(name, past)[0] ?? '', /in the past/);
    const far = spoiled(() => ({ nextFundingAtMs: look.atMs * 1000 }));
    assert.match(faultsOf(name, far)[0] ?? '', /more than a day away/);
  });

  test('a history that ended long ago, and one that failed', () => {
    const name = 'settled prints are recent and within the cap';
    const own = spoiled(() => ({}));
    const old = [{ venueSymbol: 'X', ratePct: 0.01, settledAtMs: look.atMs - 9 * DAY_MS }];
    assert.deepEqual(faultsOf(name, { ...own, settlements: old }), ['no print of the last two days']);
    assert.deepEqual(faultsOf(name, { ...own, settlements: 'HTTP 500' }), ['HTTP 500']);
  });

  test('a crossed book', () => {
    const depth = {
      venueSymbol: 'X',
      bids: [[2, 1]],
      asks: [[1, 1]],
      venueTimeMs: null,
    } as VenueLook['depth'];
    const faults = faultsOf('bids are below asks in the order book', { ...spoiled(() => ({})), depth });
    assert.deepEqual(faults, ['bid 2 is not below ask 1']);
  });
});
