import { aprOf } from './units.ts';

/** One contract of a coin: of its venue, the linear one with the largest volume. */
export interface CarryLeg {
  perHourPct: number;
  volumeUsdt: number;
  /** How old the rate is, in minutes; null up to one. */
  oldMinutes: number | null;
}

/** Contracts by venue. */
type Legs<T extends CarryLeg = CarryLeg> = ReadonlyMap<string, T>;

const LEAST_VOLUME_USDT = 1e6;

/** Of equal rates the most traded comes first. */
function byVolume(a: [string, CarryLeg], b: [string, CarryLeg]): number {
  return b[1].volumeUsdt - a[1].volumeUsdt || (a[0] < b[0] ? -1 : 1);
}

/** Without the venues that hardly trade the coin, where two others do: their rates are not to be had. */
export function tradedLegs<T extends CarryLeg>(legs: Legs<T>): Legs<T> {
  const onTime = [...legs].filter(([, { oldMinutes }]) => oldMinutes === null);
  const traded = onTime.filter(([, { volumeUsdt }]) => volumeUsdt >= LEAST_VOLUME_USDT);
  return new Map((traded.length >= 2 ? traded : onTime).sort(byVolume));
}

/** The venues of the lowest and of the highest rate. */
export interface BestCarry {
  long: string;
  short: string;
  aprPct: number;
}

/** Of the rates that are on time; of equal ones the most traded. Null with fewer than two venues. */
export function bestCarry(legs: Legs): BestCarry | null {
  const candidates = [...legs].filter(([, { oldMinutes }]) => oldMinutes === null).sort(byVolume);
  if (candidates.length < 2) return null;
  const best = (sign: 1 | -1) =>
    candidates.reduce((found, one) => (sign * one[1].perHourPct > sign * found[1].perHourPct ? one : found));
  const [[short, high], [long, low]] = [best(1), best(-1)];
  return long === short ? null : { long, short, aprPct: aprOf(high.perHourPct - low.perHourPct) };
}
