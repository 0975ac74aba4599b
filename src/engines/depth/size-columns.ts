import type { Column } from '../../market/tables/table.ts';

export const SIZE_PARAMETER = 'size_usd';
/** From the best to the worst. */
export const FILLS = ['full', 'partial', 'unknown'] as const;
const PERCENT = { type: 'number', nullable: true, onlyWith: SIZE_PARAMETER } as const;

interface Words {
  entry: string;
  exit: string;
  worst: string;
  fills: string;
  age: string;
}

const sizeColumns = ({ entry, exit, worst, fills, age }: Words): readonly Column[] => [
  { ...PERCENT, name: 'entry_cost_pct', description: entry },
  { ...PERCENT, name: 'exit_cost_pct', description: exit },
  { ...PERCENT, name: 'exit_cost_worst_pct', description: worst },
  { name: 'fills', type: 'text', nullable: false, onlyWith: SIZE_PARAMETER, description: fills },
  { ...PERCENT, name: 'book_age_seconds', description: age },
];

const NOT_FILLED =
  'null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd';
const STATES =
  'full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour';

/** The columns that rows of pairs have with a size. */
export const SIZE_COLUMNS = sizeColumns({
  entry:
    'What opening both legs at size_usd costs now, before fees, in percent of the mid prices: average fill of the bought leg on its asks plus that of the sold leg on its bids; null unless fills is full',
  exit: `What closing both legs at size_usd cost, before fees, in percent: the sum of the medians of the last 24 hours, sampled every five minutes; ${NOT_FILLED}`,
  worst:
    'The same at the worst times: the sum of what each leg exceeded in at most 5 % of the samples; null likewise',
  fills: `Whether the books of both legs take size_usd now, to open and to close; the worse leg counts. ${STATES}`,
  age: 'Age of the older of the two books at meta.as_of, in seconds; null where fills is unknown',
});

/** The columns that rows of contracts have with a size: for the position that receives the running rate. */
export const POSITION_COLUMNS = sizeColumns({
  entry:
    'What opening a position of size_usd that receives rate_pct costs now, a short where it is positive and else a long, before fees, in percent of the mid price; null unless fills is full',
  exit: `What closing it cost, before fees, in percent: the median of the last 24 hours, sampled every five minutes; ${NOT_FILLED}`,
  worst: 'The same at the worst times: what was exceeded in at most 5 % of the samples; null likewise',
  fills: `Whether the book takes size_usd now, to open and to close: ${STATES}, and for inverse contracts`,
  age: 'Age of the book at meta.as_of, in seconds; null where fills is unknown',
});
