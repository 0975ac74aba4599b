import { Agent, request } from 'undici';
import { PLANS } from '../../src/accounts/plans.ts';
import { createLog } from '../../src/base/log.ts';
import { type FilledMarket, filledMarket } from '../../test/web/filled-market.ts';
import { carryPath } from '../../test/web/market-paths.ts';
import { type BenchCase, type Figure, median, ratioAtMost } from '../figure.ts';
import { sized } from '../size.ts';

/** A page and the API answers with the data that it shows. */
interface Pair {
  name: string;
  page: string;
  /** Several if the page shows several answers. */
  api: readonly string[];
  /** Answers whose data is on the page, but that the filters of the page do not change: the same URL in every round. */
  fixed?: readonly string[];
  /** A filter that lets every row pass and differs in every round, for page and API. */
  other: (round: number) => string;
}

const MOST_RATIO = 3;
const ROUNDS = sized(300, 30, 2);
const WARM_UP_ROUNDS = sized(60, 10, 1);
/** Starts a new minute window of the key, so that rate limits do not disturb the measurement. */
const WINDOW_MS = 61_000;
/** The Accept-Encoding of a browser. */
const ENCODINGS = 'gzip, deflate, br, zstd';

/** No operation reads it, so it changes the address and nothing else. */
const anyhow = (round: number) => `round=${round}`;

/** The venues that the pages of BTC draw: the five with the largest volume. */
const BTC_VENUES = ['Binance', 'Bybit', 'OKX', 'Hyperliquid', 'Kraken'];
/** Visitors see the payments of seven days. The operation answers one venue at a time. */
const BTC_PAYMENTS = BTC_VENUES.map(
  (venue) => `/api/v1/funding/history?coin=BTC&exchange=${venue}&resolution=settlement&days=7`,
);

/**
 * What a client has to request for the data of each page. Left out, though the pages show them: the lines of the last seven
 * days in rows of funding and arbitrage (one request for each contract), and figures over all contracts above a list.
 */
function pairsOf(listedCoins: string, carry: string, month: string): readonly Pair[] {
  return [
    {
      name: 'home',
      page: '/',
      api: [
        '/api/v1/funding?limit=10',
        '/api/v1/coins?limit=10',
        '/api/v1/funding?limit=10&sort=apr_desc&min_volume_usdt=1000000&is_inverse=false',
        '/api/v1/funding?limit=10&sort=apr_asc&min_volume_usdt=1000000&is_inverse=false',
        '/api/v1/spreads?limit=10&min_strength=4',
        '/api/v1/listings?limit=10&days_ahead=30',
      ],
      other: anyhow,
    },
    {
      name: 'funding matrix',
      page: '/funding',
      // Fifty coins on every venue: more contracts than one answer has.
      api: ['/api/v1/funding?limit=500&is_inverse=false', '/api/v1/coins?limit=50'],
      other: (round) => `max_volume_usdt=${1e11 + round}`,
    },
    {
      name: 'funding table',
      page: '/funding?view=table&min_volume_usdt=0',
      api: ['/api/v1/funding?limit=50&sort=apr_desc'],
      other: (round) => `max_volume_usdt=${1e11 + round}`,
    },
    {
      name: 'coin',
      page: '/funding/BTC',
      api: ['/api/v1/funding/BTC'],
      // The chart of what funding really paid.
      fixed: BTC_PAYMENTS,
      other: (round) => `min_volume_usdt=${round / 1e6}`,
    },
    {
      name: 'history',
      page: '/funding/BTC/history',
      // The chart and every figure are days; sums, highest and lowest are of single payments.
      api: [`/api/v1/funding/history?coin=BTC&days=7&exchange=${BTC_VENUES.join(',')}`, ...BTC_PAYMENTS],
      other: (round) => `limit=${1000 + round}`,
    },
    {
      name: 'arbitrage',
      page: '/arbitrage?min_possible_capacity_usd=0',
      api: ['/api/v1/arbitrage?limit=50'],
      other: (round) => `max_net_apr_pct=${1e6 + round}`,
    },
    {
      name: 'arbitrage pair',
      page: carry.replace('/api/v1/arbitrage/history', '/arbitrage/pair'),
      api: [carry],
      other: anyhow,
    },
    {
      name: 'venue',
      page: '/exchanges/Binance',
      api: ['/api/v1/funding?exchange=Binance&sort=volume_desc&limit=50', '/api/v1/exchanges'],
      other: anyhow,
    },
    {
      name: 'spreads',
      page: '/spreads',
      api: ['/api/v1/spreads?limit=50'],
      other: (round) => `max_spread_pct=${1e6 + round}`,
    },
    {
      name: 'backtest',
      page: '/spreads/backtest',
      api: ['/api/v1/spreads/backtest?limit=50'],
      other: (round) => `max_profit_pct=${1e6 + round}`,
    },
    {
      name: 'listings',
      page: '/listings',
      // The table, and the calendar of the month.
      api: ['/api/v1/listings?limit=50', `/api/v1/listings?limit=100&sort=effective_asc&${month}`],
      // Changes the calendar too; other filters do not.
      other: (round) => `coin=${listedCoins},X${round}`,
    },
    {
      name: 'coins',
      page: '/coins',
      api: ['/api/v1/coins?limit=50'],
      // Average, highest, lowest and best carry of each coin: as for the matrix.
      fixed: ['/api/v1/funding?limit=500&is_inverse=false'],
      other: (round) => `min_volume_usdt=${round / 1e6}`,
    },
    { name: 'exchanges', page: '/exchanges', api: ['/api/v1/exchanges'], other: anyhow },
  ];
}

