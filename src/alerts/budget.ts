import { HOUR_MS, isoTime } from '../base/times.ts';
import { type AlertEvent, eventIdOf } from './alert-event.ts';
import type { OutgoingEvent } from './evaluate.ts';
import type { AlertLimits } from './plan-limits.ts';

/** What an account has used of the messages that its plan sends in an hour. */
export interface Budget {
  accountId: string;
  /** The hour begins with its first message. */
  sinceMs: number;
  sent: number;
  /** Events that were left out and that the owner has no report of yet. */
  leftOut: number;
  /** The endpoints that these events were for. */
  endpointIds: readonly string[];
  /** The owner got a report in this hour that events are left out. */
  isReported: boolean;
}

/** One message that says how many events were left out, to every endpoint that would have got them. */
export interface Summary {
  event: AlertEvent;
  accountId: string;
  endpointIds: readonly string[];
}

export function endOf({ sinceMs }: Pick<Budget, 'sinceMs'>): number {
  return sinceMs + HOUR_MS;
}

/** The budget of the present hour: the stored one, or a new one after its end or when the clock was set back. */
export function currentBudget(stored: Budget | null, accountId: string, nowMs: number): Budget {
  if (stored && nowMs >= stored.sinceMs && nowMs < endOf(stored)) return stored;
  return { accountId, sinceMs: nowMs, sent: 0, leftOut: 0, endpointIds: [], isReported: false };
}

/** Takes the events of an account for which there are messages left; the others are only counted. */
export function charge(
  budget: Budget,
  events: readonly OutgoingEvent[],
  { messagesPerHour }: Pick<AlertLimits, 'messagesPerHour'>,
): { budget: Budget; accepted: OutgoingEvent[] } {
  const accepted: OutgoingEvent[] = [];
  let { sent, leftOut } = budget;
  const missed = new Set(budget.endpointIds);
  for (const outgoing of events) {
    const { event, rule } = outgoing;
    if (sent + rule.endpointIds.length <= messagesPerHour) {
      sent += rule.endpointIds.length;
      accepted.push(outgoing);
      continue;
    }
    leftOut += event.kind === 'more' ? Number(event.row.count) : 1;
    for (const id of rule.endpointIds) missed.add(id);
  }
  return { budget: { ...budget, sent, leftOut, endpointIds: [...missed] }, accepted };
}

/**
 * What the owner gets a report of now: at once when the first events of an hour are left out, and at its end of those that followed.
 * Null if there is nothing to tell.
 */
export function tell(
  budget: Budget,
  limits: AlertLimits,
  nowMs: number,
): { budget: Budget; summary: Summary } | null {
  const { accountId, leftOut, endpointIds, isReported } = budget;
  const isOver = nowMs >= endOf(budget);
  if (leftOut === 0 || (isReported && !isOver)) return null;
  const event: AlertEvent = {
    eventId: eventIdOf(accountId, 'limited', String(budget.sinceMs), nowMs),
    ruleId: '',
    kind: 'limited',
    rowKey: '',
    row: { count: leftOut },
    asOfMs: nowMs,
    text: limitedSentence(leftOut, limits, isOver ? null : endOf(budget)),
  };
  const reported = { ...budget, leftOut: 0, endpointIds: [], isReported: true };
  return { budget: reported, summary: { event, accountId, endpointIds } };
}

function limitedSentence(
  count: number,
  { messagesPerHour, waitingMessages }: AlertLimits,
  untilMs: number | null,
): string {
  const events = count === 1 ? '1 more event was' : `${count} more events were`;
  const limits = `your plan sends ${messagesPerHour} messages an hour, and at most ${waitingMessages} may wait`;
  const further =
    untilMs === null
      ? ''
      : ` What follows until ${isoTime(untilMs).slice(11, 19)} UTC is counted and told then.`;
  return `${events} left out: ${limits}.${further}`;
}
