import type { JsonSchema } from '../../query/parameter.ts';
import type { HistorySeries } from './points.ts';
import type { Resolution } from './window.ts';

export interface History {
  coin: string;
  resolution: Resolution;
  from: string;
  to: string;
  series: readonly HistorySeries[];
}

const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});
const double = { type: 'number', format: 'double' };
const dateTime = { type: 'string', format: 'date-time' };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const dayPoint = {
  title: 'FundingHistoryDay',
  ...object({
    day: { type: 'string', format: 'date', description: 'UTC calendar day' },
    apr_pct: orNull(
      double,
      "The day's settled rates as simple interest over a year, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when prints cover less than half of the day, unless none of the day is missing. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days",
    ),
  }),
};
const print = {
  title: 'FundingHistoryPrint',
  ...object({
    time: { ...dateTime, description: 'Settlement, to the minute, UTC' },
    rate_pct: {
      ...double,
      description: 'Percent that was exchanged (0.01 = one basis point); positive = longs paid shorts',
    },
    interval_hours: orNull(
      { type: 'integer', format: 'int32' },
      'Hours that the print is for: since the print before, and for the first as long as the next',
    ),
  }),
};

const series = object({
  exchange: { type: 'string', description: 'Venue name' },
  symbol: { type: 'string', description: "Contract symbol with the contract's own base" },
  venue_symbol: { type: 'string', description: "The venue's own spelling of the contract" },
  is_inverse: { type: 'boolean', description: 'true = coin-margined' },
  price_outlier: {
    type: 'boolean',
    description:
      "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker",
  },
  taker_fee_pct: { ...double, description: 'Taker fee in percent that apr_pct of a day takes off twice' },
  held_since: orNull(dateTime, 'First print that is held of this contract; null while there is none'),
  daily: orNull({ type: 'array', items: dayPoint }, 'Points of resolution=1d, else null'),
  settlements: orNull({ type: 'array', items: print }, 'Prints of resolution=settlement, else null'),
});

/** The data of an answer. */
export const HISTORY_SCHEMA = {
  ...object({
    coin: { type: 'string', description: 'Ticker without multiplier' },
    resolution: { type: 'string', enum: ['1d', 'settlement'], description: 'As asked' },
    from: { ...dateTime, description: 'Start of the window that was answered' },
    to: { ...dateTime, description: 'End of the window that was answered' },
    series: { type: 'array', items: series, description: 'One entry per venue, by name' },
  }),
  title: 'FundingHistoryResponse',
};

export const HISTORY_EXAMPLE = {
  coin: 'BTC',
  resolution: '1d',
  from: '2026-11-13T12:00:00Z',
  to: '2026-11-15T12:00:00Z',
  series: [
    {
      exchange: 'Binance',
      symbol: 'BTC-USDT',
      venue_symbol: 'BTCUSDT',
      is_inverse: false,
      price_outlier: false,
      taker_fee_pct: 0.05,
      held_since: '2026-05-19T00:00:00Z',
      daily: [
        { day: '2026-11-14', apr_pct: 10.85 },
        { day: '2026-11-15', apr_pct: null },
      ],
      settlements: null,
    },
  ],
};
