import { isoTime } from '../../src/base/times.ts';
import { madeLegs, pairBooks, pairRows } from './arbitrage.ts';
import { AS_OF_MS, type Row } from './tables.ts';

const PAGE_ROWS = 100;
const HOLD_DAYS = 30;

type Levels = readonly (readonly [price: number, size: number])[];

/** The naive way to price pairs at a size: walks every book for each request, then sorts and serialises the rows. */
export function naiveSizes(): (sizeUsd: number) => string {
  const books = pairBooks(madeLegs(AS_OF_MS));
  const pairs = pairRows(AS_OF_MS);
  return (sizeUsd) => {
    const costs = new Map(
      [...books].map(([contract, { bids, asks }]) => {
        const mid = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2;
        return [contract, { buy: costPct(asks, mid, sizeUsd), sell: costPct(bids, mid, sizeUsd) }];
      }),
    );
    const sized = pairs.map((row) => {
      const leg = (side: 'long' | 'short') => costs.get(`${row[`${side}_exchange`]}/${row.coin}USDT`);
      const [long, short] = [leg('long'), leg('short')];
      const entry = (long?.buy ?? Number.NaN) + (short?.sell ?? Number.NaN);
      const exit = (long?.sell ?? Number.NaN) + (short?.buy ?? Number.NaN);
      const cost = Number(row.fee_pct_round_trip) + entry + exit;
      const net = ((Number(row.carry_pct_day) * HOLD_DAYS - cost) / HOLD_DAYS) * 365;
      return { row, entry, exit, cost, net: Number.isNaN(net) ? Number.NEGATIVE_INFINITY : net };
    });
    const data = sized
      .sort((a, b) => b.net - a.net)
      .slice(0, PAGE_ROWS)
      .map(
        ({ row, entry, exit, cost, net }): Row => ({
          ...row,
          ...{ net_apr_pct: net, cost_pct_round_trip: cost, entry_cost_pct: entry, exit_cost_pct: exit },
        }),
      );
    return JSON.stringify({ data, meta: { as_of: isoTime(AS_OF_MS), count: data.length } });
  };
}

function costPct(levels: Levels, mid: number, sizeUsd: number): number {
  let [left, coins] = [sizeUsd, 0];
  for (const [price, size] of levels) {
    const spent = Math.min(left, price * size);
    coins += spent / price;
    left -= spent;
    if (left <= 0) return Math.abs(sizeUsd / coins / mid - 1) * 100;
  }
  return Number.NaN;
}
