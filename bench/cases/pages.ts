import { Agent, request } from 'undici';
import { createLog } from '../../src/base/log.ts';
import { filledMarket } from '../../test/web/filled-market.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';

interface Pair {
  name: string;
  page: string;
  api: string;
  /** A filter that lets every row pass and is another question each time. */
  other?: (round: number) => string;
}

const PAIRS: readonly Pair[] = [
  {
    name: 'funding',
    page: '/funding',
    api: '/api/v1/funding',
    other: (round) => `max_volume_usdt=${1e15 + round}`,
  },
  { name: 'coin', page: '/funding/BTC', api: '/api/v1/funding/BTC' },
  { name: 'history', page: '/funding/BTC/history', api: '/api/v1/funding/history?coin=BTC' },
  {
    name: 'spreads',
    page: '/spreads',
    api: '/api/v1/spreads',
    other: (round) => `max_spread_pct=${1e6 + round}`,
  },
  {
    name: 'backtest',
    page: '/spreads/backtest',
    api: '/api/v1/spreads/backtest',
    other: (round) => `max_profit_pct=${1e6 + round}`,
  },
  { name: 'listings', page: '/listings', api: '/api/v1/listings' },
  {
    name: 'coins',
    page: '/coins',
    api: '/api/v1/coins',
    other: (round) => `min_volume_usdt=${round / 1e6}`,
  },
  { name: 'exchanges', page: '/exchanges', api: '/api/v1/exchanges' },
];

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
      const took = async (path: string): Promise<number> => {
        const startedMs = performance.now();
        const reply = await request(`${baseUrl}${path}`, {
          dispatcher: agent,
          headers: { authorization: `Bearer ${key}`, 'accept-encoding': ENCODINGS },
        });
        await reply.body.arrayBuffer();
        if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`);
        return performance.now() - startedMs;
      };
      const results: BenchResult[] = [];
      const questions = PAIRS.flatMap(({ name, page, api, other }) => [
        { name, pathsOf: () => [api, page] as const },
        ...(other
          ? [
              {
                name: `${name}, another filter each time`,
                pathsOf: (round: number) =>
                  [`${api}?limit=50&${other(round)}`, `${page}?limit=50&${other(round)}`] as const,
              },
            ]
          : []),
      ]);
      for (const { name, pathsOf } of questions) {
        const times: { page: number[]; api: number[] } = { page: [], api: [] };
        for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
          // The windows of the key are not what is measured.
          if (round % 100 === 0) market.clock.advanceMs(61_000);
          const [api, page] = pathsOf(round);
          const [apiMs, pageMs] = [await took(api), await took(page)];
          if (round < WARM_UP_ROUNDS) continue;
          times.api.push(apiMs);
          times.page.push(pageMs);
        }
        results.push(
          result({
            name: `${name}: the page as a visitor gets it`,
            value: median(times.page),
            unit: 'ms',
            baseline: 'the answer of the API to the same question',
            baselineValue: median(times.api),
            target: { at: 'most', ratio: 2 },
          }),
        );
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
