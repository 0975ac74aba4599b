import {
  CUMULATIVE_STEPS_PER_PCT,
  LEAST_COVERAGE,
  type LegHours,
  STORED_HOURS,
  WINDOW_DAYS,
} from './hours.ts';

const WINDOW_HOURS = WINDOW_DAYS * 24;
const WINDOW_START = STORED_HOURS - WINDOW_HOURS;
const LEAST_HOURS = WINDOW_HOURS * LEAST_COVERAGE;
/** Less than this an hour counts as nothing: two equal rates of different intervals are rounded differently. */
const ZERO_PCT = 1 / CUMULATIVE_STEPS_PER_PCT;

/** What 30 days of settled carry say about a pair, for both directions. NaN: too little is known. */
export interface PairHistory {
  /** Share of the hours, in percent, in which long A and short B earned; and in which it paid. */
  positivePct: number;
  negativePct: number;
  /** Carry of the worst and of the best UTC day for long A and short B. */
  worstDayPct: number;
  bestDayPct: number;
  /** Largest fall of the cumulative carry from a peak, and largest rise from a low. */
  maxDrawdownPct: number;
  maxRisePct: number;
  /** Mean of the absolute carry of an hour, in percent. */
  meanAbsolutePct: number;
}

const NOTHING = Number.NaN;
export const UNKNOWN_HISTORY: PairHistory = {
  positivePct: NOTHING,
  negativePct: NOTHING,
  worstDayPct: NOTHING,
  bestDayPct: NOTHING,
  maxDrawdownPct: NOTHING,
  maxRisePct: NOTHING,
  meanAbsolutePct: NOTHING,
};

interface Walk {
  known: number;
  positive: number;
  negative: number;
  fallPct: number;
  risePct: number;
  absolutePct: number;
}

/** Long A and short B over the last 720 full hours. Hours that one of the legs does not know are left out. */
export function pairHistory(a: LegHours, b: LegHours, lastHour: number): PairHistory {
  const from = Math.max(WINDOW_START, a.first, b.first);
  const to = Math.min(a.end, b.end);
  if (to - from < LEAST_HOURS) return UNKNOWN_HISTORY;
  const walk =
    a.cumulative && b.cumulative
      ? walkCumulative(a.cumulative, b.cumulative, from, to, Math.min(a.stepHours, b.stepHours), lastHour)
      : walkHours(a.carry, b.carry, from, to);
  if (walk.known < LEAST_HOURS) return UNKNOWN_HISTORY;
  return {
    positivePct: (walk.positive / walk.known) * 100,
    negativePct: (walk.negative / walk.known) * 100,
    ...extremeDays(a.days, b.days),
    maxDrawdownPct: walk.fallPct,
    maxRisePct: walk.risePct,
    meanAbsolutePct: walk.absolutePct / walk.known,
  };
}

/** The state of a walk: total, peak, low, fall, rise, then the hours that earned and that paid. */
const state = new Int32Array(7);
/** Of the walk: the sum of the absolute carry, which may be more than 32 bits hold. */
const absolute = new Float64Array(1);

/** Without missing hours: the cumulative carry in steps of several hours, where both carries are constant in between. */
function walkCumulative(
  a: Int32Array,
  b: Int32Array,
  from: number,
  to: number,
  stepHours: number,
  lastHour: number,
): Walk {
  const start = ((b[from] as number) - (a[from] as number)) | 0;
  state.fill(0);
  absolute[0] = 0;
  state.fill(start, 0, 3);
  // Prints settle at multiples of the step since 1970: shorter steps lead there, and from the last one to the end.
  const firstHour = lastHour - STORED_HOURS + 1;
  const stepsFrom = Math.min(to, from + ((stepHours - ((firstHour + from) % stepHours)) % stepHours));
  const stepsTo = stepsFrom + Math.floor((to - stepsFrom) / stepHours) * stepHours;
  advance(a, b, from, stepsFrom, 1);
  advance(a, b, stepsFrom, stepsTo, stepHours);
  advance(a, b, stepsTo, to, 1);
  return {
    known: to - from,
    positive: state[5] as number,
    negative: state[6] as number,
    fallPct: (state[3] as number) / CUMULATIVE_STEPS_PER_PCT,
    risePct: (state[4] as number) / CUMULATIVE_STEPS_PER_PCT,
    absolutePct: (absolute[0] as number) / CUMULATIVE_STEPS_PER_PCT,
  };
}

/**
 * Minimum and maximum are computed from sign bits instead of comparisons: the sign of a carry is hard to predict, and
 * with branches the pairs of a whole market take three times as long.
 */
function advance(a: Int32Array, b: Int32Array, from: number, to: number, step: number): void {
  let total = state[0] as number;
  let peak = state[1] as number;
  let low = state[2] as number;
  let fall = state[3] as number;
  let rise = state[4] as number;
  let [positive, negative, difference, moved] = [0, 0, 0, 0];
  for (let place = from + step; place <= to; place += step) {
    const now = ((b[place] as number) - (a[place] as number)) | 0;
    const gained = (now - total) | 0;
    total = now;
    moved += Math.abs(gained);
    // Adds 1 if more, or less, than one millionth of a percent an hour was gained.
    positive = (positive + ((step - gained) >>> 31)) | 0;
    negative = (negative + ((gained + step) >>> 31)) | 0;
    difference = (peak - total) | 0;
    peak = (peak - (difference & (difference >> 31))) | 0;
    difference = (total - low) | 0;
    low = (low + (difference & (difference >> 31))) | 0;
    difference = (fall - ((peak - total) | 0)) | 0;
    fall = (fall - (difference & (difference >> 31))) | 0;
    difference = (rise - ((total - low) | 0)) | 0;
    rise = (rise - (difference & (difference >> 31))) | 0;
  }
  state[0] = total;
  state[1] = peak;
  state[2] = low;
  state[3] = fall;
  state[4] = rise;
  absolute[0] = (absolute[0] as number) + moved;
  state[5] = (state[5] as number) + positive * step;
  state[6] = (state[6] as number) + negative * step;
}

/** The plain walk, for contracts with missing hours or an enormous carry. */
function walkHours(a: Float32Array, b: Float32Array, from: number, to: number): Walk {
  const walk: Walk = { known: 0, positive: 0, negative: 0, fallPct: 0, risePct: 0, absolutePct: 0 };
  let [total, peak, low] = [0, 0, 0];
  for (let place = from; place < to; place++) {
    const pct = (b[place] as number) - (a[place] as number);
    if (Number.isNaN(pct)) continue;
    walk.known++;
    if (pct > ZERO_PCT) walk.positive++;
    if (pct < -ZERO_PCT) walk.negative++;
    walk.absolutePct += Math.abs(pct);
    total += pct;
    peak = Math.max(peak, total);
    low = Math.min(low, total);
    walk.fallPct = Math.max(walk.fallPct, peak - total);
    walk.risePct = Math.max(walk.risePct, total - low);
  }
  return walk;
}

function extremeDays(a: Float64Array, b: Float64Array): Pick<PairHistory, 'worstDayPct' | 'bestDayPct'> {
  let [worst, best] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let day = 0; day < a.length; day++) {
    const pct = (b[day] as number) - (a[day] as number);
    // A comparison with NaN is false, so a day that one leg does not know is left out.
    if (pct < worst) worst = pct;
    if (pct > best) best = pct;
  }
  return worst <= best
    ? { worstDayPct: worst, bestDayPct: best }
    : { worstDayPct: NOTHING, bestDayPct: NOTHING };
}
