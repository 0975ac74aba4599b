import { HOUR_MS } from '../../src/base/times.ts';
import { historiesTable, newHistoryColumns } from '../../src/engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../../src/engines/arbitrage/legs.ts';
import { PairMaker } from '../../src/engines/arbitrage/pairs.ts';
import { type ArbitrageSource, arbitrageSource } from '../../src/engines/arbitrage/source.ts';
import { modelsTable, SHIPPED } from '../../src/engines/forecast/models.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSource } from '../../src/market/timeline.ts';

interface LegMaking {
  coins: readonly string[];
  exchanges: readonly string[];
  asOfMs: number;
}

/** One leg on each coin at each venue. Figures differ from leg to leg; prices agree within a percent. */
export function madeLegs({ coins, exchanges, asOfMs }: LegMaking): Table {
  const builder = new TableBuilder(ARBITRAGE_LEGS_TABLE);
  for (const [i, coin] of coins.entries())
    for (const [j, exchange] of exchanges.entries()) {
      const mid = 100 * (i + 1) * (1 + ((i * 7 + j * 5) % 11) / 1000);
      const seed = (i * 31 + j * 17) % 23;
      const hasHistory = seed % 5 !== 0;
      builder.add({
        coin,
        exchange,
        quote: 'USDT',
        symbol: `${coin}-USDT`,
        contract: `${exchange}/${coin}USDT`,
        asset_class: i % 3 === 2 ? 'stock' : 'crypto',
        bid: mid * 0.9999,
        ask: mid * 1.0001,
        taker_fee_pct: 0.03 + (j % 4) * 0.01,
        rate_pct: (seed - 11) / 500,
        interval_hours: [8, 4, 1][(i + j) % 3] ?? 8,
        next_funding_at: asOfMs + ((i + j) % 8) * HOUR_MS,
        volume_24h_usdt: 1e5 * (seed + 1) ** 3,
        open_interest_usdt: seed % 4 === 0 ? null : 2e5 * (seed + 1) ** 2,
        received_at: asOfMs - seed * 900,
        sum_1d_pct: (seed - 9) / 200,
        sum_7d_pct: (seed - 8) / 40,
        sum_30d_pct: hasHistory ? (seed - 12) / 10 : null,
        absolute_30d_pct: hasHistory ? 0.3 + Math.abs(seed - 12) / 10 : null,
        sum_90d_pct: hasHistory ? (seed - 10) / 4 : null,
        covered_until: asOfMs - ((i + j) % 8) * HOUR_MS,
        capacity_2bp_usd: seed % 6 === 0 ? null : 1e3 * (seed + 1),
        capacity_5bp_usd: seed % 6 === 0 ? null : 3e3 * (seed + 1),
        capacity_10bp_usd: seed % 6 === 0 ? null : 9e3 * (seed + 1),
        book_reach_bp: seed % 6 === 0 ? null : ([0, 4, 30][seed % 3] ?? 0),
        is_closed: i % 3 === 2 && j % 2 === 0,
      });
    }
  return builder.build();
}

/** 30-day figures that differ from pair to pair. */
export function madeHistories(legs: Table): Table {
  const { codes, values } = legs.texts('contract');
  const { count, long, short } = new PairMaker().pairsOf(legs);
  const codeOf = (leg: number) => codes[leg] as number;
  const figures = newHistoryColumns(count);
  for (let row = 0; row < count; row++) {
    figures.positivePct[row] = (row * 13) % 100;
    figures.negativePct[row] = (row * 29) % 100;
    figures.worstDayPct[row] = -((row * 7) % 10) / 50;
    figures.bestDayPct[row] = ((row * 3) % 10) / 40;
    figures.maxDrawdownPct[row] = ((row * 11) % 17) / 20;
    figures.maxRisePct[row] = ((row * 5) % 19) / 20;
    figures.gapLowPct[row] = -1 - ((row * 5) % 7) / 10;
    figures.gapHighPct[row] = 1 + ((row * 3) % 13) / 10;
    figures.meanAbsolutePct[row] = 0.001 + ((row * 3) % 11) / 5000;
    figures.medianHours[row] = row % 4 === 0 ? Number.NaN : 3 + ((row * 7) % 31);
    figures.medianHoursReversed[row] = 2 + ((row * 5) % 29);
    figures.times[row] = (row * 3) % 17;
    figures.timesReversed[row] = 3 + (row % 8);
    figures.nowHours[row] = ((row * 11) % 61) - 30;
    figures.gapFromMs[row] = Date.UTC(2026, 9, 16) + (row % 5) * HOUR_MS;
  }
  const a = Uint32Array.from({ length: count }, (_, row) =>
    codeOf(Math.min(long[row] as number, short[row] as number)),
  );
  const b = Uint32Array.from({ length: count }, (_, row) =>
    codeOf(Math.max(long[row] as number, short[row] as number)),
  );
  return historiesTable(values, a, b, figures);
}

export function madeArbitrage({ depth, ...making }: LegMaking & { depth?: Table }): ArbitrageSource {
  const legs = madeLegs(making);
  const still = (table: Table): TableSource => {
    const snapshot = { asOfMs: making.asOfMs, table };
    return {
      at: () => snapshot,
      exactly: (asOfMs) => (asOfMs === making.asOfMs ? snapshot : null),
      after: () => null,
    };
  };
  const none: TableSource = { at: () => null, exactly: () => null, after: () => null };
  return arbitrageSource(
    still(legs),
    still(madeHistories(legs)),
    still(modelsTable(SHIPPED)),
    depth ? still(depth) : none,
  );
}
