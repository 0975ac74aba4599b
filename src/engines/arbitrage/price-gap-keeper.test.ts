import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { createLog } from '../../base/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { ALWAYS_HELD, type EngineLease } from '../../storage/engine-lease.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { PairMaker } from './pairs.ts';
import { PriceGapKeeper } from './price-gap-keeper.ts';

const START_MS = Date.UTC(2026, 10, 1, 12);
const [A, B] = ['A/BTCUSDT', 'B/BTCUSDT'] as const;
const log = createLog('silent');

suite('ranges of price gaps over days and restarts', () => {
  let storage: Storage;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-gaps-'));
  before(async () => {
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
  });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const keeperOf = (engineLease: EngineLease = ALWAYS_HELD) =>
    new PriceGapKeeper({ storage, engineLease, log });
  /** Shows a keeper the two venues with a gap of so many percent. */
  const show = async (keeper: PriceGapKeeper, timeMs: number, gapPct: number) => {
    const legs = madeLegs({ coins: ['BTC'], exchanges: ['A', 'B'], asOfMs: timeMs });
    const [bids, asks] = [legs.numbers('bid'), legs.numbers('ask')];
    for (const [leg, mid] of [100, 100 + gapPct].entries()) [bids[leg], asks[leg]] = [mid, mid];
    await keeper.observe(legs, new PairMaker().pairsOf(legs), timeMs);
  };
  const rangeOf = (keeper: PriceGapKeeper) => {
    const range = keeper.rangeOf(A, B);
    return range && [Number(range.lowPct.toFixed(6)), Number(range.highPct.toFixed(6)), range.fromMs];
  };

  test('a restart goes on with what was stored', async () => {
    const first = keeperOf();
    await show(first, START_MS, 1);
    await show(first, START_MS + MINUTE_MS, -2);
    await first.save();
    const second = keeperOf();
    await show(second, START_MS + 2 * MINUTE_MS, 0.5);
    assert.deepEqual(rangeOf(second), [-2, 1, START_MS]);
  });

  test('a day is stored once an hour, so a kill loses less than that', async () => {
    const keeper = keeperOf();
    await show(keeper, START_MS + 3 * MINUTE_MS, 3);
    await show(keeper, START_MS + HOUR_MS, 0);
    const early = keeperOf();
    await show(early, START_MS + HOUR_MS, 0);
    assert.deepEqual(rangeOf(early), [-2, 1, START_MS], 'not stored yet');
    await show(keeper, START_MS + 3 * MINUTE_MS + HOUR_MS, 0);
    const killed = keeperOf();
    await show(killed, START_MS + 2 * HOUR_MS, 0);
    assert.deepEqual(rangeOf(killed), [-2, 3, START_MS]);
  });

  test('the range is over 30 UTC days: an older day drops out and is deleted', async () => {
    const keeper = keeperOf();
    await show(keeper, START_MS + DAY_MS, 0.1);
    await show(keeper, START_MS + 29 * DAY_MS, 0.2);
    assert.deepEqual(rangeOf(keeper), [-2, 3, START_MS], 'the first day is the 30th before');
    await show(keeper, START_MS + 30 * DAY_MS, 0.3);
    assert.deepEqual(rangeOf(keeper), [0.1, 0.3, START_MS + DAY_MS]);
    await keeper.save();
    const days = await storage.db.selectFrom('price_gap_days').select('day').orderBy('day').execute();
    assert.deepEqual(
      days.map(({ day }) => day - Math.floor(START_MS / DAY_MS)),
      [1, 29, 30],
    );
  });

  test('a damaged day is left out', async () => {
    const day = Math.floor(START_MS / DAY_MS) + 1;
    await storage.db
      .updateTable('price_gap_days')
      .set({ frame: Buffer.from('damaged') })
      .where('day', '=', day)
      .execute();
    const keeper = keeperOf();
    await show(keeper, START_MS + 30 * DAY_MS, 0.3);
    assert.deepEqual(rangeOf(keeper), [0.2, 0.3, START_MS + 29 * DAY_MS]);
  });

  test('a process that lost the engine stores nothing', async () => {
    const keeper = keeperOf({ isHeld: () => false, fence: () => null });
    await show(keeper, START_MS + 30 * DAY_MS, 9);
    await keeper.save();
    const next = keeperOf();
    await show(next, START_MS + 30 * DAY_MS, 0.3);
    assert.equal(rangeOf(next)?.[1], 0.3);
  });

  test('a clock that ran ahead leaves no days of the future', async () => {
    const ahead = keeperOf();
    await show(ahead, START_MS + 40 * DAY_MS, 7);
    await ahead.save();
    await show(ahead, START_MS + 31 * DAY_MS, 0.4);
    await ahead.save();
    const next = keeperOf();
    await show(next, START_MS + 40 * DAY_MS, 0.4);
    assert.equal(rangeOf(next)?.[1], 0.4);
  });
});
