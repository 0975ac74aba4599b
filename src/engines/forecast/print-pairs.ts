import { DAY_MINUTES } from '../../history/settlements/times.ts';
import type { SettledPrints } from '../arbitrage/hours.ts';
import { ContractDays } from './contract-days.ts';
import type { PairLegs } from './observations.ts';

/** Settled prints of one contract, oldest first. */
export interface ContractPrints extends SettledPrints {
  exchange: string;
  coin: string;
}

export interface PrintPairs {
  pairs: readonly PairLegs[];
  /** The venues of the two legs of each of them. */
  exchanges: readonly (readonly [string, string])[];
  /** How many there are; more than `pairs` has if they were sampled. */
  pairCount: number;
  firstDay: number;
  /** Midnights from the first day on. */
  places: number;
}

/** More pairs than this are sampled: weights are common to all, and errors of so many have a small one of their own. */
export const MOST_PAIRS = 2000;

/** The pairs of contracts on one coin at two venues. Of many pairs, every n-th is taken. */
export function printPairs(contracts: readonly ContractPrints[]): PrintPairs {
  const ofCoins = [...Map.groupBy(contracts, ({ coin }) => coin).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const found: [ContractPrints, ContractPrints][] = [];
  for (const [, group] of ofCoins) {
    const sorted = group.toSorted((a, b) => (a.exchange < b.exchange ? -1 : 1));
    for (const [i, long] of sorted.entries())
      for (const short of sorted.slice(i + 1))
        if (short.exchange !== long.exchange) found.push([long, short]);
  }
  const step = Math.max(1, found.length / MOST_PAIRS);
  const chosen = Array.from(
    { length: Math.min(found.length, MOST_PAIRS) },
    (_, i) => found[Math.floor(i * step)],
  );
  const used = new Set(chosen.flatMap((pair) => pair ?? []));
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { minutes } of used) {
    first = Math.min(first, minutes[0] ?? first);
    last = Math.max(last, minutes[minutes.length - 1] ?? last);
  }
  if (used.size === 0) return { pairs: [], exchanges: [], pairCount: 0, firstDay: 0, places: 0 };
  const [firstDay, lastDay] = [Math.floor(first / DAY_MINUTES), Math.floor(last / DAY_MINUTES)];
  const days = new Map(
    [...used].map((contract) => [contract, new ContractDays(contract, firstDay, lastDay)]),
  );
  const daysOf = (contract: ContractPrints) => days.get(contract) as ContractDays;
  const pairs = chosen.flatMap((pair) => (pair ? [{ long: daysOf(pair[0]), short: daysOf(pair[1]) }] : []));
  const exchanges = chosen.flatMap((pair) => (pair ? [[pair[0].exchange, pair[1].exchange] as const] : []));
  return { pairs, exchanges, pairCount: found.length, firstDay, places: lastDay - firstDay + 1 };
}
