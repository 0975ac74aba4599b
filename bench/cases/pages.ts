import { Agent, request } from 'undici';
import { PLANS } from '../../src/accounts/plans.ts';
import { createLog } from '../../src/base/log.ts';
import { SIZES_USD } from '../../src/history/samples/model.ts';
import { signedUp } from '../../test/oauth/person.ts';
import { type FilledMarket, filledMarket } from '../../test/web/filled-market.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';

/** A page and the answers of the API that hold what it shows. */
interface Pair {
  name: string;
  page: string;
  /** Several where the page is made of several. */
  api: readonly string[];
  /** A filter that lets every row pass and is another question each time, for page and API. */
  other: (round: number) => string;
}

/** A page that holds for one moment only, where another filter would leave the dear part kept: each is asked once. */
interface Passing {
  name: string;
  /** What can be asked now. */
  questions: () => Promise<readonly Pick<Pair, 'page' | 'api'>[]>;
}

/** Unknown to every operation, so it changes the address and nothing else. */
const anyhow = (round: number) => `round=${round}`;

function pairsOf(listedCoins: string): readonly Pair[] {
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
      name: 'funding',
      page: '/funding',
      api: ['/api/v1/funding?limit=50'],
      other: (round) => `max_volume_usdt=${1e15 + round}`,
    },
    {
      name: 'heat map',
      page: '/funding/heat-map',
      api: ['/api/v1/funding?limit=500'],
      other: (round) => `max_volume_usdt=${1e15 + round}`,
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
      // Changes the calendar too, which other filters leave as it was.
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

/** Who asks for the page, and whether the same was asked before. */
const WAYS = [
  { who: 'as a visitor gets it, asked before', isKept: true, isSignedIn: false },
  { who: 'as a visitor gets it, another question each time', isKept: false, isSignedIn: false },
  { who: 'as somebody who is signed in gets it, asked before', isKept: true, isSignedIn: true },
] as const;
const ROUNDS = 300;
const WARM_UP_ROUNDS = 60;
/** After this the key's minute window is a new one: it is not what is measured. */
const WINDOW_MS = 61_000;
/** What a browser takes. */
const ENCODINGS = 'gzip, deflate, br, zstd';

/** A page beside the API's answer of the same question, over HTTP, by turns; medians. */
export const cases: BenchCase[] = [
  {
    name: 'pages',
    run: async () => {
      const market = await filledMarket({ serviceOptions: { log: createLog('silent') } });
      const agent = new Agent({ connections: 1, pipelining: 1 });
      const { baseUrl } = market.service;
      const key = market.keys.business;
      const person = await signedUp(market.service, 'reader@example.com', 'business');
      const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const took = async (paths: readonly string[], headers: Record<string, string>): Promise<number> => {
        const startedMs = performance.now();
        for (const path of paths) {
          const reply = await request(`${baseUrl}${path}`, {
            dispatcher: agent,
            headers: { ...headers, 'accept-encoding': ENCODINGS },
          });
          await reply.body.arrayBuffer();
          if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`);
        }
        return performance.now() - startedMs;
      };
      const results: BenchResult[] = [];
      // The pair last: it has too few questions to warm the server up.
      for (const pair of [...pairsOf(await coinsOfListings(market)), passingPair(market)]) {
        for (const { who, isKept, isSignedIn } of WAYS) {
          market.clock.advanceMs(WINDOW_MS);
          const asks = await questionsOf(pair, isKept);
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
              unit: 'ms',
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

/** The same question every round, or another one. */
async function questionsOf(
  pair: Pair | Passing,
  isKept: boolean,
): Promise<readonly Pick<Pair, 'page' | 'api'>[]> {
  const everyRound = Array.from({ length: ROUNDS + WARM_UP_ROUNDS }, (_, round) => round);
  if ('questions' in pair) {
    const questions = await pair.questions();
    const [first] = questions;
    if (!first) throw new Error(`${pair.name}: nothing can be asked`);
    return isKept ? everyRound.map(() => first) : questions;
  }
  return everyRound.map((round) => {
    const asked = (path: string) =>
      isKept ? path : `${path}${path.includes('?') ? '&' : '?'}${pair.other(round)}`;
    return { page: asked(pair.page), api: pair.api.map(asked) };
  });
}

async function coinsOfListings(market: FilledMarket): Promise<string> {
  const { data } = (await market.get('/api/v1/listings')).body as { data: { coin: string }[] };
  // A list filter takes twenty values, and one more is added.
  return [...new Set(data.map(({ coin }) => coin))].slice(0, 19).join(',');
}

/** The chart of every pair and size that a visitor finds on the list now, with the question for its row. */
function passingPair({ service: { baseUrl } }: FilledMarket): Passing {
  return {
    name: 'backtest pair',
    questions: async () => {
      const found: Pick<Pair, 'page' | 'api'>[] = [];
      for (const size of SIZES_USD) {
        const list = await (await request(`${baseUrl}/spreads/backtest?size_usd=${size}`)).body.text();
        for (const [, href = ''] of list.matchAll(/<a data-pair href="([^"]*)"/g)) {
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
