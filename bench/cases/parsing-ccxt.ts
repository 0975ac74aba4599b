import { Universe } from '../../sim/contracts.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { observeSim, sendToSim } from '../../test/support/observe.ts';
import { secondOpinion } from '../../test/support/second-opinion.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';

/** Our parser beside ccxt's on the same decoded reply, for calls that both make. */
const COINS = sized(250, 100, 3);
const AT_MS = Date.UTC(2026, 10, 1, 12, 34);
const ROUNDS = sized(25, 8, 1);
const WARM_UP_ROUNDS = sized(5, 2, 1);

const SAME_CALLS = [
  { slug: 'binance', poll: 'usd-m premiumIndex', method: 'fetchFundingRates' },
  { slug: 'bybit', poll: 'linear tickers', method: 'fetchTickers' },
  { slug: 'okx', poll: 'tickers', method: 'fetchTickers' },
  { slug: 'gate', poll: 'usdt tickers', method: 'fetchTickers' },
  { slug: 'bitget', poll: 'usdt tickers', method: 'fetchTickers' },
  { slug: 'kraken', poll: 'tickers', method: 'fetchTickers' },
  { slug: 'hyperliquid', poll: 'metaAndAssetCtxs', method: 'fetchFundingRates' },
  { slug: 'paradex', poll: 'markets/summary', method: 'fetchTickers' },
] as const;

async function beside({ slug, poll: pollName, method }: (typeof SAME_CALLS)[number]): Promise<BenchResult> {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === slug);
  const poll = venue?.polls.find((candidate) => candidate.name === pollName);
  if (!venue || !sim || poll?.kind !== 'bulk') throw new Error(`${slug} has no poll "${pollName}"`);
  const view = viewAt(new Universe(1, COINS), sim.profile, AT_MS);
  const { contracts } = await observeSim(venue, sim, view);

  const send = sendToSim(sim, view);
  const replies = new Map<string, Promise<unknown>>();
  const once = (key: string, get: () => Promise<unknown>) => {
    const reply = replies.get(key) ?? get();
    replies.set(key, reply);
    return reply;
  };
  const { exchange } = await secondOpinion(venue, sim, view);
  const fetched = exchange.fetch.bind(exchange);
  exchange.fetch = (url: string, verb = 'GET', headers = undefined, body = undefined) =>
    once(`ccxt ${url} ${body ?? ''}`, () => fetched(url, verb, headers, body));
  const runs = {
    ours: () =>
      poll.collect({
        contracts,
        send: async (request) => ({
          payload: await once(JSON.stringify(request), async () => (await send(request)).payload),
          receivedAtMs: AT_MS,
        }),
      }),
    ccxt: () => exchange[method](),
  };
  const samples: Record<keyof typeof runs, number[]> = { ours: [], ccxt: [] };
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    for (const name of ['ours', 'ccxt'] as const) {
      const startedMs = performance.now();
      await runs[name]();
      if (round >= WARM_UP_ROUNDS) samples[name].push(performance.now() - startedMs);
    }
  }
  const medianOf = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return result({
    name: `${venue.facts.exchange} ${pollName}, ${view.open.length} contracts: our parser`,
    value: medianOf(samples.ours),
    unit: 'ms',
    baseline: `ccxt ${method} on the same reply`,
    baselineValue: medianOf(samples.ccxt),
    target: { at: 'most', ratio: 0.5 },
  });
}

export const cases: BenchCase[] = [
  {
    name: 'parsing beside ccxt',
    isOneCore: true,
    run: async () => {
      const results: BenchResult[] = [];
      for (const call of SAME_CALLS) results.push(await beside(call));
      return results;
    },
  },
];
