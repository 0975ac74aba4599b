import type { BookSide } from './fill-price.ts';

/** Distances from the mid, in basis points, for which a curve has the value that rests there. */
export const BANDS_BP = [1, 2, 5, 10, 25, 50] as const;
export type BandBp = (typeof BANDS_BP)[number];

/** Larger orders are not priced. */
export const LARGEST_VALUE = 300_000;
/** Of one side. A curve that needs more ends there; a book that costs half its price to walk needs about 20. */
export const MAX_POINTS = 24;

/** Levels whose price is further from the mid than this multiple of it are not read: nobody trades there. */
const MAX_DISTANCE = 9;
/** A side of a higher value is wrong: it is more money than there is. */
const MAX_VALUE = 1e15;

const BP_PER_UNIT = 10_000;
/** Larger than the rounding of a limit, so that a price exactly at the limit counts. */
export const LIMIT_SLACK_BP = 1e-6;
/** How much a cost between two points may be too high: as a share of itself, or in basis points. */
const COST_SHARE = 0.018;
const COST_BP = 0.09;

interface SideFigures {
  /** The value of all levels received. */
  receivedValue: number;
  /** How far the levels received reach from the mid, in basis points. */
  reachBp: number;
  /** Value and loss of each point in turn, from the first level on. */
  points: Float32Array;
  /** The value within each of BANDS_BP; NaN beyond the levels received. */
  within: Float64Array;
}

/**
 * What it costs to take one side of a book, in quote units. The loss against the mid grows with the value of the order
 * along a convex line of straight pieces, one per level. The curve has as few of its points as keep it within COST_SHARE
 * or COST_BP; between them it is straight, so a larger order never costs less. It ends with the levels received.
 */
export class SideCurve implements SideFigures {
  readonly receivedValue: number;
  readonly reachBp: number;
  readonly points: Float32Array;
  readonly within: Float64Array;
  readonly #isBuy: boolean;

  constructor({ receivedValue, reachBp, points, within }: SideFigures, isBuy: boolean) {
    this.receivedValue = receivedValue;
    this.reachBp = reachBp;
    this.points = points;
    this.within = within;
    this.#isBuy = isBuy;
  }

  /** Null if the side is empty or invalid: a price or size not above zero, levels out of order, or an absurd value. */
  static of(levels: BookSide, mid: number, isBuy: boolean): SideCurve | null {
    let before = isBuy ? 0 : Number.POSITIVE_INFINITY;
    let [count, value] = [0, 0];
    for (const [price, size] of levels) {
      if (!(price > 0 && size > 0 && Number.isFinite(price) && Number.isFinite(size))) return null;
      if (isBuy ? price < before : price > before) return null;
      before = price;
      if (price - mid > MAX_DISTANCE * mid) continue;
      value += price * size;
      count++;
    }
    if (count === 0 || value > MAX_VALUE) return null;
    return new SideCurve(
      figuresOf(count === levels.length ? levels : levels.slice(0, count), mid, isBuy),
      isBuy,
    );
  }

  /** The value that rests within so many basis points of the mid; NaN if the levels received end before. */
  valueWithin(bandBp: BandBp): number {
    return this.within[BANDS_BP.indexOf(bandBp)] ?? Number.NaN;
  }

  /** The average fill of an order of this value against the mid, in percent; NaN beyond the levels received. */
  costPct(value: number): number {
    return costPctOf(this.points, value, this.#isBuy);
  }
}

function figuresOf(levels: BookSide, mid: number, isBuy: boolean): SideFigures {
  const values = new Float64Array(levels.length);
  const losses = new Float64Array(levels.length);
  const within = new Float64Array(BANDS_BP.length);
  let [value, loss, distanceBp, band] = [0, 0, 0, 0];
  let i = 0;
  for (const [price, size] of levels) {
    distanceBp = (Math.abs(price - mid) / mid) * BP_PER_UNIT;
    while (distanceBp > (BANDS_BP[band] ?? Number.POSITIVE_INFINITY) + LIMIT_SLACK_BP) within[band++] = value;
    value += price * size;
    loss += Math.abs(price - mid) * size;
    values[i] = value;
    losses[i++] = loss;
  }
  within.fill(Number.NaN, band);
  return { receivedValue: value, reachBp: distanceBp, points: thinned(values, losses, isBuy), within };
}

/** The cost of an order of this value by the points of a curve, in percent; NaN beyond the last point. */
export function costPctOf(points: ArrayLike<number>, value: number, isBuy: boolean): number {
  let [fromValue, fromLoss] = [0, 0];
  for (let i = 0; i < points.length; i += 2) {
    const [toValue, toLoss] = [points[i] as number, points[i + 1] as number];
    if (value <= toValue) {
      const loss = fromLoss + ((toLoss - fromLoss) * (value - fromValue)) / (toValue - fromValue);
      return costOf(value, loss, isBuy) * 100;
    }
    [fromValue, fromLoss] = [toValue, toLoss];
  }
  return Number.NaN;
}

/** How far the average price is from the mid, as a share of the mid. What was bought is worth `value - loss` at the mid. */
function costOf(value: number, loss: number, isBuy: boolean): number {
  return loss / (isBuy ? value - loss : value + loss);
}

function lossOf(value: number, cost: number, isBuy: boolean): number {
  return (cost * value) / (isBuy ? 1 + cost : 1 - cost);
}

/** The points that are needed: each is as far from the one before as the straight line between them stays close enough. */
function thinned(values: Float64Array, losses: Float64Array, isBuy: boolean): Float32Array {
  const points = new Float32Array(2 * MAX_POINTS);
  let [count, fromValue, fromLoss, steepest] = [0, 0, 0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < values.length && count < MAX_POINTS; i++) {
    const [value, loss] = [values[i] as number, losses[i] as number];
    const isLast = i === values.length - 1 || value >= LARGEST_VALUE;
    const cost = costOf(value, loss, isBuy);
    const highest = lossOf(value, Math.max(cost * (1 + COST_SHARE), cost + COST_BP / BP_PER_UNIT), isBuy);
    steepest = Math.min(steepest, (highest - fromLoss) / (value - fromValue));
    const [nextValue, nextLoss] = [values[i + 1] ?? 0, losses[i + 1] ?? 0];
    if (!isLast && (nextLoss - fromLoss) / (nextValue - fromValue) <= steepest) continue;
    points[2 * count] = value;
    points[2 * count + 1] = loss;
    count++;
    [fromValue, fromLoss, steepest] = [value, loss, Number.POSITIVE_INFINITY];
    if (isLast) break;
  }
  return points.slice(0, 2 * count);
}
