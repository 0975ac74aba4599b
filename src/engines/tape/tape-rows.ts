import { premiumPct, rounded } from '../../history/tape/series.ts';
import type { TapeRow } from '../../history/tape/writer.ts';
import type { Table } from '../../market/tables/table.ts';

/** What the tape stores of a table of /funding. Rate, interval and next settlement are as the table has them. */
export function tapeRows(table: Table): TapeRow[] {
  const numbers = (name: string) => table.numbers(name);
  const [rates, intervals, nexts] = [
    numbers('rate_pct'),
    numbers('interval_hours'),
    numbers('next_funding_at'),
  ];
  const [marks, indexes] = [numbers('mark_price'), numbers('index_price')];
  const [interests, volumes] = [numbers('open_interest_usdt'), numbers('volume_24h_usdt')];
  return Array.from({ length: table.rowCount }, (_, row): TapeRow => {
    const at = (column: Float64Array) => column[row] as number;
    return {
      names: {
        exchange: table.text('exchange', row),
        venueSymbol: table.text('venue_symbol', row),
        symbol: table.text('symbol', row),
        coin: table.text('coin', row),
      },
      figures: {
        ratePct: at(rates),
        intervalHours: at(intervals),
        nextFundingAtMs: at(nexts),
        premiumPct: premiumPct(at(marks), at(indexes)),
        markPrice: rounded('markPrice', at(marks)),
        openInterestUsdt: rounded('openInterestUsdt', at(interests)),
        volume24hUsdt: rounded('volume24hUsdt', at(volumes)),
      },
    };
  });
}
