import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';

export const FIRST_MS = Date.UTC(2026, 10, 16, 9, 30);
export const SNAPSHOTS = 12;
export const BOUND = 0.03;
export const HYSTERESIS = 0.01;
const ROWS = 10;

export const asOfMsOf = (snapshot: number) => FIRST_MS + snapshot * 10_000;

/** Rates that cross the bound and come back, each row at its own pace. */
export function ratesAt(snapshot: number): Map<string, number> {
  return new Map(
    Array.from({ length: ROWS }, (_, row) => [
      `C${row}USDT`,
      Number((0.05 * Math.sin(snapshot * (0.4 + row / 10) + row)).toFixed(6)),
    ]),
  );
}

export function tableAt(snapshot: number): Table {
  const builder = new TableBuilder(FUNDING_TABLE);
  for (const [venueSymbol, ratePct] of ratesAt(snapshot)) {
    const coin = venueSymbol.replace('USDT', '');
    builder.add({
      ...{ exchange: 'Bybit', symbol: `${coin}-USDT`, venue_symbol: venueSymbol, coin, is_inverse: false },
      ...{ asset_class: 'crypto', price_outlier: false, rate_pct: ratePct, apr_pct: ratePct * 1095 },
      ...{ sum_7d_pct: null, sum_30d_pct: null, interval_hours: 8, next_funding_at: null },
      ...{ volume_24h_usdt: 1, mark_price: null, index_price: null, open_interest_usdt: null },
      ...{
        last_rate_pct: null,
        last_funding_at: null,
        covered_until: null,
        gross_apr_pct: null,
        session: null,
        taker_fee_pct: 0.055,
      },
    });
  }
  return builder.build();
}

/** The events of a rule that starts with the snapshot, by the plainest comparison: `crossed C1USDT 2026-…`. */
export function expectedEvents(first = 0): string[] {
  const beyond = new Set([...ratesAt(first)].filter(([, rate]) => rate > BOUND).map(([row]) => row));
  const events: string[] = [];
  for (let snapshot = first + 1; snapshot < SNAPSHOTS; snapshot++) {
    for (const [row, rate] of ratesAt(snapshot)) {
      const at = new Date(asOfMsOf(snapshot)).toISOString().replace('.000', '');
      if (rate > BOUND && !beyond.has(row)) {
        beyond.add(row);
        events.push(`crossed ${row} ${at}`);
      } else if (rate <= BOUND - HYSTERESIS && beyond.has(row)) {
        beyond.delete(row);
        events.push(`returned ${row} ${at}`);
      }
    }
  }
  return events;
}
