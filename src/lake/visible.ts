import { DAY_MS } from '../base/times.ts';
import type { Manifest } from './files/manifest.ts';

/** What a plan sees of a lake. */
export interface LakeLimits {
  /** Null: all of it. */
  readonly historyDays: number | null;
  /** Days have to be over for this long. */
  readonly hiddenDays: number;
}

/** The days from which and up to which files are seen, `YYYY-MM-DD`; null without a limit. */
export function visibleDays(
  { historyDays, hiddenDays }: LakeLimits,
  nowMs: number,
): { fromMs: number; toMs: number } {
  const fromMs = historyDays === null ? Number.NEGATIVE_INFINITY : nowMs - historyDays * DAY_MS;
  return { fromMs, toMs: nowMs - hiddenDays * DAY_MS };
}

/** Whether a day is seen, whole or in part. */
export function isVisible(day: string, limits: LakeLimits, nowMs: number): boolean {
  const endMs = Date.parse(day) + DAY_MS;
  const { fromMs, toMs } = visibleDays(limits, nowMs);
  return endMs > fromMs && endMs <= toMs;
}

/** Days without a gap between them, so the chain of what is left is whole. */
export function visiblePart(manifest: Manifest, limits: LakeLimits, nowMs: number): Manifest {
  return { ...manifest, days: manifest.days.filter(({ day }) => isVisible(day, limits, nowMs)) };
}
