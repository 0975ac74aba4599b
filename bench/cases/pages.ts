import { Agent, request } from 'undici';
import { createLog } from '../../src/base/log.ts';
import { SIZES_USD } from '../../src/history/samples.ts';
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
  /** Where such a filter would leave the dear part kept: questions that are each asked once. */
  once?: () => Promise<readonly { page: string; api: string }[]>;
}

/** Unknown to every operation, so it changes the address and nothing else. */
const anyhow = (round: number) => `round=${round}`;

function pairsOf(
  listedCoins: string,
  chart: { page: string; api: string },
  once: Required<Pair>['once'],
): readonly Pair[] {
  return [
    {
      name: 'backtest pair',
      page: chart.page,
      api: [chart.api],
      other: anyhow,
      once,
    },
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
      // Asked for when they are needed: which pairs visitors may see changes with time.
      const charts = () => chartQuestions(market);
      const [chart] = await charts();
      if (!chart) throw new Error('the backtest has no row for visitors');
      const pairs = pairsOf(await coinsOfListings(market), chart, charts);
      for (const { name, page, api, other, once } of pairs) {
        for (const { who, isKept, isSignedIn } of WAYS) {
          const times: { page: number[]; api: number[] } = { page: [], api: [] };
          const asksOnce = isKept ? undefined : await once?.();
          const rounds = asksOnce?.length ?? ROUNDS + WARM_UP_ROUNDS;
          const warmUp = asksOnce ? Math.floor(rounds / 3) : WARM_UP_ROUNDS;
          for (let round = 0; round < rounds; round++) {
            // The windows of the key are not what is measured.
            if (round % 40 === 0) market.clock.advanceMs(61_000);
            const asked = (path: string) =>
              isKept ? path : `${path}${path.includes('?') ? '&' : '?'}${other(round)}`;
            const [apiMs, pageMs] = [
              await took(asksOnce ? [asksOnce[round]?.api ?? ''] : api.map(asked)),
              await took([asksOnce?.[round]?.page ?? asked(page)], isSignedIn ? { cookie } : {}),
            ];
            if (round < warmUp) continue;
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

async function coinsOfListings(market: FilledMarket): Promise<string> {
  const { data } = (await market.get('/api/v1/listings')).body as { data: { coin: string }[] };
  // A list filter takes twenty values, and one more is added.
  return [...new Set(data.map(({ coin }) => coin))].slice(0, 19).join(',');
}

/** Every pair and size that visitors may see, with the question for its row. */
async function chartQuestions(market: FilledMarket): Promise<{ page: string; api: string }[]> {
  const questions: { page: string; api: string }[] = [];
  for (const size of SIZES_USD) {
    const path = `/api/v1/spreads/backtest?size_usd=${size}`;
    const { data } = (await market.get(path, { plan: 'demo' })).body as {
      data: { spreads: Record<'coin' | 'exchange_a' | 'exchange_b', string>[] };
    };
    for (const { coin, exchange_a, exchange_b } of data.spreads) {
      const query = new URLSearchParams({ coin, exchange_a, exchange_b, size_usd: String(size) });
      questions.push({
        page: `/spreads/backtest/pair?${query}`,
        api: `${path}&coin=${coin}&exchange=${exchange_a},${exchange_b}&exchange_match=all`,
      });
    }
  }
  return questions;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
