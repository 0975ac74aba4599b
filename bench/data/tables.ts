import { aprPct, FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { SPREADS_TABLE } from '../../src/engines/spreads/table.ts';
import type { Cell, Table } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { seededRandom } from '../../test/rest/random.ts';
import { sized } from '../size.ts';

export const AS_OF_MS = Date.UTC(2026, 10, 14, 9, 30);
export const FUNDING_ROWS = sized(5_000, 5_000, 500);
export const SPREAD_ROWS = sized(25_000, 25_000, 1_000);
export type Row = Readonly<Record<string, Cell>>;

const EXCHANGES = VENUES.map((venue) => venue.facts.exchange);
const HOUR_MS = 3_600_000;
const tickerOf = (index: number) => `C${index.toString(36).toUpperCase()}`;

/** Rows of realistic size: every venue quotes every coin. */
export function fundingRows(): Row[] {
  const random = seededRandom(1);
  return Array.from({ length: FUNDING_ROWS }, (_, i) => {
    const coin = tickerOf(Math.floor(i / EXCHANGES.length));
    const intervalHours = random.pick([1, 4, 8, 8]);
    const price = 1 + random.below(1_000_000) / 1e3;
    const ratePct = (random.below(2_000_000) - 1_000_000) / 1e7;
    return {
      exchange: EXCHANGES[i % EXCHANGES.length] ?? '',
      symbol: `${coin}-USDT`,
      venue_symbol: `${coin}USDT`,
      coin,
      is_inverse: random.chance(0.02),
      asset_class: 'crypto',
      price_outlier: false,
      rate_pct: ratePct,
      apr_pct: aprPct(ratePct, intervalHours, 0.05),
      sum_7d_pct: random.chance(0.1) ? null : random.below(1_000_000) / 1e6,
      sum_30d_pct: random.chance(0.3) ? null : random.below(1_000_000) / 1e6,
      interval_hours: intervalHours,
      next_funding_at: AS_OF_MS + intervalHours * HOUR_MS,
      volume_24h_usdt: random.below(1_000_000_000) / 100,
      mark_price: price,
      index_price: price + 0.01,
      open_interest_usdt: random.chance(0.2) ? null : random.below(1_000_000_000) / 100,
      last_rate_pct: (random.below(2_000_000) - 1_000_000) / 1e7,
      last_funding_at: AS_OF_MS - random.below(intervalHours) * HOUR_MS,
      taker_fee_pct: 0.05,
      covered_until: AS_OF_MS - random.below(intervalHours) * HOUR_MS,
      gross_apr_pct: (ratePct / intervalHours) * 8760,
      session: null,
    };
  });
}

export function spreadRows(): Row[] {
  const random = seededRandom(2);
  const pairs = EXCHANGES.flatMap((a) => EXCHANGES.filter((b) => a < b).map((b) => [a, b] as const));
  return Array.from({ length: SPREAD_ROWS }, (_, i) => {
    const coin = tickerOf(Math.floor(i / pairs.length));
    const [a, b] = pairs[i % pairs.length] ?? ['', ''];
    const price = 1 + random.below(1_000_000) / 1e3;
    const longPct = (random.below(200_000) - 100_000) / 1e5;
    const shortPct = (random.below(200_000) - 100_000) / 1e5;
    return {
      symbol: `${coin}-USDT`,
      coin,
      exchange_a: a,
      exchange_b: b,
      spread_pct: Math.max(longPct, shortPct),
      direction: longPct > shortPct ? 'long_a_short_b' : 'short_a_long_b',
      long_a_short_b_pct: longPct,
      short_a_long_b_pct: shortPct,
      bid_a: price,
      ask_a: price * 1.0002,
      bid_b: price * 1.0001,
      ask_b: price * 1.0003,
      volume_a_usdt: random.below(1_000_000_000) / 100,
      volume_b_usdt: random.below(1_000_000_000) / 100,
      funding_rate_a_pct: random.below(100_000) / 1e6,
      funding_rate_b_pct: random.chance(0.1) ? null : random.below(100_000) / 1e6,
      funding_interval_hours_a: 8,
      funding_interval_hours_b: random.pick([1, 4, 8]),
      next_funding_at_a: AS_OF_MS + 8 * HOUR_MS,
      next_funding_at_b: AS_OF_MS + HOUR_MS,
      strength: random.below(6),
      updated_at: AS_OF_MS - random.below(120_000),
      net_spread_pct: Math.max(longPct, shortPct) - 0.2,
      taker_fee_a_pct: 0.05,
      taker_fee_b_pct: 0.05,
      covers_fees: longPct > 0.2,
      both_volumes_1m: random.chance(0.8),
      both_fresh_15s: random.chance(0.8),
      both_fill_500_usd: random.chance(0.5),
      steady_3_prints: random.chance(0.5),
      leg_closed: random.chance(0.1),
    };
  });
}

/** The rows as a table. A third of them differ from one round to the next. */
export function fundingTable(round = 0): Table {
  const changed = (row: Row, i: number) =>
    round > 0 && i % 3 === round % 3 ? { ...row, mark_price: Number(row.mark_price) + round } : row;
  return built(new TableBuilder(FUNDING_TABLE), fundingRows().map(changed));
}

export const spreadTable = (): Table => built(new TableBuilder(SPREADS_TABLE), spreadRows());

function built(builder: TableBuilder, rows: readonly Row[]): Table {
  for (const row of rows) builder.add(row);
  return builder.build();
}
