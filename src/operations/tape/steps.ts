import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import type { TapeSeries } from '../../history/tape/series.ts';
import type { HistoryWindow, WindowRule } from '../funding-history/window.ts';

export const STEPS = ['1m', '5m', '1h', '1d'] as const;
export type Step = (typeof STEPS)[number];

/** The default windows are short enough for a coin that every venue quotes. */
export const STEP_RULES: Readonly<Record<Step, WindowRule & { minutes: number }>> = {
  '1m': { minutes: 1, mostDays: 31, defaultDays: 0.5, of: 'step=1m' },
  '5m': { minutes: 5, mostDays: 92, defaultDays: 2, of: 'step=5m' },
  '1h': { minutes: 60, mostDays: 180, defaultDays: 7, of: 'step=1h' },
  '1d': { minutes: 1440, mostDays: 180, defaultDays: 14, of: 'step=1d' },
};

/** The minutes of the steps that start in a window, both ends included; empty if `toMinute` is before `fromMinute`. */
export interface StepMinutes {
  fromMinute: number;
  toMinute: number;
  stepMinutes: number;
  steps: number;
}

/** The last step may not be over: its minutes are those that have ended by the time that the plan may see. */
export function minutesOf(
  { fromMs, toMs, visibleMs }: Pick<HistoryWindow, 'fromMs' | 'toMs' | 'visibleMs'>,
  step: Step,
): StepMinutes {
  const { minutes: stepMinutes } = STEP_RULES[step];
  const first = Math.ceil(fromMs / MINUTE_MS / stepMinutes);
  const last = Math.floor(toMs / MINUTE_MS / stepMinutes);
  const fromMinute = first * stepMinutes;
  const endedMinute = Math.floor(visibleMs / MINUTE_MS) - 1;
  const toMinute = Math.min((last + 1) * stepMinutes - 1, endedMinute);
  const steps = toMinute < fromMinute ? 0 : Math.floor((toMinute - fromMinute) / stepMinutes) + 1;
  return { fromMinute, toMinute, stepMinutes, steps };
}

/** The minutes of one step, as places in the columns of a series; `end` is not included. */
export interface StepPlaces {
  minute: number;
  first: number;
  end: number;
  /** The last minute that is no gap. */
  last: number;
}

/** The steps of a series that are no gaps, oldest first. */
export function* stepsOf(series: TapeSeries, stepMinutes: number): Generator<StepPlaces> {
  const rates = series.column('ratePct');
  for (let first = 0; first < rates.length; first += stepMinutes) {
    const end = Math.min(first + stepMinutes, rates.length);
    let last = end - 1;
    while (last >= first && Number.isNaN(rates[last])) last--;
    if (last >= first) yield { minute: series.fromMinute + first, first, end, last };
  }
}

export interface StepFigure {
  last: number | null;
  low: number | null;
  high: number | null;
}

/** The last known number of some places, the lowest and the highest; null if none is known. */
export function figureOf(column: Float64Array, first: number, end: number): StepFigure {
  let [last, low, high] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = first; i < end; i++) {
    const value = column[i] as number;
    if (Number.isNaN(value)) continue;
    last = value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Number.isNaN(last) ? { last: null, low: null, high: null } : { last, low, high };
}

const TIMES = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute) =>
  new Date(minute * MINUTE_MS).toISOString().slice(10, 19),
);

/** The ISO times of minutes that follow each other: making each anew would take longer than reading the series. */
export function minuteTexts(): (minute: number) => string {
  let [day, date] = [Number.NaN, ''];
  return (minute) => {
    const ofMinute = Math.floor(minute / TIMES.length);
    if (ofMinute !== day) {
      day = ofMinute;
      date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    }
    return `${date}${TIMES[minute - day * TIMES.length]}Z`;
  };
}
