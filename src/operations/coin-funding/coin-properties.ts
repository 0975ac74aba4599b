import { SIZED_COIN_RATES_TABLE } from '../../engines/forecast/coin-rates.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import { rowSchema } from '../description/row-schema.ts';
import type { RankedVenue } from './coin-ranking.ts';

const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});
const text = { type: 'string' };
const double = { type: 'number', format: 'double' };
const int32 = { type: 'integer', format: 'int32' };
const rankedVenue = (description: string) =>
  orNull(
    {
      type: 'object',
      properties: {
        exchange: { ...text, description: 'Venue name' },
        symbol: { ...text, description: 'Contract symbol' },
        rate_pct: { ...double, description: 'Percent exchanged at the next settlement' },
        interval_hours: orNull(
          int32,
          'Settlement interval in hours, with which rate_pct is quoted; null when unknown',
        ),
      },
      required: ['exchange', 'symbol', 'rate_pct', 'interval_hours'],
      additionalProperties: false,
    },
    description,
  );

export const COIN_PROPERTIES = {
  coin: { ...text, description: 'Ticker without multiplier' },
  venue_count: {
    ...int32,
    description: 'Venues in the ranking: those with a linear contract on the coin that the filters leave',
  },
  spread_pct: orNull(
    double,
    'Highest minus lowest rate_pct over the linear contracts, in percentage points; null when none is ranked',
  ),
  highest: rankedVenue('Linear contract with the highest rate_pct; null when none is ranked'),
  lowest: rankedVenue('Linear contract with the lowest rate_pct; null when none is ranked'),
  best_short_exchange: orNull(
    text,
    'Venue that pays a short best now, by rate per hour (rate_pct / interval_hours), not per settlement; null when no ranked contract has a known interval',
  ),
  best_long_exchange: orNull(
    text,
    'Venue that pays a long best now, by rate per hour; null when no ranked contract has a known interval',
  ),
  best_short_would_pay: orNull(
    { type: 'boolean' },
    'true: even there a short pays, because no venue pays shorts now; null when no ranked contract has a known interval',
  ),
  best_long_would_pay: orNull(
    { type: 'boolean' },
    'true: even there a long pays, because no venue pays longs now; null when no ranked contract has a known interval',
  ),
  median_hours_above_fee: orNull(
    double,
    "How long a carry above the fee lasted before, for a long on best_long_exchange and a short on best_short_exchange: median length in hours of the times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times, under 95 % coverage, or when /arbitrage does not pair these venues",
  ),
  times_above_fee: orNull(int32, 'How many such times began and ended in the last 720 full hours'),
  hours_above_fee_now: orNull(
    int32,
    'Hours that the present such time has lasted, up to the last hour that both have settled; 0 when that hour was not above the fee',
  ),
  total_volume_24h_usdt: {
    ...double,
    description: '24 h turnover in USDT of all contracts in rates',
  },
  inverse_venues: {
    type: 'array',
    items: text,
    description: 'Venues with an inverse (coin-margined) contract, which the ranking leaves out',
  },
  rates: {
    type: 'array',
    items: rowSchema(SIZED_COIN_RATES_TABLE),
    description:
      "Linear contracts first, venues by the rate of their contract with the largest volume, from high to low, each followed by the venue's other contracts; then the inverse ones in the same way",
  },
};

/** The fields of `data` before `rates`. */
export interface CoinFigures {
  coin: string;
  venue_count: number;
  spread_pct: number | null;
  highest: RankedVenue | null;
  lowest: RankedVenue | null;
  best_short_exchange: string | null;
  best_long_exchange: string | null;
  best_short_would_pay: boolean | null;
  best_long_would_pay: boolean | null;
  median_hours_above_fee: number | null;
  times_above_fee: number | null;
  hours_above_fee_now: number | null;
  total_volume_24h_usdt: number;
  inverse_venues: readonly string[];
}
