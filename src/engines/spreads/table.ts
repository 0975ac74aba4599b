import { LEG_CLOSED } from '../../market/session.ts';
import type { Column, TableSpec } from '../../market/tables/table.ts';
import { SIZE_COLUMNS } from '../depth/size-columns.ts';

const legs = (column: Omit<Column, 'name' | 'description'>, name: string, description: string): Column[] =>
  ['a', 'b'].map((leg) => ({
    ...column,
    name: name.replace('*', leg),
    description: description.replace('*', leg.toUpperCase()),
  }));

/** How much higher the mid price of the sold leg is than that of the bought one, in percent; rows do not show it. */
export const MID_GAP = 'mid_gap_pct';
/** The keys of the contracts of the legs, which rows do not show. */
export const CONTRACTS = { a: 'contract_a', b: 'contract_b' } as const;

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
        '0 to 5: how many of covers_fees, both_volumes_1m, both_fresh_15s, both_fill_500_usd and steady_3_prints are true',
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
      nullable: true,
      description:
        'spread_pct - 2 x (taker_fee_a_pct + taker_fee_b_pct), in percent: after the taker fees of a round trip, both legs opened and closed, if the gap is gone on closing. Leaving now gives the percent of the other direction. With size_usd the gap of the mid prices less entry_cost_pct, exit_cost_pct and the fees, and null where these are not known; else never null',
    },
    ...legs(
      { type: 'number', nullable: false },
      'taker_fee_*_pct',
      "Taker fee on * in percent, as used in this row: the contract's own; with fees your own",
    ),
    {
      name: 'covers_fees',
      type: 'flag',
      nullable: false,
      description: 'true = net_spread_pct is at least 0',
    },
    {
      name: 'both_volumes_1m',
      type: 'flag',
      nullable: false,
      description: 'true = volume_a_usdt and volume_b_usdt are at least 1,000,000',
    },
    {
      name: 'both_fresh_15s',
      type: 'flag',
      nullable: false,
      description: 'true = updated_at is less than 15 s before meta.as_of',
    },
    {
      name: 'both_fill_500_usd',
      type: 'flag',
      nullable: false,
      description:
        'true = the best ask of the leg that direction buys and the best bid of the one it sells each hold at least 500 USD; false when a size is unknown',
    },
    {
      name: 'steady_3_prints',
      type: 'flag',
      nullable: false,
      description: 'true = direction was the same in each of the last three prints, including this one',
    },
    LEG_CLOSED,
  ],
  internalColumns: [MID_GAP],
  internalTexts: [CONTRACTS.a, CONTRACTS.b],
};

/** The same with what the books cost at a size. */
export const SIZED_SPREADS_TABLE: TableSpec = {
  ...SPREADS_TABLE,
  columns: [...SPREADS_TABLE.columns, ...SIZE_COLUMNS],
};
