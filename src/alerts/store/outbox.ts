import '../../storage/migrations/0120-alert-limits.ts';
import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/times.ts';
import type { Row } from '../../operations/answer/answer.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AlertEvent, EventKind } from '../alert-event.ts';
import type { Delivery } from '../alerts.ts';

/** An event that waits to be sent to an endpoint. */
export interface WaitingEvent extends AlertEvent {
  createdAtMs: number;
  attempts: number;
}

interface DueEndpoint {
  endpointId: string;
  accountId: string;
}

interface DueOptions {
  busy: readonly string[];
  mostOfAccount: number;
  most: number;
}

export type DeliveryResult =
  | { state: 'delivered' }
  | { state: 'failed'; reason: string }
  | { state: 'waiting'; reason: string; nextAttemptMs: number };

export interface Outbox {
  /**
   * Endpoints with an event that is due, except those that are served now. Accounts take turns: the endpoint of each that
   * waits longest comes first, then the second of each.
   */
  dueEndpoints(options: DueOptions): Promise<DueEndpoint[]>;
  /** The events of an endpoint, oldest first. `isAll`: also those that are not due yet. */
  waiting(endpointId: string, most: number, isAll: boolean): Promise<WaitingEvent[]>;
  waitingCount(): Promise<number>;
  /** Stores the result of an attempt. */
  record(endpointId: string, eventIds: readonly string[], result: DeliveryResult): Promise<void>;
  /** Postpones all waiting events of an endpoint without counting an attempt. */
  postpone(endpointId: string, untilMs: number): Promise<void>;
  /** Fails all waiting events of an endpoint. */
  giveUp(endpointId: string, reason: string): Promise<void>;
  /** Newest first. */
  deliveries(accountId: string, ruleId: string | null, most: number): Promise<Delivery[]>;
  /** Deletes events that are older than a week, with their deliveries. */
  sweep(): Promise<void>;
}

const RETENTION_MS = 7 * DAY_MS;

export function openOutbox({ db }: Storage, clock: Clock): Outbox {
  return {
    dueEndpoints: async ({ busy, mostOfAccount, most }) => {
      const due = db
        .selectFrom('alert_deliveries')
        .select(({ fn }) => ['account_id', 'endpoint_id', fn.min('next_attempt_ms').as('due_ms')])
        .select(
          sql<number>`row_number() over (partition by account_id order by min(next_attempt_ms))`.as('turn'),
        )
        .where('state', '=', 'waiting')
        .where('next_attempt_ms', '<=', clock.nowMs())
        .$if(busy.length > 0, (query) => query.where('endpoint_id', 'not in', [...busy]))
        .groupBy(['account_id', 'endpoint_id'])
        .as('due');
      const rows = await db
        .selectFrom(due)
        .select(['account_id', 'endpoint_id'])
        .where('turn', '<=', mostOfAccount)
        .orderBy('turn')
        .orderBy('due_ms')
        .limit(most)
        .execute();
      return rows.map((row) => ({ endpointId: row.endpoint_id, accountId: row.account_id }));
    },
    waiting: async (endpointId, most, isAll) => {
      const rows = await db
        .selectFrom('alert_deliveries as delivery')
        .innerJoin('alert_events as event', 'event.event_id', 'delivery.event_id')
        .selectAll('event')
        .select(['delivery.attempts', 'delivery.created_at_ms as waiting_since_ms'])
        .where('delivery.endpoint_id', '=', endpointId)
        .where('delivery.state', '=', 'waiting')
        .$if(!isAll, (query) => query.where('delivery.next_attempt_ms', '<=', clock.nowMs()))
        .orderBy('delivery.created_at_ms')
        .orderBy('event.event_id')
        .limit(most)
        .execute();
      return rows.map((row) => ({
        ...{ eventId: row.event_id, ruleId: row.rule_id, kind: row.kind as EventKind },
        ...{ rowKey: row.row_key, row: JSON.parse(row.row) as Row, asOfMs: row.as_of_ms, text: row.text },
        ...{ createdAtMs: row.waiting_since_ms, attempts: row.attempts },
      }));
    },
    waitingCount: async () => {
      const { count } = await db
        .selectFrom('alert_deliveries')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    record: async (endpointId, eventIds, result) => {
      const nowMs = clock.nowMs();
      await db
        .updateTable('alert_deliveries')
        .set((row) => ({
          state: result.state,
          reason: result.state === 'delivered' ? null : result.reason,
          attempts: row('attempts', '+', 1),
          last_attempt_ms: nowMs,
          next_attempt_ms: result.state === 'waiting' ? result.nextAttemptMs : nowMs,
        }))
        .where('endpoint_id', '=', endpointId)
        .where('event_id', 'in', [...eventIds])
        // Given up meanwhile, because the endpoint was paused or deleted.
        .where('state', '=', 'waiting')
        .execute();
    },
    postpone: async (endpointId, untilMs) => {
      await db
        .updateTable('alert_deliveries')
        .set({ next_attempt_ms: untilMs })
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', 'waiting')
        .where('next_attempt_ms', '<', untilMs)
        .execute();
    },
    giveUp: async (endpointId, reason) => {
      await db
        .updateTable('alert_deliveries')
        .set({ state: 'failed', reason })
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', 'waiting')
        .execute();
    },
    deliveries: async (accountId, ruleId, most) => {
      const rows = await db
        .selectFrom('alert_events as event')
        .innerJoin('alert_deliveries as delivery', 'delivery.event_id', 'event.event_id')
        .select(['event.event_id', 'event.rule_id', 'event.kind', 'event.text'])
        .select(['delivery.endpoint_id', 'delivery.state', 'delivery.reason', 'delivery.attempts'])
        .select(['delivery.created_at_ms', 'delivery.last_attempt_ms', 'delivery.next_attempt_ms'])
        .where('event.account_id', '=', accountId)
        .$if(ruleId !== null, (query) => query.where('event.rule_id', '=', ruleId as string))
        .orderBy('event.created_at_ms', 'desc')
        .orderBy('event.event_id')
        .limit(most)
        .execute();
      return rows.map((row) => ({
        ...{ eventId: row.event_id, ruleId: row.rule_id, endpointId: row.endpoint_id },
        ...{ kind: row.kind as EventKind, text: row.text, state: row.state, reason: row.reason },
        ...{ attempts: row.attempts, createdAtMs: row.created_at_ms },
        lastAttemptAtMs: row.last_attempt_ms,
        nextAttemptAtMs: row.state === 'waiting' ? row.next_attempt_ms : null,
      }));
    },
    sweep: async () => {
      const beforeMs = clock.nowMs() - RETENTION_MS;
      await db.deleteFrom('alert_deliveries').where('created_at_ms', '<', beforeMs).execute();
      await db.deleteFrom('alert_events').where('created_at_ms', '<', beforeMs).execute();
      await db.deleteFrom('alert_last_events').where('at_ms', '<', beforeMs).execute();
      await db.deleteFrom('alert_budgets').where('since_ms', '<', beforeMs).execute();
    },
  };
}
