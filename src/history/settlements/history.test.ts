import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setImmediate as loopTurn } from 'node:timers/promises';
import { BTC, NOW_MS } from '../../../test/history/keeping.ts';
import { freshSqlite, openFor, silentLog } from '../../../test/storage/sqlite.ts';
import { until } from '../../../test/support/until.ts';
import { fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { createMetrics } from '../../base/metrics.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { LatestMarket } from '../../market/latest.ts';
import { SettlementHistory } from './history.ts';

const HOURS = 48;
const FIRST_MS = NOW_MS - 3 * DAY_MS - (NOW_MS % HOUR_MS);

/** A history of two venues, `one` and `two`, which list nothing, and of one that this process does not know. */
async function opened(t: TestContext) {
  const storage = await openFor(t, await freshSqlite(t));
  const clock = new ManualClock(NOW_MS);
  const metrics = createMetrics();
  const contracts = new Map([['ETHUSDT', fakeContract('ETHUSDT')]]);
  const called: string[] = [];
  const collectors = ['one', 'two'].map((slug) => ({
    venue: fakeVenue({
      slug,
      facts: { ...fakeVenue().facts, exchange: slug },
      settlements: async () => {
        called.push(slug);
        return { settlements: [], rejected: [], next: null };
      },
    }),
    contracts,
    caller: { sender: () => async () => assert.fail('the venue itself answers') },
  }));
  const history = await SettlementHistory.open({
    ...{ storage, clock, metrics, collectors, log: silentLog },
    market: new LatestMarket(metrics, silentLog),
    coinOf: () => undefined,
    days: 2,
    unpacedSimUrl: null,
    load: { sheds: () => false },
  });
  t.after(async () => {
    await history.stop();
    await history.keeper.close();
  });
  const minute = FIRST_MS / MINUTE_MS;
  // Two hours are missing.
  const prints = Array.from({ length: HOURS }, (_, i) => ({ minute: minute + i * 60, ratePct: 0.01 })).filter(
    (_, i) => i !== 20 && i !== 21,
  );
  const walked = { fromMs: FIRST_MS, toMs: FIRST_MS + HOURS * HOUR_MS };
  for (const exchange of ['one', 'two', 'unknown'])
    await history.keeper.submit({ names: { ...BTC, exchange }, prints, walked, onConflict: 'replace' });
  clock.advanceMs(2 * MINUTE_MS);
  const triesOf = async () => {
    const gaps = await history.keeper.gaps.due(Number.MAX_SAFE_INTEGER);
    const byId = new Map(history.keeper.directory.all().map(({ id, exchange }) => [id, exchange]));
    return Object.fromEntries(gaps.map(({ contractId, tries }) => [byId.get(contractId) ?? '', tries]));
  };
  const gapsShown = async () => (await metrics.settlementGaps.get()).values.length;
  return { history, triesOf, gapsShown, called, clock };
}

suite('the history of all venues', () => {
  test('a process that stands by leaves the gaps to the active one', async (t) => {
    const { history, triesOf, clock } = await opened(t);
    assert.deepEqual(await triesOf(), { one: 0, two: 0, unknown: 0 });
    history.start();
    clock.advanceMs(MINUTE_MS);
    for (let i = 0; i < 50; i++) await loopTurn();
    assert.deepEqual(await triesOf(), { one: 0, two: 0, unknown: 0 });
  });

  test('a process that watches all venues counts a try for every gap, so that each is given up one day', async (t) => {
    const { history, triesOf, gapsShown } = await opened(t);
    history.startVenues();
    history.start();
    await until(async () => (await gapsShown()) === 3, 'the gaps that are left');
    assert.deepEqual(await triesOf(), { one: 1, two: 1, unknown: 1 });
  });

  test('venues are called for prints only while they are watched, and none after a stop', async (t) => {
    const { history, called } = await opened(t);
    history.start();
    // A venue that is watched is called within two turns.
    for (let i = 0; i < 50; i++) await loopTurn();
    assert.deepEqual(called, []);
    history.startVenues();
    await until(() => history.progress().every(({ contractsDone }) => contractsDone === 1), 'the backfill');
    assert.deepEqual(new Set(called), new Set(['one', 'two']));
    history.stopVenues();
    await history.stop();
    called.length = 0;
    history.startVenues();
    for (let i = 0; i < 50; i++) await loopTurn();
    assert.deepEqual(called, []);
  });
});
