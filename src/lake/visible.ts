import { DAY_MS, SECOND_MS } from '../base/times.ts';
import { allFiles, type LakeFile, type Manifest, type ManifestDay } from './files/manifest.ts';

/** What a plan sees of a lake: the same as of every other surface. */
export interface LakeLimits {
  /** Null: all of it. */
  readonly historyDays: number | null;
  readonly delaySeconds: number;
}

/** The first day that a plan sees: it lies inside the history of the plan as a whole. */
export function firstVisibleDayMs({ historyDays }: LakeLimits, nowMs: number): number {
  if (historyDays === null) return Number.NEGATIVE_INFINITY;
  return Math.ceil((nowMs - historyDays * DAY_MS) / DAY_MS) * DAY_MS;
}

/** Whether no row of the files of the day is too new for the plan. What they know may be newer than the day. */
export function isOldEnough(
  { day, known_to }: ManifestDay,
  { delaySeconds }: LakeLimits,
  nowMs: number,
): boolean {
  if (delaySeconds === 0) return true;
  const newestMs = Math.max(Date.parse(day) + DAY_MS, Date.parse(known_to));
  return newestMs <= nowMs - delaySeconds * SECOND_MS;
}

/** Whether no row of the file is older than the history of the plan. */
export function isDeepEnough({ from }: LakeFile, limits: LakeLimits, nowMs: number): boolean {
  return Date.parse(from) >= firstVisibleDayMs(limits, nowMs);
}

/** Days without a gap between them. Hidden files of a day stay named, so the chain of what is left is whole. */
export function visiblePart(manifest: Manifest, limits: LakeLimits, nowMs: number): Manifest {
  const firstMs = firstVisibleDayMs(limits, nowMs);
  const days = manifest.days
    .filter((day) => Date.parse(day.day) >= firstMs && isOldEnough(day, limits, nowMs))
    .map((day) => {
      const files = day.files.filter((file) => isDeepEnough(file, limits, nowMs));
      if (files.length === day.files.length) return day;
      const hidden = allFiles(day).filter((file) => !files.includes(file));
      return { ...day, files, beyond_plan: hidden };
    });
  return { ...manifest, days };
}
