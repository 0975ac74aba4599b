import { isoTime } from '../../src/base/times.ts';

/** The stored prints of one contract, oldest first. */
export interface StoredPrints {
  exchange: string;
  venueSymbol: string;
  prints: readonly Print[];
}

export interface Print {
  settledAtMs: number;
  ratePct: number;
}

export interface PrintsTruth {
  /** Every settlement of the contract in this range, whether the venue has published it yet or not. */
  prints(exchange: string, venueSymbol: string, fromMs: number, toMs: number): readonly Print[];
  /** The contracts that the venues list now. */
  listed(): readonly { exchange: string; venueSymbol: string; listedAtMs: number }[];
}

/** Checks that each stored print was settled with this rate, and that none is stored twice. */
export function wrongPrints(stored: readonly StoredPrints[], truth: PrintsTruth): string[] {
  const violations: string[] = [];
  for (const { exchange, venueSymbol, prints } of stored) {
    const [first, last] = [prints[0], prints.at(-1)];
    if (!first || !last) continue;
    const settled = new Map(
      truth
        .prints(exchange, venueSymbol, first.settledAtMs, last.settledAtMs)
        .map((print) => [print.settledAtMs, print.ratePct]),
    );
    const name = `${exchange} ${venueSymbol}`;
    let beforeMs = Number.NEGATIVE_INFINITY;
    for (const { settledAtMs, ratePct } of prints) {
      const trueRatePct = settled.get(settledAtMs);
      if (settledAtMs <= beforeMs) violations.push(`doubled print: ${name} at ${isoTime(settledAtMs)}`);
      else if (trueRatePct === undefined)
        violations.push(`wrong print: ${name} did not settle at ${isoTime(settledAtMs)}`);
      else if (trueRatePct !== ratePct)
        violations.push(
          `wrong print: ${name} at ${isoTime(settledAtMs)} is ${ratePct} %, settled were ${trueRatePct} %`,
        );
      beforeMs = settledAtMs;
    }
  }
  return violations;
}

interface GapContext {
  /** Prints that settled from this time on must be stored. */
  fromMs: number;
  /** How long nothing disturbs the venue and the service, before a missing print of it is a violation. */
  graceMsOf(exchange: string): number;
  nowMs: number;
  /** Since when the venue and the service have been undisturbed. */
  undisturbedSinceMs(exchange: string): number;
}

/** Checks that no print is missing that the venue could have filled in. */
export function missingPrints(
  stored: readonly StoredPrints[],
  truth: PrintsTruth,
  { fromMs, graceMsOf, nowMs, undisturbedSinceMs }: GapContext,
): string[] {
  const held = new Map(
    stored.map(({ exchange, venueSymbol, prints }) => [
      `${exchange} ${venueSymbol}`,
      new Set(prints.map(({ settledAtMs }) => settledAtMs)),
    ]),
  );
  const violations: string[] = [];
  for (const { exchange, venueSymbol, listedAtMs } of truth.listed()) {
    const graceMs = graceMsOf(exchange);
    if (nowMs - undisturbedSinceMs(exchange) < graceMs || nowMs - listedAtMs < graceMs) continue;
    const name = `${exchange} ${venueSymbol}`;
    const own = held.get(name);
    for (const { settledAtMs } of truth.prints(exchange, venueSymbol, fromMs, nowMs - graceMs))
      if (!own?.has(settledAtMs)) violations.push(`missing print: ${name} at ${isoTime(settledAtMs)}`);
  }
  return violations;
}
