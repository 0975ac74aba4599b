import { MINUTE_MS, SECOND_MS } from '../base/times.ts';
import type { Watch, WatchedList } from './rule-book.ts';

/** A snapshot to evaluate. */
export interface DueSnapshot {
  asOfMs: number;
  isNewest: boolean;
  /** Was evaluated already: only watches that have not been compared with any snapshot need it. */
  isRepeated: boolean;
}

/** After a pause, the snapshots of at most this time before the newest are evaluated. All sources hold them. */
export const MAX_REPLAY_MS = 20 * MINUTE_MS;
/** A stored time further ahead than this was written by a clock that was wrong. */
const MAX_AHEAD_MS = 60 * SECOND_MS;

/** The first snapshot of a source that was not evaluated yet; null if there is none. `doneMs` is the last that was, or 0. */
export function dueSnapshot(
  lists: readonly WatchedList[],
  doneMs: number,
  nowMs: number,
): DueSnapshot | null {
  const [first] = lists;
  const newestMs = first?.question.newestAsOfMs(nowMs) ?? null;
  if (!first || newestMs === null) return null;
  const newest = { asOfMs: newestMs, isNewest: true, isRepeated: false };
  if (doneMs === 0 || doneMs > nowMs + MAX_AHEAD_MS) return newest;
  if (newestMs < doneMs) return null;
  // A rule that is new on a list that stands still, such as a quiet calendar, needs its first comparison too.
  if (newestMs === doneMs) return lists.some(hasNewWatch) ? { ...newest, isRepeated: true } : null;
  const neededMs = Math.max(doneMs, firstNeededMs(lists), newestMs - MAX_REPLAY_MS);
  const asOfMs = first.question.nextAsOfMs(neededMs, nowMs);
  return asOfMs === null || asOfMs >= newestMs ? newest : { asOfMs, isNewest: false, isRepeated: false };
}

/** Whether the snapshot was published after the rules of the watch were made, so that it can be their start. */
export function canStartAt({ rules, list }: Watch, { asOfMs, isNewest }: DueSnapshot): boolean {
  return isNewest || [...rules].some(({ rule }) => isSince(rule.sinceMs, list, asOfMs));
}

export function isSince(sinceMs: number, { question }: WatchedList, asOfMs: number): boolean {
  return asOfMs + question.delaySeconds * SECOND_MS >= sinceMs;
}

export function hasNewWatch({ watches }: WatchedList): boolean {
  return watches.values().some(({ isNew }) => isNew);
}

/** Where all rules are new, what was published before them need not be evaluated. */
function firstNeededMs(lists: readonly WatchedList[]): number {
  let neededMs = Number.POSITIVE_INFINITY;
  for (const { watches, question } of lists)
    for (const { isNew, rules } of watches.values()) {
      if (!isNew) return 0;
      for (const { rule } of rules)
        neededMs = Math.min(neededMs, rule.sinceMs - question.delaySeconds * SECOND_MS - 1);
    }
  return neededMs;
}