/** CPU time of a page for a visitor beside that of the API's answers with the same data, over HTTP, in turns; medians. */
async function run(): Promise<Figure[]> {
  const market = await filledMarket({
    serviceOptions: { log: createLog('silent') },
    // The pages are measured, not counted.
    settings: { FREE_PAGES_PER_MINUTE: '100000' },
  });
  const agent = new Agent({ connections: 1, pipelining: 1 });
  const { baseUrl } = market.service;
  const authorization = `Bearer ${market.keys.business}`;
  const cpuMsOf = async (paths: readonly string[], headers: Record<string, string>): Promise<number> => {
    const before = process.cpuUsage();
    for (const path of paths) {
      const reply = await request(`${baseUrl}${path}`, {
        dispatcher: agent,
        headers: { ...headers, 'accept-encoding': ENCODINGS },
      });
      await reply.body.arrayBuffer();
      if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const figures: Figure[] = [];
  try {
    const carry = (await carryPath(market)).replace('/arbitrage/pair', '/api/v1/arbitrage/history');
    for (const pair of pairsOf(await coinsOfListings(market), carry, monthOf(market))) {
      for (const isCached of [true, false]) {
        const times: { page: number[]; api: number[] } = { page: [], api: [] };
        let counted = Number.POSITIVE_INFINITY;
        for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
          const queried = (path: string) =>
            isCached ? path : `${path}${path.includes('?') ? '&' : '?'}${pair.other(round)}`;
          const api = [...pair.api.map(queried), ...(pair.fixed ?? [])];
          counted += api.length;
          if (counted > PLANS.business.requestsPerMinute) {
            market.clock.advanceMs(WINDOW_MS);
            counted = api.length;
          }
          const apiMs = await cpuMsOf(api, { authorization });
          const pageMs = await cpuMsOf([queried(pair.page)], {});
          if (round < WARM_UP_ROUNDS) continue;
          times.api.push(apiMs);
          times.page.push(pageMs);
        }
        const answers = pair.api.length + (pair.fixed?.length ?? 0);
        figures.push({
          name: `${pair.name}, ${isCached ? 'cached' : 'a new query each time'}`,
          value: median(times.page),
          unit: 'ms of CPU',
          baseline: { name: `${answers} answers of the API`, value: median(times.api) },
          ...(isCached ? {} : { target: ratioAtMost(MOST_RATIO) }),
        });
      }
    }
  } finally {
    await agent.close();
    await market.stop();
  }
  return figures;
}

/** The days of this month, which the calendar shows. */
function monthOf({ clock }: FilledMarket): string {
  const now = new Date(clock.nowMs());
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return `from=${day(now.getUTCMonth(), 1)}&to=${day(now.getUTCMonth() + 1, 0)}`;
}

async function coinsOfListings(market: FilledMarket): Promise<string> {
  const { data } = (await market.get('/api/v1/listings')).body as { data: { coin: string }[] };
  // A list filter takes at most twenty values, and the caller adds one more.
  return [...new Set(data.map(({ coin }) => coin))].slice(0, 19).join(',');
}

export const bench: BenchCase = { run };
