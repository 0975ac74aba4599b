import '../../storage/migrations/0090-alerts.ts';
import type { Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Evaluation } from '../evaluate.ts';
import type { StoredState } from '../rule-book.ts';
import { type LimitsOf, type SavedEvents, saveOutgoing, settleBudgets } from './outgoing.ts';
import { partsOf } from './parts.ts';

/** What is stored of one snapshot. */
interface StoredEvaluation extends Evaluation {
  source: string;
  asOfMs: number;
}

export interface StateStore {
  load(): Promise<StoredState & { progress: Map<string, number> }>;
  /** Deletes the state of watches that no rule needs. */
  drop(watchKeys: readonly string[], fence: Fence | null): Promise<void>;
  /**
   * Stores the new state, the outbox and what it costs in one transaction. Rejects with a FencedError if another process
   * evaluates.
   */
  save(evaluation: StoredEvaluation, fence: Fence | null, limitsOf: LimitsOf): Promise<SavedEvents>;
  /** Tells owners whose hour is over what was left out in it, and bounds what waits in total. */
  settle(fence: Fence | null, limitsOf: LimitsOf): Promise<Pick<SavedEvents, 'leftOut'>>;
}

/** Messages that wait in total. Beyond it, the accounts with the most lose their oldest. */
const MOST_WAITING = 500_000;

export function openStateStore({ db }: Storage, clock: Clock, mostWaiting = MOST_WAITING): StateStore {
  return {
    load: async () => {
      const watches = await db.selectFrom('alert_watches').select('watch_key').execute();
      const watchRows = new Map<string, string[]>(watches.map(({ watch_key: key }) => [key, []]));
      for (const { watch_key: key, row_key: rowKey } of await db
        .selectFrom('alert_watch_rows')
        .selectAll()
        .execute())
        watchRows.get(key)?.push(rowKey);
      const lastEvents: StoredState['lastEvents'] = new Map();
      for (const { rule_id: ruleId, row_key: rowKey, at_ms: atMs } of await db
        .selectFrom('alert_last_events')
        .selectAll()
        .execute()) {
        const events = lastEvents.get(ruleId) ?? [];
        events.push({ rowKey, atMs });
        lastEvents.set(ruleId, events);
      }
      const progress = await db.selectFrom('alert_progress').selectAll().execute();
      return {
        watchRows,
        lastEvents,
        progress: new Map(progress.map(({ source, as_of_ms: asOfMs }) => [source, asOfMs])),
      };
    },
    drop: (watchKeys, fence) =>
      db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        for (const part of partsOf(watchKeys))
          for (const table of ['alert_watches', 'alert_watch_rows'] as const)
            await trx.deleteFrom(table).where('watch_key', 'in', part).execute();
      }),
    save: (evaluation, fence, limitsOf) =>
      db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        const nowMs = clock.nowMs();
        const { source, asOfMs } = evaluation;
        await trx
          .insertInto('alert_progress')
          .values({ source, as_of_ms: asOfMs })
          .onConflict((conflict) => conflict.column('source').doUpdateSet({ as_of_ms: asOfMs }))
          .execute();
        await saveWatches(trx, evaluation, nowMs);
        await saveLastEvents(trx, evaluation);
        return await saveOutgoing(trx, evaluation.events, limitsOf, nowMs);
      }),
    settle: (fence, limitsOf) =>
      db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        return { leftOut: await settleBudgets(trx, limitsOf, { nowMs: clock.nowMs(), mostWaiting }) };
      }),
  };
}

async function saveWatches(trx: Transaction<Schema>, { watches }: Evaluation, nowMs: number): Promise<void> {
  const created = watches.filter(({ watch }) => watch.isNew).map(({ watch }) => watch.key);
  for (const part of partsOf(created))
    await trx
      .insertInto('alert_watches')
      .values(part.map((key) => ({ watch_key: key, created_at_ms: nowMs })))
      .onConflict((conflict) => conflict.column('watch_key').doNothing())
      .execute();
  const added = watches.flatMap(({ watch, change }) =>
    change.added.map((id) => ({ watch_key: watch.key, row_key: watch.list.identities.keyOf(id) })),
  );
  for (const part of partsOf(added))
    await trx
      .insertInto('alert_watch_rows')
      .values(part)
      .onConflict((conflict) => conflict.columns(['watch_key', 'row_key']).doNothing())
      .execute();
  for (const { watch, change } of watches)
    for (const part of partsOf(change.removed.map((id) => watch.list.identities.keyOf(id))))
      await trx
        .deleteFrom('alert_watch_rows')
        .where('watch_key', '=', watch.key)
        .where('row_key', 'in', part)
        .execute();
}

async function saveLastEvents(trx: Transaction<Schema>, { lastEvents }: Evaluation): Promise<void> {
  const rows = lastEvents.map(({ active, rowId, atMs }) => ({
    rule_id: active.rule.id,
    row_key: active.watch.list.identities.keyOf(rowId),
    at_ms: atMs,
  }));
  for (const part of partsOf(rows))
    await trx
      .insertInto('alert_last_events')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['rule_id', 'row_key'])
          .doUpdateSet((values) => ({ at_ms: values.ref('excluded.at_ms') })),
      )
      .execute();
}
