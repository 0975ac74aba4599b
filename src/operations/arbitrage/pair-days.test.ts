import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BTC, keeping, minuteOf } from '../../../test/history/keeping.ts';
import { freshSqlite } from '../../../test/storage/sqlite.ts';
import { DAY_MS } from '../../base/times.ts';
import type { SeriesContract } from '../funding-history/series.ts';
import type { OperationContext } from '../operation.ts';
import { daysOfLegs, pairDays } from './pair-days.ts';

const AS_OF_MS = Date.parse('2026-11-14T17:00:00Z');
const FIRST_DAY = Date.parse('2026-11-10') / DAY_MS;
const every = (hours: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / hours) + 1 }, (_, i) => from + i * hours);

suite('is_complete of the days of a pair', () => {
  test('a day on which 1 h becomes 8 h is complete, one with missing prints and the current day are not', async (t) => {
    const { keeper } = await keeping(t, freshSqlite, AS_OF_MS);
    const legOf = async (venueSymbol: string, hours: readonly number[]) => {
      const start = minuteOf('2026-11-10T00:00Z');
      const { contract: held } = await keeper.submit({
        names: { ...BTC, venueSymbol },
        prints: hours.map((hour) => ({ minute: start + hour * 60, ratePct: 0.01 })),
        walked: { fromMs: Date.parse('2026-11-01T00:00Z'), toMs: AS_OF_MS },
        onConflict: 'replace',
      });
      return { held } as SeriesContract;
    };
    const changing = await legOf('BTCUSDT', [...every(1, -24, 32), ...every(8, 40, 112)]);
    const gapped = await legOf(
      'BTCUSDC',
      every(1, -24, 112).filter((hour) => hour < 50 || hour > 55),
    );
    const context = { data: { history: { reader: keeper.reader } } } as unknown as OperationContext;
    const [long = [], short = []] = await daysOfLegs(
      [changing, gapped],
      FIRST_DAY,
      FIRST_DAY + 4,
      AS_OF_MS,
      context,
    );
    assert.deepEqual(
      pairDays(long, short, FIRST_DAY, FIRST_DAY + 4).map((day) => [day.day, day.is_complete]),
      [
        ['2026-11-10', true],
        ['2026-11-11', true],
        ['2026-11-12', false],
        ['2026-11-13', true],
        ['2026-11-14', false],
      ],
    );
  });
});
