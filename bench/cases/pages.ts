import { Agent, request } from 'undici';
import { PLANS } from '../../src/accounts/plans.ts';
import { createLog } from '../../src/base/log.ts';
import { gridOf } from '../../src/doors/web/pages/listings/calendar-grid.ts';
import { SIZES_USD } from '../../src/history/samples/model.ts';
import { signedUp } from '../../test/oauth/person.ts';
import { type FilledMarket, filledMarket } from '../../test/web/filled-market.ts';
import { carryPath } from '../../test/web/market-paths.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
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

/** One request for a page, and those for the answers with its data. */
interface Asks {
  page: string;
  api: readonly string[];
}

/** A page of which there are several, by their parameters. */
interface Several {
  name: string;
  /** Those that exist now. */
  pairs: () => Promise<readonly Pick<Pair, 'page' | 'api'>[]>;
}

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

/** Who requests the page, and whether the answer is cached. */
const WAYS = [
  { who: 'for a visitor, cached', isKept: true, isSignedIn: false },
  { who: 'for a visitor, another query each time', isKept: false, isSignedIn: false },
  { who: 'for a signed-in user, cached', isKept: true, isSignedIn: true },
] as const;
const ROUNDS = sized(300, 20, 2);
const WARM_UP_ROUNDS = sized(60, 10, 1);
/** Starts a new minute window of the key, so that rate limits do not disturb the measurement. */
const WINDOW_MS = 61_000;
/** The Accept-Encoding of a browser. */
const ENCODINGS = 'gzip, deflate, br, zstd';

/** CPU time of a page beside that of the API's answer to the same query, over HTTP, in turns; medians. */
export const cases: BenchCase[] = [
  {
    name: 'pages',
    isOneCore: true,
    quickSeconds: 22,
    run: async () => {
      const market = await filledMarket({
        serviceOptions: { log: createLog('silent') },
        // The pages are measured, not counted.
        settings: { FREE_PAGES_PER_MINUTE: '100000' },
      });
      const agent = new Agent({ connections: 1, pipelining: 1 });
      const { baseUrl } = market.service;
      const key = market.keys.business;
      const person = await signedUp(market.service, 'reader@example.com', 'business');
      const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const took = async (paths: readonly string[], headers: Record<string, string>): Promise<number> => {
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
      const results: BenchResult[] = [];
      for (const pair of [
        ...pairsOf(await coinsOfListings(market), await carryQuery(market), monthOf(market)),
        backtestPairs(market),
      ]) {
        for (const { who, isKept, isSignedIn } of WAYS) {
          market.clock.advanceMs(WINDOW_MS);
          const asks = await asksOf(pair, isKept);
          const times: { page: number[]; api: number[] } = { page: [], api: [] };
          let counted = 0;
          for (const [round, { page, api }] of asks.entries()) {
            counted += api.length;
            if (counted > PLANS.business.requestsPerMinute) {
              market.clock.advanceMs(WINDOW_MS);
              counted = api.length;
            }
            const [apiMs, pageMs] = [
              await took(api, { authorization: `Bearer ${key}` }),
              await took([page], isSignedIn ? { cookie } : {}),
            ];
            if (round < Math.min(WARM_UP_ROUNDS, asks.length / 3)) continue;
            times.api.push(apiMs);
            times.page.push(pageMs);
          }
          const answers = asks[0]?.api.length ?? 0;
          results.push(
            result({
              name: `${pair.name}: the page ${who}`,
              value: median(times.page),
              unit: 'ms of CPU',
              baseline:
                answers === 1 ? 'the answer of the API' : `its ${answers} answers of the API together`,
              baselineValue: median(times.api),
              target: { at: 'most', ratio: 2 },
            }),
          );
        }
      }
      await agent.close();
      await market.stop();
      return results;
    },
  },
];

/** The same query in every round, or a different one. */
async function asksOf(pair: Pair | Several, isKept: boolean): Promise<readonly Asks[]> {
  const several = 'pairs' in pair ? await pair.pairs() : [];
  return Array.from({ length: ROUNDS + WARM_UP_ROUNDS }, (_, round) => {
    const asked = 'pairs' in pair ? oneOf(several, pair.name, isKept ? 0 : round) : pair;
    const queried = (path: string) =>
      isKept ? path : `${path}${path.includes('?') ? '&' : '?'}${asked.other(round)}`;
    return { page: queried(asked.page), api: [...asked.api.map(queried), ...(asked.fixed ?? [])] };
  });
}

function oneOf(pairs: readonly Pick<Pair, 'page' | 'api'>[], name: string, round: number): Pair {
  const found = pairs[round % pairs.length];
  if (!found) throw new Error(`${name}: there is none to request`);
  return { name, ...found, other: anyhow };
}

/** The days that the calendar of this month shows. */
function monthOf({ clock }: FilledMarket): string {
  const { from, to } = gridOf('month', new Date(clock.nowMs()).toISOString().slice(0, 10));
  return `from=${from}&to=${to}`;
}

/** The history of a pair that visitors may see. */
async function carryQuery(market: FilledMarket): Promise<string> {
  const page = await carryPath(market);
  return page.replace('/arbitrage/pair', '/api/v1/arbitrage/history');
}

async function coinsOfListings(market: FilledMarket): Promise<string> {
  const { data } = (await market.get('/api/v1/listings')).body as { data: { coin: string }[] };
  // A list filter takes at most twenty values, and the caller adds one more.
  return [...new Set(data.map(({ coin }) => coin))].slice(0, 19).join(',');
}

/** Every pair and size that a visitor finds on the list now: its row of the backtest, and its prices now. */
function backtestPairs({ service: { baseUrl } }: FilledMarket): Several {
  return {
    name: 'backtest pair',
    pairs: async () => {
      const found: Pick<Pair, 'page' | 'api'>[] = [];
      for (const size of SIZES_USD) {
        const list = await (await request(`${baseUrl}/spreads/backtest?size_usd=${size}`)).body.text();
        const links = list.matchAll(/href="([^"]*[?;]exchange_a=[^"]*)"/g);
        for (const href of new Set([...links].map(([, link = '']) => link))) {
          const page = href.replaceAll('&amp;', '&');
          const named = (name: string) => new URL(page, baseUrl).searchParams.get(name);
          const pair = `coin=${named('coin')}&exchange=${named('exchange_a')},${named('exchange_b')}&exchange_match=all`;
          found.push({
            page,
            api: [`/api/v1/spreads/backtest?size_usd=${size}&${pair}`, `/api/v1/spreads?${pair}`],
          });
        }
      }
      return found;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
