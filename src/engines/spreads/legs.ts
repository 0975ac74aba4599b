import type { NumberCell, Table, TableSpec } from '../../market/tables/table.ts';

/**
 * The stored form of a spread table: the usable legs, in the order of the pairs. Rows are computed from them, and there are
 * several times fewer legs than rows.
 */
export const LEGS_TABLE: TableSpec = {
  name: 'spread-legs',
  columns: [
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier' },
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue' },
    { name: 'quote', type: 'text', nullable: false, description: 'Quote of the contract' },
    {
      name: 'streaks',
      type: 'text',
      nullable: true,
      description:
        'On the first leg of a coin: one digit per row of the coin, the number of consecutive prints with its direction, at most 3',
    },
    { name: 'contract', type: 'text', nullable: true, description: 'Key of the contract' },
    { name: 'bid', type: 'number', nullable: false, description: 'For one coin in USDT' },
    { name: 'ask', type: 'number', nullable: false, description: 'For one coin in USDT' },
    { name: 'bid_fills', type: 'flag', nullable: false, description: 'The best bid holds 500 USD' },
    { name: 'ask_fills', type: 'flag', nullable: false, description: 'The best ask holds 500 USD' },
    { name: 'volume_24h_usdt', type: 'number', nullable: false, description: 'Turnover' },
    { name: 'taker_fee_pct', type: 'number', nullable: false, description: 'Of the venue' },
    { name: 'rate_pct', type: 'number', nullable: true, description: 'Running funding rate' },
    { name: 'interval_hours', type: 'integer', nullable: true, description: 'Settlement interval' },
    { name: 'next_funding_at', type: 'time', nullable: true, description: 'Next settlement' },
    { name: 'received_at', type: 'time', nullable: false, description: 'When the top was received' },
    {
      name: 'is_closed',
      type: 'flag',
      nullable: true,
      description: 'The market of the underlying is closed',
    },
  ],
};

/** The numbers of legs by column: views of a stored table, or the arrays of a live book. */
export interface LegNumbers {
  bid: Float64Array;
  ask: Float64Array;
  bidFills: Float64Array;
  askFills: Float64Array;
  volume24hUsdt: Float64Array;
  takerFeePct: Float64Array;
  ratePct: Float64Array;
  intervalHours: Float64Array;
  nextFundingAtMs: Float64Array;
  receivedAtMs: Float64Array;
  isClosed: Float64Array;
}

export const LEG_COLUMNS: Readonly<Record<keyof LegNumbers, string>> = {
  bid: 'bid',
  ask: 'ask',
  bidFills: 'bid_fills',
  askFills: 'ask_fills',
  volume24hUsdt: 'volume_24h_usdt',
  takerFeePct: 'taker_fee_pct',
  ratePct: 'rate_pct',
  intervalHours: 'interval_hours',
  nextFundingAtMs: 'next_funding_at',
  receivedAtMs: 'received_at',
  isClosed: 'is_closed',
};

export const LEG_NUMBER_NAMES = Object.keys(LEG_COLUMNS) as (keyof LegNumbers)[];

export function newLegNumbers(count: number): LegNumbers {
  return numbersFrom(() => new Float64Array(count));
}

export function legNumbersOf(table: Table): LegNumbers {
  return numbersFrom((name) => table.numbers(LEG_COLUMNS[name]));
}

/** `values` at the given places. A plain loop, because `Float64Array.from` takes ten times as long. */
export function numbersAt(values: Float64Array, places: Int32Array): Float64Array {
  const found = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) found[i] = values[places[i] as number] as number;
  return found;
}

export function codesAt(values: Uint32Array, places: Int32Array): Uint32Array {
  const found = new Uint32Array(places.length);
  for (let i = 0; i < places.length; i++) found[i] = values[places[i] as number] as number;
  return found;
}

export function indexesAt(values: Int32Array, places: Int32Array): Int32Array {
  const found = new Int32Array(places.length);
  for (let i = 0; i < places.length; i++) found[i] = values[places[i] as number] as number;
  return found;
}

/** 1 where the market of a leg is closed, else 0. Legs that an earlier version stored do not say it. */
export function closedCell(legs: Table, one: Int32Array, other: Int32Array): NumberCell {
  const isClosed = legs.numbers('is_closed');
  return (row) => (isClosed[one[row] as number] === 1 || isClosed[other[row] as number] === 1 ? 1 : 0);
}

function numbersFrom(make: (name: keyof LegNumbers) => Float64Array): LegNumbers {
  return Object.fromEntries(LEG_NUMBER_NAMES.map((name) => [name, make(name)])) as unknown as LegNumbers;
}
