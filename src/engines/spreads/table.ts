import type { Column, TableSpec } from '../../market/tables/table.ts';

const legs = (column: Omit<Column, 'name' | 'description'>, name: string, description: string): Column[] =>
  ['a', 'b'].map((leg) => ({
    ...column,
    name: name.replace('*', leg),
    description: description.replace('*', leg.toUpperCase()),
  }));

/** One row per venue pair and coin. Prices are for one coin, without multiplier, in USDT. */
export const SPREADS_TABLE: TableSpec = {
  name: 'spreads',
  rowTitle: 'SpreadRow',
  columns: [
    {
      name: 'symbol',
      type: 'text',
      nullable: false,
      description: 'COIN-QUOTE when both legs share the quote, else COIN-USD',
    },
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier, e.g. PEPE' },
    ...legs(
      { type: 'text', nullable: false },
      'exchange_*',
      'Venue *; A comes before B in the order of character codes',
    ),
    {
      name: 'spread_pct',
      type: 'number',
      nullable: false,
      description:
        'The better of the two entry directions, in percent of the price that is paid; before fees',
    },
    {
      name: 'direction',
      type: 'text',
      nullable: false,
      description: 'The better one: long_a_short_b (buy on A, sell on B) or short_a_long_b',
    },
    {
      name: 'long_a_short_b_pct',
      type: 'number',
      nullable: false,
      description: '(bid_b - ask_a) / ask_a in percent',
    },
    {
      name: 'short_a_long_b_pct',
      type: 'number',
      nullable: false,
      description: '(bid_a - ask_b) / ask_b in percent',
    },
    ...(['a', 'b'] as const).flatMap((leg) =>
      ['bid', 'ask'].map(
        (side): Column => ({
          name: `${side}_${leg}`,
          type: 'number',
          nullable: false,
          description: `Best ${side} on ${leg.toUpperCase()} for one coin in USDT`,
        }),
      ),
    ),
    ...legs({ type: 'number', nullable: false }, 'volume_*_usdt', 'Turnover on * in the last 24 h in USDT'),
    ...legs(
      { type: 'number', nullable: true },
      'funding_rate_*_pct',
      'Running funding rate on * in percent per settlement; positive = longs pay; null when unknown',
    ),
    ...legs(
      { type: 'integer', nullable: true },
      'funding_interval_hours_*',
      'Settlement interval on * in hours; null when unknown',
    ),
    ...legs(
      { type: 'time', nullable: true },
      'next_funding_at_*',
      'Next settlement on *, UTC; null when continuous or unknown',
    ),
    {
      name: 'strength',
      type: 'integer',
      nullable: false,
      description:
        '0 to 5, one for each that holds: the spread covers the round-trip taker fees; both volumes are at least 1,000,000 USDT; both legs are fresher than 15 s; both tops that would be traded against hold 500 USD; the direction was the same in the last three prints',
    },
    {
      name: 'updated_at',
      type: 'time',
      nullable: false,
      description: 'When the older of the two quotes was received, UTC',
    },
    {
      name: 'net_spread_pct',
      type: 'number',
      nullable: false,
      description:
        'spread_pct minus the taker fees of a round trip (both legs opened and closed), in percent; with fees at your own fees',
    },
  ],
  internalColumns: [
    'taker_fee_a_pct',
    'taker_fee_b_pct',
    'bid_fills_a',
    'ask_fills_a',
    'bid_fills_b',
    'ask_fills_b',
  ],
};
