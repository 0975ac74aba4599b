import fc from 'fast-check';
import type { MinuteSample } from '../../src/history/samples/model.ts';
import type { ReferenceInput } from './reference.ts';
import { contractsOf, minute, SHORT_RULE, START_MINUTE } from './setting.ts';

/** A few numbers that determine a whole market, so that a failing case is short to report. */
export const marketSeed = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  minutes: fc.integer({ min: 30, max: 320 }),
  contracts: fc.integer({ min: 2, max: 6 }),
  /** How far a venue's price deviates, in percent. */
  deviationPct: fc.constantFrom(0.05, 0.3, 1, 3),
  feePct: fc.constantFrom(0, 0.02, 0.05, 0.2),
  /** Share of the minutes that a contract misses. */
  missing: fc.constantFrom(0, 0.02, 0.3),
  isThin: fc.boolean(),
  /** Prices on a coarse grid make equal exits, and so ties. */
  isCoarse: fc.boolean(),
});

type MarketSeed = typeof marketSeed extends fc.Arbitrary<infer T> ? T : never;

const CONTRACTS = contractsOf([
  ['Alpha', 'BTC', 'USDT'],
  ['Beta', 'BTC', 'USDT'],
  ['Gamma', 'BTC', 'USDC'],
  ['Beta', 'BTC', 'USDC'],
  ['Alpha', 'ETH', 'USDT'],
  ['Beta', 'ETH', 'USDT'],
]);

export function market(from: MarketSeed): ReferenceInput {
  const random = generator(from.seed);
  const contracts = CONTRACTS.slice(0, from.contracts);
  const deviationsPct = contracts.map(() => 0);
  const samples: MinuteSample[] = [];
  let price = 100;
  let atMinute = START_MINUTE + (from.seed % 60);
  let silentUntil = 0;
  for (let i = 0; i < from.minutes; i++) {
    // The service misses some minutes, and occasionally an hour.
    atMinute += random() < 0.03 ? 1 + Math.floor(random() * (random() < 0.1 ? 70 : 6)) : 1;
    price *= 1 + (random() - 0.5) * 0.01;
    if (random() < 0.01) silentUntil = atMinute + 30;
    const prices: Record<number, number[]> = {};
    for (const [c, contract] of contracts.entries()) {
      const deviation = deviationsPct[c] ?? 0;
      deviationsPct[c] =
        random() < 0.03
          ? (random() - 0.5) * 4 * from.deviationPct
          : deviation * 0.97 + (random() - 0.5) * from.deviationPct * 0.2;
      const mid = price * (1 + (deviationsPct[c] ?? 0) / 100);
      const isSilent = c === 0 && atMinute < silentUntil;
      if (isSilent || random() < from.missing) continue;
      prices[contract.id] = sixPrices(mid, random, from);
    }
    samples.push(minute(atMinute, prices));
  }
  const takerFeesPct = { Alpha: from.feePct, Beta: from.feePct * 1.1, Gamma: from.feePct / 3 };
  return { rule: SHORT_RULE, contracts, takerFeesPct, samples };
}

/** Larger sizes fill at worse prices; a thin side cannot fill the largest. */
function sixPrices(mid: number, random: () => number, { isThin, isCoarse }: MarketSeed): number[] {
  const onGrid = (price: number) => (isCoarse ? Math.round(price * 20) / 20 : price);
  const side = (sign: number) => {
    const fills = isThin ? 1 + Math.floor(random() * 3) : 3;
    const offsets = [0.0001, 0.0002, 0.0005].map((offset) => offset * (0.5 + random()));
    return offsets.map((offset, size) => (size < fills ? onGrid(mid * (1 + sign * offset)) : Number.NaN));
  };
  return [...side(1), ...side(-1)];
}

/** A fixed generator, so that a seed gives the same market on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
