import type { LegCodes, PairLayout } from './pairs.ts';

/** Streaks are stored as text, a digit each. */
export const CODE_OF_0 = '0'.charCodeAt(0);

/** The better direction of each pair, and for how many tables it has been that. */
export interface PairStreaks {
  /** 1: long A and short B; 2: long B and short A. */
  direction: Uint8Array;
  /** Consecutive tables with this direction, at most STEADY_PRINTS. 0: no row. */
  streak: Uint8Array;
}

/** One order of the pairs, with their streaks. */
interface OrderedPairs {
  layout: PairLayout;
  codes: LegCodes;
  values: Readonly<Record<keyof LegCodes, readonly string[]>>;
  streaks: PairStreaks;
}

/** A new listing reorders the pairs; copies each pair's streak to its new position. */
export function carryStreaks(from: OrderedPairs, to: OrderedPairs): void {
  const known = new Map<string, number>();
  for (let pair = 0; pair < from.layout.count; pair++)
    if (from.streaks.streak[pair] !== 0) known.set(nameOf(from, pair), pair);
  if (known.size === 0) return;
  for (let pair = 0; pair < to.layout.count; pair++) {
    const before = known.get(nameOf(to, pair));
    if (before === undefined) continue;
    to.streaks.streak[pair] = from.streaks.streak[before] ?? 0;
    to.streaks.direction[pair] = from.streaks.direction[before] ?? 0;
  }
}

function nameOf({ layout, codes, values }: OrderedPairs, pair: number): string {
  const a = layout.legA[pair] ?? 0;
  const b = layout.legB[pair] ?? 0;
  const text = (name: keyof LegCodes, leg: number) => values[name][codes[name][leg] ?? 0] ?? '';
  return `${text('coin', a)} ${text('exchange', a)} ${text('exchange', b)}`;
}
