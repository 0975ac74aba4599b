import { SECOND_MS } from '../../base/times.ts';
import type { DatedCurve } from '../../market/depth/book-curve.ts';
import { BANDS_BP, SideCurve } from '../../market/depth/side-curve.ts';
import type { Table } from '../../market/tables/table.ts';
import { pointsReader } from './curve-columns.ts';
import { bandColumn, USDT_PER_QUOTE } from './table.ts';

/** The curves of a depth table by contract key, so that a restarted process continues with them. */
export function storedCurves(table: Table): ReadonlyMap<string, DatedCurve> {
  const [bids, asks] = [sideReader(table, 'bid'), sideReader(table, 'ask')];
  const number = (name: string, row: number) => table.numbers(name)[row] as number;
  const curves = new Map<string, DatedCurve>();
  for (let row = 0; row < table.rowCount; row++) {
    const usdt = number(USDT_PER_QUOTE, row);
    // Frames of versions before this column are not converted back.
    if (!(usdt > 0)) continue;
    curves.set(`${table.text('exchange', row)}/${table.text('venue_symbol', row)}`, {
      curve: {
        mid: number('mid_price', row),
        spreadPct: number('bid_ask_spread_pct', row),
        bids: bids(row, usdt),
        asks: asks(row, usdt),
      },
      atMs: number('book_at', row),
      periodMs: number('period_seconds', row) * SECOND_MS,
    });
  }
  return curves;
}

/** Reads one side in quote units. */
function sideReader(table: Table, side: 'bid' | 'ask'): (row: number, usdtPerQuote: number) => SideCurve {
  const isBuy = side === 'ask';
  const points = pointsReader(table, isBuy);
  const bands = BANDS_BP.map((bp) => table.numbers(bandColumn(side, bp)));
  const received = table.numbers(`${side}_received_usd`);
  const reach = table.numbers(`${side}_reach_bp`);
  return (row, usdtPerQuote) =>
    new SideCurve(
      {
        receivedValue: (received[row] as number) / usdtPerQuote,
        reachBp: reach[row] as number,
        points: Float32Array.from(points(row), (point) => point / usdtPerQuote),
        within: Float64Array.from(bands, (band) => (band[row] as number) / usdtPerQuote),
      },
      isBuy,
    );
}
