import { aprOf } from './units.ts';

/** One contract of a coin: of its venue, the linear one with the largest volume. */
export interface CarryLeg {
  perHourPct: number;
  volumeUsdt: number;
  /** How old the rate is, in minutes; null up to one. */
  oldMinutes: number | null;
}

/** Venues that trade less do not set a coin's carry, where two others trade more. */
const LEAST_VOLUME_USDT = 1e6;

/** The contracts that count for highest, lowest and best carry: on time, and traded enough if two are. */
export function carryLegs<T extends CarryLeg>(legs: ReadonlyMap<string, T>): [exchange: string, leg: T][] {
  const onTime = [...legs].filter(([, { oldMinutes }]) => oldMinutes === null);
  const traded = onTime.filter(([, { volumeUsdt }]) => volumeUsdt >= LEAST_VOLUME_USDT);
  return (traded.length >= 2 ? traded : onTime).sort(
    (a, b) => b[1].volumeUsdt - a[1].volumeUsdt || (a[0] < b[0] ? -1 : 1),
  );
}

/** The venues of the lowest and of the highest rate; of equal rates the most traded. */
export interface BestCarry {
  long: string;
  short: string;
  aprPct: number;
}

/** The same on every page that shows the coin; null with fewer than two venues. */
export function bestCarry(legs: ReadonlyMap<string, CarryLeg>): BestCarry | null {
  const candidates = carryLegs(legs);
  if (candidates.length < 2) return null;
  const best = (sign: 1 | -1) =>
    candidates.reduce((found, one) => (sign * one[1].perHourPct > sign * found[1].perHourPct ? one : found));
  const [[short, high], [long, low]] = [best(1), best(-1)];
  return long === short ? null : { long, short, aprPct: aprOf(high.perHourPct - low.perHourPct) };
}
