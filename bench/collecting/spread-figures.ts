import { LEGS_TABLE } from '../../src/engines/spreads/legs.ts';
import { rowsFromLegs } from '../../src/engines/spreads/rows.ts';
import { SpreadTableBuilder } from '../../src/engines/spreads/table-builder.ts';
import { decodeTable, encodeTable } from '../../src/market/tables/table-codec.ts';
import { orderOf } from '../../src/query/sorting.ts';
import { type Figure, median, ratioAtMost, valueAtMost } from '../figure.ts';
import { sized } from '../size.ts';
import { cpuMsOf } from './cpu.ts';
import { naiveSpreads } from './naive-spreads.ts';
import { FULL_COINS, SpreadMarket } from './spread-market.ts';

const PAGE_ROWS = 100;
const ROUNDS = sized(18, 8, 1);
const WARM_UP_ROUNDS = sized(6, 4, 1);
const EVERY_MS = 5000;
/** The most that the service may spend every five seconds. */
const MOST_CPU_MS = 90;
const SPREAD_DESC = { column: 'spread_pct', direction: 'desc' } as const;

/** The spread table as the service makes it: legs, their frame, rows from the frame, first page. Beside it the naive way; and its growth. */
export function measureSpreads(): Figure[] {
  // First without the naive way: the collections of what it allocates would count as ours.
  const alone = measure(new SpreadMarket(), false);
  const twice = measure(new SpreadMarket(FULL_COINS * 2), false);
  const full = measure(new SpreadMarket(), true);
  const name = `CPU of a spread table of ${full.rows} pairs, every contract moved`;
  return [
    {
      name,
      value: full.cpuMs,
      unit: 'ms',
      baseline: { name: 'all pairs as objects, sorted and serialised', value: full.naiveCpuMs },
      target: ratioAtMost(0.2),
    },
    { name: `${name}, every 5 s`, value: alone.cpuMs, unit: 'ms', target: valueAtMost(MOST_CPU_MS) },
    {
      name: `growth: the same with ${twice.rows} pairs`,
      value: twice.cpuMs,
      unit: 'ms',
      baseline: { name: `with ${alone.rows}`, value: alone.cpuMs },
      target: ratioAtMost(2.6),
    },
    { name: 'its frame', value: alone.frameBytes / 1e6, unit: 'MB' },
  ];
}

function measure(market: SpreadMarket, isBesideNaive: boolean) {
  const builder = new SpreadTableBuilder();
  const [ours, naive]: [number[], number[]] = [[], []];
  let directions: ReadonlyMap<string, string>[] = [];
  let [rows, frameBytes] = [0, 0];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    market.move(EVERY_MS);
    const { freezer } = market.made;
    const { cpuMs } = cpuMsOf(() => {
      const { legs } = builder.build(freezer.statesNow(market.nowMs), freezer.identities, market.nowMs);
      const frame = encodeTable(legs);
      const table = rowsFromLegs(decodeTable(frame, LEGS_TABLE) ?? legs, market.nowMs);
      const order = orderOf(table, 'spread_desc', SPREAD_DESC, []);
      for (const row of order.subarray(0, PAGE_ROWS)) table.rowJson(row);
      [frameBytes, rows] = [frame.length, table.rowCount];
    });
    if (round >= WARM_UP_ROUNDS) ours.push(cpuMs);
    if (!isBesideNaive || round < WARM_UP_ROUNDS - 1) continue;
    const legs = market.naiveLegs();
    const { made, cpuMs: naiveCpuMs } = cpuMsOf(
      () => naiveSpreads(legs, market.nowMs, directions).directions,
    );
    directions = [...directions.slice(-1), made];
    naive.push(naiveCpuMs);
  }
  return { rows, frameBytes, cpuMs: median(ours), naiveCpuMs: median(naive.slice(1)) };
}
