import { ARBITRAGE_LEGS_TABLE } from '../../src/engines/arbitrage/legs.ts';
import { type ArbitrageSource, arbitrageSource } from '../../src/engines/arbitrage/source.ts';
import { modelsTable, SHIPPED } from '../../src/engines/forecast/models.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { rowObjects } from '../../src/operations/answer/answer.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { madeHistories } from '../../test/operations/made-arbitrage.ts';
import { seededRandom } from '../../test/rest/random.ts';
import { sized } from '../size.ts';
import { depthOfBooks, madeBooks } from './depth.ts';
import type { Row } from './tables.ts';

const HOUR_MS = 3_600_000;
/** As many as quote an average coin, so that rows and legs are in the proportion of the real market. */
export const ARBITRAGE_EXCHANGES = VENUES.slice(0, 17).map(({ facts }) => facts.exchange);
const COINS = sized(515, 515, 8);
export const ARBITRAGE_ROWS = COINS * ((ARBITRAGE_EXCHANGES.length * (ARBITRAGE_EXCHANGES.length - 1)) / 2);

/** Pairs with forecasts: a tenth of the contracts lack 30 days of prints. */
export function madePairs(asOfMs: number): ArbitrageSource {
  const legs = madeLegs(asOfMs);
  const depth = depthOfBooks(pairBooks(legs), asOfMs);
  const still = (table: Table): TableSource => {
    const snapshot = { asOfMs, table };
    return { at: () => snapshot, exactly: (ms) => (ms === asOfMs ? snapshot : null), after: () => null };
  };
  return arbitrageSource(still(legs), still(madeHistories(legs)), still(modelsTable(SHIPPED)), still(depth));
}

/** The order books of the contracts, by key. */
export function pairBooks(legs: Table): ReturnType<typeof madeBooks> {
  return madeBooks(legs.texts('contract').values.slice(1));
}

/** The same rows as objects. */
export function pairRows(asOfMs: number): Row[] {
  const table = madePairs(asOfMs).at(0, asOfMs)?.table;
  if (!table) throw new Error('there are no pairs');
  const numbers = Array.from({ length: table.rowCount }, (_, row) => row);
  return rowObjects({ table, numbers, columns: null }) as Row[];
}

export function madeLegs(asOfMs: number): Table {
  const random = seededRandom(3);
  const percent = (most: number) => (random.below(2_000_001) / 1e6 - 1) * most;
  const builder = new TableBuilder(ARBITRAGE_LEGS_TABLE);
  for (let i = 0; i < COINS; i++) {
    const coin = `C${i.toString(36).toUpperCase()}`;
    const price = 1 + random.below(1_000_000) / 1e3;
    for (const exchange of ARBITRAGE_EXCHANGES) {
      const intervalHours = random.pick([1, 4, 8, 8]);
      const mid = price * (1 + percent(0.003));
      const hasHistory = !random.chance(0.1);
      const capacityUsd = random.below(1_000_000);
      builder.add({
        coin,
        exchange,
        quote: 'USDT',
        symbol: `${coin}-USDT`,
        contract: `${exchange}/${coin}USDT`,
        asset_class: 'crypto',
        bid: mid * 0.9999,
        ask: mid * 1.0001,
        taker_fee_pct: random.pick([0.035, 0.045, 0.05, 0.055]),
        rate_pct: percent(0.05),
        interval_hours: intervalHours,
        next_funding_at: asOfMs + (1 + random.below(intervalHours)) * HOUR_MS,
        volume_24h_usdt: random.below(1_000_000_000) / 100,
        open_interest_usdt: random.chance(0.2) ? null : random.below(1_000_000_000) / 100,
        received_at: asOfMs - random.below(60_000),
        sum_1d_pct: percent(0.1),
        sum_7d_pct: percent(0.5),
        sum_30d_pct: hasHistory ? percent(2) : null,
        sum_90d_pct: hasHistory ? percent(5) : null,
        absolute_30d_pct: hasHistory ? 2.5 : null,
        covered_until: asOfMs - random.below(intervalHours) * HOUR_MS,
        capacity_2bp_usd: capacityUsd,
        capacity_5bp_usd: capacityUsd * 2,
        capacity_10bp_usd: capacityUsd * 4,
        book_reach_bp: random.pick([4, 8, 30]),
        is_closed: false,
      });
    }
  }
  return builder.build();
}
