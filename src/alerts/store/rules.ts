import '../../storage/migrations/0094-alert-rules-since.ts';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { randomId } from '../../accounts/keys/key-text.ts';
import type { Clock } from '../../base/clock.ts';
import type { AlertRulesTable } from '../../storage/migrations/0090-alerts.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { parseCondition, type RuleInput } from '../rule.ts';

/** A rule as it is stored. Whether the plan allows it is not. */
export interface StoredRule extends RuleInput {
  id: string;
  accountId: string;
  isPaused: boolean;
  pauseEpoch: number;
  createdAtMs: number;
  sinceMs: number;
}

export interface ChangedRules {
  revision: number;
  changed: StoredRule[];
  /** All rules that exist, for finding those that were deleted. */
  ids: Set<string>;
}

export interface RuleStore {
  /** Oldest first. */
  list(accountId: string): Promise<StoredRule[]>;
  find(ruleId: string): Promise<StoredRule | null>;
  /** Null if the account has `most` rules already. */
  create(accountId: string, input: RuleInput, most: number): Promise<StoredRule | null>;
  /** These return false if the account has no such rule. */
  edit(accountId: string, ruleId: string, input: RuleInput): Promise<boolean>;
  pause(accountId: string, ruleId: string): Promise<boolean>;
  resume(accountId: string, ruleId: string): Promise<boolean>;
  delete(accountId: string, ruleId: string): Promise<boolean>;
  /** Null if nothing has changed since that revision. */
  changesSince(revision: number): Promise<ChangedRules | null>;
}

export function openRuleStore({ db }: Storage, clock: Clock): RuleStore {
  /** The row lock of the revision serializes changes, so that two processes cannot both create the last allowed rule. */
  const change = <Result>(work: (trx: Transaction<Schema>, revision: number) => Promise<Result>) =>
    db.transaction().execute(async (trx) => {
      const { revision } = await trx
        .updateTable('alert_revision')
        .set((row) => ({ revision: row('revision', '+', 1) }))
        .where('id', '=', 1)
        .returning('revision')
        .executeTakeFirstOrThrow();
      return await work(trx, revision);
    });
  const update = (accountId: string, ruleId: string, columns: Partial<Selectable<AlertRulesTable>>) =>
    change(async (trx, revision) => {
      const { numUpdatedRows } = await trx
        .updateTable('alert_rules')
        .set({ ...columns, revision })
        .where('id', '=', ruleId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });

  return {
    list: (accountId) => readRules(db, accountId),
    find: async (ruleId) => {
      const row = await db.selectFrom('alert_rules').selectAll().where('id', '=', ruleId).executeTakeFirst();
      return row ? ruleOf(row) : null;
    },
    create: (accountId, input, most) =>
      change(async (trx, revision) => {
        if ((await readRules(trx, accountId)).length >= most) return null;
        const row = {
          id: randomId('alr_'),
          account_id: accountId,
          ...columnsOf(input),
          paused_at_ms: null,
          pause_epoch: 0,
          created_at_ms: clock.nowMs(),
          since_ms: clock.nowMs(),
          revision,
        };
        await trx.insertInto('alert_rules').values(row).execute();
        return ruleOf(row);
      }),
    edit: async (accountId, ruleId, input) => {
      const columns = columnsOf(input);
      const before = (await readRules(db, accountId)).find(({ id }) => id === ruleId);
      const isSame = before !== undefined && whatItWatches(columnsOf(before)) === whatItWatches(columns);
      return await update(accountId, ruleId, { ...columns, ...(isSame ? {} : { since_ms: clock.nowMs() }) });
    },
    pause: (accountId, ruleId) => update(accountId, ruleId, { paused_at_ms: clock.nowMs() }),
    resume: (accountId, ruleId) =>
      change(async (trx, revision) => {
        const { numUpdatedRows } = await trx
          .updateTable('alert_rules')
          .set((row) => ({
            ...{ paused_at_ms: null, pause_epoch: row('pause_epoch', '+', 1), revision },
            since_ms: clock.nowMs(),
          }))
          .where('id', '=', ruleId)
          .where('account_id', '=', accountId)
          .where('paused_at_ms', 'is not', null)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
    delete: (accountId, ruleId) =>
      change(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('alert_rules')
          .where('id', '=', ruleId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        await trx.deleteFrom('alert_last_events').where('rule_id', '=', ruleId).execute();
        return numDeletedRows > 0n;
      }),
    changesSince: async (seen) => {
      const { revision } = await db
        .selectFrom('alert_revision')
        .select('revision')
        .where('id', '=', 1)
        .executeTakeFirstOrThrow();
      if (revision === seen) return null;
      const changed = await db
        .selectFrom('alert_rules')
        .selectAll()
        .where('revision', '>', seen)
        .where('revision', '<=', revision)
        .execute();
      const ids = await db.selectFrom('alert_rules').select('id').execute();
      return { revision, changed: changed.map(ruleOf), ids: new Set(ids.map(({ id }) => id)) };
    },
  };
}

async function readRules(db: Kysely<Schema>, accountId: string): Promise<StoredRule[]> {
  const rows = await db
    .selectFrom('alert_rules')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute();
  return rows.map(ruleOf);
}

function columnsOf({ name, operation, query, condition, everyMinutes, endpointIds }: RuleInput) {
  return {
    ...{ name, operation, query, every_minutes: everyMinutes },
    condition: JSON.stringify(condition),
    endpoint_ids: JSON.stringify(endpointIds),
  };
}

function whatItWatches({ operation, query, condition }: ReturnType<typeof columnsOf>): string {
  return `${operation}?${query} ${condition}`;
}

function ruleOf(row: Selectable<AlertRulesTable>): StoredRule {
  const { id, name, operation, query } = row;
  return {
    ...{ id, name, operation, query },
    accountId: row.account_id,
    condition: parseCondition(JSON.parse(row.condition)),
    everyMinutes: row.every_minutes,
    endpointIds: JSON.parse(row.endpoint_ids) as string[],
    isPaused: row.paused_at_ms !== null,
    pauseEpoch: row.pause_epoch,
    createdAtMs: row.created_at_ms,
    sinceMs: row.since_ms,
  };
}
