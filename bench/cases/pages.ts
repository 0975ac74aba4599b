import { Agent, request } from 'undici';
import { PLANS } from '../../src/accounts/plans.ts';
import { createLog } from '../../src/base/log.ts';
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
  /** A filter that lets every row pass and differs in every round, for page and API. */
  other: (round: number) => string;
}

/** A page whose expensive part stays cached whatever the filter, so each of its variants is requested only once. */
interface Passing {
  name: string;
  /** The variants that exist now. */
  variants: () => Promise<readonly Pick<Pair, 'page' | 'api'>[]>;
}

/** No operation reads it, so it changes the address and nothing else. */
const anyhow = (round: number) => `round=${round}`;

function pairsOf(listedCoins: string, carry: string): readonly Pair[] {
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
      other: (round) => `min_volume_usdt=${round / 1e6}`,
    },
    {
      name: 'history',
      page: '/funding/BTC/history',
      api: ['/api/v1/funding/history?coin=BTC&days=7'],
      other: (round) => `limit=${1000 + round}`,
    },
    {
      name: 'arbitrage',
      page: '/arbitrage?min_capacity_usd=0',
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
      api: ['/api/v1/listings?limit=50'],
      // Changes the calendar too; other filters do not.
      other: (round) => `coin=${listedCoins},X${round}`,
    },
    {
      name: 'coins',
      page: '/coins',
      api: ['/api/v1/coins?limit=50'],
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
const ROUNDS = sized(300, 60, 2);
const WARM_UP_ROUNDS = sized(60, 20, 1);
/** Starts a new minute window of the key, so that rate limits do not disturb the measurement. */
const WINDOW_MS = 61_000;
/** The Accept-Encoding of a browser. */
const ENCODINGS = 'gzip, deflate, br, zstd';

/** CPU time of a page beside that of the API's answer to the same query, over HTTP, in turns; medians. */
export const cases: BenchCase[] = [
  {
    name: 'pages',
    isOneCore: true,
    quickSeconds: 14,
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
      // The pair last: it has too few variants to warm up the server.
      for (const pair of [
        ...pairsOf(await coinsOfListings(market), await carryQuery(market)),
        passingPair(market),
      ]) {
        for (const { who, isKept, isSignedIn } of WAYS) {
          market.clock.advanceMs(WINDOW_MS);
          const asks = await variantsOf(pair, isKept);
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
async function variantsOf(
  pair: Pair | Passing,
  isKept: boolean,
): Promise<readonly Pick<Pair, 'page' | 'api'>[]> {
  const everyRound = Array.from({ length: ROUNDS + WARM_UP_ROUNDS }, (_, round) => round);
  if ('variants' in pair) {
    const variants = await pair.variants();
    const [first] = variants;
    if (!first) throw new Error(`${pair.name}: there is no variant to request`);
    return isKept ? everyRound.map(() => first) : variants;
  }
  return everyRound.map((round) => {
    const queried = (path: string) =>
      isKept ? path : `${path}${path.includes('?') ? '&' : '?'}${pair.other(round)}`;
    return { page: queried(pair.page), api: pair.api.map(queried) };
  });
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

/** The chart of every pair and size that a visitor finds on the list now, with the API query for its row. */
function passingPair({ service: { baseUrl } }: FilledMarket): Passing {
  return {
    name: 'backtest pair',
    variants: async () => {
      const found: Pick<Pair, 'page' | 'api'>[] = [];
      for (const size of SIZES_USD) {
        const list = await (await request(`${baseUrl}/spreads/backtest?size_usd=${size}`)).body.text();
        const links = list.matchAll(/href="([^"]*[?;]exchange_a=[^"]*)"/g);
        for (const href of new Set([...links].map(([, link = '']) => link))) {
          const page = href.replaceAll('&amp;', '&');
          const named = (name: string) => new URL(page, baseUrl).searchParams.get(name);
          const pair = `coin=${named('coin')}&exchange=${named('exchange_a')},${named('exchange_b')}`;
          found.push({
            page,
            api: [`/api/v1/spreads/backtest?size_usd=${size}&${pair}&exchange_match=all`],
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
