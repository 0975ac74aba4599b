import '../../storage/migrations/0120-alert-limits.ts';
import type { Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { type Budget, charge, currentBudget, endOf, type Summary, tell } from '../budget.ts';
import type { OutgoingEvent } from '../evaluate.ts';
import type { AlertLimits } from '../plan-limits.ts';
import { readBudgets, unreportedBudgets, writeBudgets } from './budgets.ts';
import { partsOf } from './parts.ts';
import { dropOldest, waitingByAccount } from './waiting.ts';

export type LimitsOf = (accountId: string) => AlertLimits;

export interface SavedEvents {
  stored: readonly OutgoingEvent[];
  /** Events that were only counted, because their account has used the messages of its plan. */
  leftOut: number;
}

const TOO_MANY = 'dropped: too many messages of this account were waiting';

/** Stores the events that the budgets of their accounts allow, with their deliveries; the others are only counted. */
export async function saveOutgoing(
  trx: Transaction<Schema>,
  events: readonly OutgoingEvent[],
  limitsOf: LimitsOf,
  nowMs: number,
): Promise<SavedEvents> {
  if (events.length === 0) return { stored: [], leftOut: 0 };
  const byAccount = Map.groupBy(events, ({ rule }) => rule.accountId);
  const accountIds = [...byAccount.keys()];
  const before = await readBudgets(trx, accountIds);
  const budgets: Budget[] = [];
  const summaries: Summary[] = [];
  const stored: OutgoingEvent[] = [];
  for (const [accountId, outgoing] of byAccount) {
    const last = before.get(accountId) ?? null;
    const limits = limitsOf(accountId);
    const ended = last && nowMs >= endOf(last) ? tell(last, limits, nowMs) : null;
    if (ended) summaries.push(ended.summary);
    const { budget, accepted } = charge(currentBudget(last, accountId, nowMs), outgoing, limits);
    budgets.push(budget);
    stored.push(...accepted);
  }
  await insertEvents(
    trx,
    stored.map(({ event, rule }) => ({ event, accountId: rule.accountId, endpointIds: rule.endpointIds })),
    nowMs,
  );
  const waiting = await waitingByAccount(trx, accountIds);
  const reported: Budget[] = [];
  for (const charged of budgets) {
    const { accountId } = charged;
    const limits = limitsOf(accountId);
    const over = (waiting.get(accountId) ?? 0) - limits.waitingMessages;
    const budget = over > 0 ? await withDropped(trx, charged, over) : charged;
    const now = tell(budget, limits, nowMs);
    if (now) summaries.push(now.summary);
    reported.push(now?.budget ?? budget);
  }
  await insertEvents(trx, summaries, nowMs);
  await writeBudgets(trx, reported);
  return { stored, leftOut: events.length - stored.length };
}

/** Returns how many waiting messages were dropped. */
export async function settleBudgets(
  trx: Transaction<Schema>,
  limitsOf: LimitsOf,
  { nowMs, mostWaiting }: { nowMs: number; mostWaiting: number },
): Promise<number> {
  const budgets = new Map((await unreportedBudgets(trx, nowMs)).map((budget) => [budget.accountId, budget]));
  const waiting = [...(await waitingByAccount(trx))].sort(([, a], [, b]) => b - a);
  let over = waiting.reduce((sum, [, count]) => sum + count, 0) - mostWaiting;
  let dropped = 0;
  for (const [accountId, count] of waiting) {
    if (over <= 0) break;
    const most = Math.min(over, Math.ceil(count / 2));
    const last = budgets.get(accountId) ?? (await readBudgets(trx, [accountId])).get(accountId) ?? null;
    const budget = last?.leftOut ? last : currentBudget(last, accountId, nowMs);
    budgets.set(accountId, await withDropped(trx, budget, most));
    over -= most;
    dropped += most;
  }
  const reported = [...budgets.values()].map(
    (budget) => [budget, tell(budget, limitsOf(budget.accountId), nowMs)] as const,
  );
  await insertEvents(
    trx,
    reported.flatMap(([, now]) => (now ? [now.summary] : [])),
    nowMs,
  );
  await writeBudgets(
    trx,
    reported.map(([budget, now]) => now?.budget ?? budget),
  );
  return dropped;
}

async function withDropped(trx: Transaction<Schema>, budget: Budget, count: number): Promise<Budget> {
  const dropped = await dropOldest(trx, budget.accountId, count, TOO_MANY);
  return {
    ...budget,
    leftOut: budget.leftOut + new Set(dropped.map(({ eventId }) => eventId)).size,
    endpointIds: [...new Set([...budget.endpointIds, ...dropped.map(({ endpointId }) => endpointId)])],
  };
}

/** An event that is stored already, because an evaluation runs twice, is left as it is. */
async function insertEvents(
  trx: Transaction<Schema>,
  outgoing: readonly Summary[],
  nowMs: number,
): Promise<void> {
  const rows = outgoing.map(({ event, accountId }) => ({
    ...{ event_id: event.eventId, rule_id: event.ruleId, account_id: accountId },
    ...{ kind: event.kind, row_key: event.rowKey, row: JSON.stringify(event.row) },
    ...{ as_of_ms: event.asOfMs, text: event.text, created_at_ms: nowMs },
  }));
  for (const part of partsOf(rows))
    await trx
      .insertInto('alert_events')
      .values(part)
      .onConflict((conflict) => conflict.column('event_id').doNothing())
      .execute();
  const deliveries = outgoing.flatMap(({ event, accountId, endpointIds }) =>
    endpointIds.map((endpointId) => ({
      ...{ event_id: event.eventId, endpoint_id: endpointId, account_id: accountId, reason: null },
      ...{ state: 'waiting' as const, attempts: 0, next_attempt_ms: nowMs, last_attempt_ms: null },
      created_at_ms: nowMs,
    })),
  );
  for (const part of partsOf(deliveries))
    await trx
      .insertInto('alert_deliveries')
      .values(part)
      .onConflict((conflict) => conflict.columns(['event_id', 'endpoint_id']).doNothing())
      .execute();
}
