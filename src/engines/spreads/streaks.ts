import { type PairFigures, STEADY_PRINTS } from './figures.ts';
import type { LegCodes, PairLayout } from './pairs.ts';

/** One order of the pairs, with their figures. */
interface OrderedPairs {
  layout: PairLayout;
  codes: LegCodes;
  values: Readonly<Record<keyof LegCodes, readonly string[]>>;
  figures: PairFigures;
}

/** A new listing reorders the pairs; copies each pair's direction streak to its new position. */
export function carryStreaks(from: OrderedPairs, to: OrderedPairs): void {
  const known = new Map<string, number>();
  for (let pair = 0; pair < from.layout.count; pair++)
    if (from.figures.streak[pair] !== 0) known.set(nameOf(from, pair), pair);
  if (known.size === 0) return;
  for (let pair = 0; pair < to.layout.count; pair++) {
    const before = known.get(nameOf(to, pair));
    if (before === undefined) continue;
    to.figures.streak[pair] = from.figures.streak[before] ?? 0;
    to.figures.isLongA[pair] = from.figures.isLongA[before] ?? 0;
  }
}

function nameOf({ layout, codes, values }: OrderedPairs, pair: number): string {
  const a = layout.legA[pair] ?? 0;
  const b = layout.legB[pair] ?? 0;
  const text = (name: keyof LegCodes, leg: number) => values[name][codes[name][leg] ?? 0] ?? '';
  return `${text('coin', a)} ${text('exchange', a)} ${text('exchange', b)}`;
}

/** The streaks of some pairs, one digit each. Most are all steady; those strings are cached by length. */
export function digitsAt(streak: Uint8Array, pairs: Int32Array): string {
  let isAllSteady = true;
  for (let i = 0; i < pairs.length; i++) isAllSteady &&= streak[pairs[i] as number] === STEADY_PRINTS;
  if (isAllSteady) {
    steadyRuns[pairs.length] ??= String(STEADY_PRINTS).repeat(pairs.length);
    return steadyRuns[pairs.length] as string;
  }
  let digits = '';
  for (let i = 0; i < pairs.length; i++) digits += streak[pairs[i] as number];
  return digits;
}

const steadyRuns: string[] = [];
