import { VENUES } from '../../src/venues/registry.ts';
import { type Random, seededRandom } from '../../test/rest/random.ts';
import { ARBITRAGE_EXCHANGES } from './arbitrage.ts';
import { FUNDING_ROWS } from './tables.ts';

/** Query parameters of an endpoint. */
export type Query = Readonly<Record<string, string>>;
export type Endpoint = 'funding' | 'spreads' | 'arbitrage';

const COINS = FUNDING_ROWS / VENUES.length;
const twentyCoins = (random: Random) =>
  Array.from({ length: 20 }, () => `C${random.below(COINS).toString(36).toUpperCase()}`).join(',');
const venue = (random: Random) => random.pick(VENUES).facts.exchange;
const pairedVenue = (random: Random) => random.pick(ARBITRAGE_EXCHANGES);
/** So many digits that hardly two of a run's hundred thousand requests are the same. */
const about = (random: Random, base: number, width: number) =>
  (base + (random.below(1_000_000_000) / 1e9) * width).toPrecision(9);

/** Typical queries of bots: thresholds, lists, venues, and another order. Each fills its page of 100 rows. */
const MAKERS: Readonly<Record<Endpoint, readonly ((random: Random) => Query)[]>> = {
  funding: [
    (random) => ({ min_abs_rate_pct: about(random, 0.01, 0.05) }),
    (random) => ({ coin: twentyCoins(random), sort: 'apr_desc' }),
    (random) => ({
      exchange: [venue(random), venue(random), venue(random)].join(','),
      min_apr_pct: about(random, 1, 9),
    }),
    (random) => ({
      exclude_exchange: venue(random),
      max_rate_pct: about(random, -0.05, 0.05),
      sort: 'rate_asc',
    }),
    (random) => ({
      interval_hours: '8',
      min_volume_usdt: about(random, 1_000, 100_000),
      sort: 'volume_desc',
    }),
  ],
  spreads: [
    (random) => ({ min_spread_pct: about(random, 0.1, 0.5) }),
    (random) => ({ coin: twentyCoins(random), min_volume_usdt: about(random, 1_000, 100_000) }),
    (random) => ({
      exchange: [venue(random), venue(random)].join(','),
      min_spread_pct: about(random, 0, 0.3),
    }),
    (random) => ({
      min_strength: '3',
      min_volume_usdt: about(random, 1_000, 1_000_000),
      sort: 'volume_desc',
    }),
    (random) => ({
      direction: 'long_a_short_b',
      exclude_exchange: venue(random),
      max_spread_pct: about(random, 0.5, 0.4),
    }),
  ],
  arbitrage: [
    (random) => ({ min_expected_net_apr_pct: about(random, -5, 15), sort: 'expected_net_desc' }),
    (random) => ({ coin: twentyCoins(random), min_net_apr_pct: about(random, -10, 20) }),
    (random) => ({
      exchange: [pairedVenue(random), pairedVenue(random)].join(','),
      min_expected_carry_7d_pct: about(random, -0.1, 0.2),
      sort: 'expected_7d_desc',
    }),
    (random) => ({
      min_probability_net_positive: '0.4',
      min_volume_usdt: about(random, 1_000, 1_000_000),
      sort: 'volume_desc',
    }),
    (random) => ({
      exclude_exchange: pairedVenue(random),
      max_cost_pct_round_trip: about(random, 0.2, 0.1),
      sort: 'expected_net_desc',
    }),
  ],
};

export function queriesOf(endpoint: Endpoint, count: number, seed: number): Query[] {
  const random = seededRandom(seed);
  const makers = MAKERS[endpoint];
  return Array.from({ length: count }, (_, i) => {
    const make = makers[i % makers.length];
    return make ? make(random) : {};
  });
}

export function pathOf(endpoint: Endpoint, query: Query): string {
  return `/api/v1/${endpoint}?${new URLSearchParams(query)}`;
}
