import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { BTC, keeping, minuteOf } from '../../../test/history/keeping.ts';
import { freshSqlite } from '../../../test/storage/sqlite.ts';
import { DAY_MS } from '../../base/times.ts';
import type { OperationContext } from '../operation.ts';
import { coveredMinutesByDay, dailySeries } from './points.ts';

const AS_OF_MS = Date.parse('2026-11-14T09:30:00Z');

/** The daily points of a contract with prints of 0.01 % at the given hours after 2026-11-10. */
async function pointsOf(t: TestContext, hours: readonly number[], fromText: string, toText: string) {
  const { keeper } = await keeping(t, freshSqlite);
  const start = minuteOf('2026-11-10T00:00Z');
  const { contract: held } = await keeper.submit({
    names: BTC,
    prints: hours.map((hour) => ({ minute: start + hour * 60, ratePct: 0.01 })),
    walked: { fromMs: Date.parse('2026-11-01T00:00Z'), toMs: AS_OF_MS },
    onConflict: 'replace',
  });
  const contract = {
    ...{ exchange: 'Binance', symbol: 'BTC-USDT', venueSymbol: 'BTCUSDT', isInverse: false, isLive: true },
    ...{ isOutlier: false, volume24hUsdt: null, takerFeePct: 0, held },
  };
  const window = { fromMs: Date.parse(fromText), toMs: Date.parse(toText), visibleMs: AS_OF_MS };
  const context = { data: { history: { reader: keeper.reader } } } as unknown as OperationContext;
  const [series] = await dailySeries([contract], window, 'asc', 5000, context);
  const days = [0, 1, 2, 3, 4].map((i) => Date.parse('2026-11-10') / DAY_MS + i);
  const covered = await coveredMinutesByDay(held.id, days, AS_OF_MS, keeper.reader);
  return { daily: series?.daily ?? [], covered: [...covered.values()] };
}
const every = (hours: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / hours) + 1 }, (_, i) => from + i * hours);

suite('days of a window', () => {
  const regular = every(8, -24, 4 * 24 + 8);
  const days = async (t: TestContext, from: string, to: string) =>
    (await pointsOf(t, regular, from, to)).daily.map(({ day }) => day);

  test('to at midnight: the last day is the one that ends there, not the one that starts', async (t) => {
    assert.deepEqual(await days(t, '2026-11-11T00:00Z', '2026-11-13T00:00Z'), ['2026-11-11', '2026-11-12']);
  });

  test('to within a day: that day is there', async (t) => {
    assert.deepEqual(await days(t, '2026-11-11T00:00Z', '2026-11-12T00:01Z'), ['2026-11-11', '2026-11-12']);
  });

  test('a window that starts and ends at the same midnight has no day', async (t) => {
    assert.deepEqual(await days(t, '2026-11-12T00:00Z', '2026-11-12T00:00Z'), []);
  });
});

suite('a day on which the interval changes', () => {
  test('from 1 h to 24 h: its only print is for an hour, and the point is there because none is missing', async (t) => {
    const { daily, covered } = await pointsOf(
      t,
      [...every(1, -24, 24), 48, 72, 96],
      '2026-11-10T00:00Z',
      '2026-11-13T00:00Z',
    );
    assert.deepEqual(
      daily.map(({ day, apr_pct }) => [day, apr_pct]),
      [
        ['2026-11-10', 87.6],
        ['2026-11-11', 87.6],
        ['2026-11-12', 3.65],
      ],
    );
    assert.deepEqual(covered.slice(0, 4), [1440, 1440, 1440, 1440]);
  });

  test('from 1 h to 8 h: the day is complete, and the current day is not', async (t) => {
    const { covered } = await pointsOf(
      t,
      [...every(1, -24, 32), ...every(8, 40, 104)],
      '2026-11-10',
      '2026-11-13',
    );
    assert.deepEqual(covered, [1440, 1440, 1440, 1440, 0]);
  });

  test('with prints missing it stays short', async (t) => {
    const { daily, covered } = await pointsOf(
      t,
      [...every(1, -24, 24), ...every(1, 60, 100)],
      '2026-11-11T00:00Z',
      '2026-11-12T00:00Z',
    );
    assert.deepEqual(daily, [{ day: '2026-11-11', apr_pct: null }]);
    assert.equal(covered[1], 0);
  });
});
