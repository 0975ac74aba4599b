import { Agent, request } from 'undici';
import { createLog } from '../../src/base/log.ts';
import { signedUp } from '../../test/oauth/person.ts';
import { filledMarket } from '../../test/web/filled-market.ts';
import { pairPath } from '../../test/web/market-paths.ts';
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

/** Unknown to every operation, so it changes the address and nothing else. */
const anyhow = (round: number) => `round=${round}`;

function pairsOf(pair: string): readonly Pair[] {
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
      name: 'backtest pair',
      page: pair,
      api: ['/api/v1/spreads/backtest?limit=50'],
      other: (round) => `max_profit_pct=${1e6 + round}`,
    },
    {
      name: 'listings',
      page: '/listings',
      api: ['/api/v1/listings?limit=50'],
      other: (round) => `detected_after=${new Date(Date.UTC(2020, 0) + round * 1000).toISOString()}`,
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
      const took = async (
        paths: readonly string[],
        headers: Record<string, string> = { authorization: `Bearer ${key}` },
      ): Promise<number> => {
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
      for (const { name, page, api, other } of pairsOf(await pairPath(market))) {
        for (const { who, isKept, isSignedIn } of WAYS) {
          const times: { page: number[]; api: number[] } = { page: [], api: [] };
          for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
            // The windows of the key are not what is measured.
            if (round % 50 === 0) market.clock.advanceMs(61_000);
            const asked = (path: string) =>
              isKept ? path : `${path}${path.includes('?') ? '&' : '?'}${other(round)}`;
            const [apiMs, pageMs] = [
              await took(api.map(asked)),
              await took([asked(page)], isSignedIn ? { cookie } : {}),
            ];
            if (round < WARM_UP_ROUNDS) continue;
            times.api.push(apiMs);
            times.page.push(pageMs);
          }
          results.push(
            result({
              name: `${name}: the page ${who}`,
              value: median(times.page),
              unit: 'ms',
              baseline:
                api.length === 1 ? 'the answer of the API' : `its ${api.length} answers of the API together`,
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
