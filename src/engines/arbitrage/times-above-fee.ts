import {
  CUMULATIVE_STEPS_PER_PCT,
  LEAST_COVERAGE,
  type LegHours,
  STORED_HOURS,
  WINDOW_DAYS,
} from './hours.ts';

const WINDOW_HOURS = WINDOW_DAYS * 24;
/** An hour is above the fee if it pays more than this share of the four fills: at that rate they are earned back in 30 days. */
const FEE_SHARE = 1 / WINDOW_HOURS;
/** A fee of zero still needs an hour that earns. */
const LEAST_PCT = 1 / CUMULATIVE_STEPS_PER_PCT;
/** Of fewer times a median says little. */
const LEAST_TIMES = 3;

/** How long the settled carry of a pair stayed above the fee in the last 720 hours, for both directions. NaN: too little is known. */
export interface TimesAboveFee {
  /** Median length, in hours, of the times of long A and short B; and of the other direction. */
  medianHours: number;
  medianHoursReversed: number;
  /** How many of these times have ended. */
  times: number;
  timesReversed: number;
  /** Length up to the last hour that both legs know, of the time that has not ended: positive for long A and short B, negative for the other direction. */
  nowHours: number;
}

export const UNKNOWN_TIMES: TimesAboveFee = {
  medianHours: Number.NaN,
  medianHoursReversed: Number.NaN,
  times: Number.NaN,
  timesReversed: Number.NaN,
  nowHours: Number.NaN,
};

/** What an hour is: above the fee for long A and short B, for the other direction, for none, or not known. */
const FORWARD = 1;
const REVERSED = -1;
const NEITHER = 0;
const UNKNOWN = 2;

/** The lengths of one pair; it takes two hours for a time that has ended. */
const forward = new Uint16Array(WINDOW_HOURS / 2);
const reversed = new Uint16Array(WINDOW_HOURS / 2);

/**
 * Long A and short B over the last 720 full hours. A time is counted only if the hours before and after it are known:
 * the length of others is not.
 */
export function timesAboveFee(a: LegHours, b: LegHours, feePct: number, lastHour: number): TimesAboveFee {
  const from = Math.max(STORED_HOURS - WINDOW_HOURS, a.first, b.first);
  const limit = Math.max(feePct * FEE_SHARE, LEAST_PCT);
  const [carryA, carryB] = [a.carry, b.carry];
  let to = Math.min(a.end, b.end);
  while (to > from && Number.isNaN((carryA[to - 1] as number) + (carryB[to - 1] as number))) to--;
  // Both carries are constant between the multiples of the step since 1970.
  const step = Math.min(a.stepHours, b.stepHours);
  const firstHour = lastHour - STORED_HOURS + 1;
  let [unknown, times, timesReversed] = [0, 0, 0];
  let [kind, kindBefore, startedAt] = [UNKNOWN, UNKNOWN, from];
  let blockEnd = from + step - ((firstHour + from) % step);
  for (let place = from; place < to; place = blockEnd, blockEnd += step) {
    const pct = (carryB[place] as number) - (carryA[place] as number);
    const next = pct > limit ? FORWARD : pct < -limit ? REVERSED : Number.isNaN(pct) ? UNKNOWN : NEITHER;
    // The step is one hour where hours are missing.
    if (next === UNKNOWN) unknown++;
    if (next === kind) continue;
    if (kindBefore !== UNKNOWN && next !== UNKNOWN) {
      if (kind === FORWARD) forward[times++] = place - startedAt;
      if (kind === REVERSED) reversed[timesReversed++] = place - startedAt;
    }
    kindBefore = kind;
    kind = next;
    startedAt = place;
  }
  if (to - from - unknown < WINDOW_HOURS * LEAST_COVERAGE) return UNKNOWN_TIMES;
  return {
    medianHours: medianOf(forward.subarray(0, times)),
    medianHoursReversed: medianOf(reversed.subarray(0, timesReversed)),
    times,
    timesReversed,
    nowHours: kind * (to - startedAt),
  };
}

function medianOf(lengths: Uint16Array): number {
  const { length } = lengths;
  if (length < LEAST_TIMES) return Number.NaN;
  lengths.sort();
  return ((lengths[(length - 1) >> 1] as number) + (lengths[length >> 1] as number)) / 2;
}
