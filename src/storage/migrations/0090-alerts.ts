import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    alert_revision: AlertRevisionTable;
    alert_rules: AlertRulesTable;
    alert_endpoints: AlertEndpointsTable;
    alert_progress: AlertProgressTable;
    alert_watches: AlertWatchesTable;
    alert_watch_rows: AlertWatchRowsTable;
    alert_last_events: AlertLastEventsTable;
    alert_events: AlertEventsTable;
    alert_deliveries: AlertDeliveriesTable;
  }
}

/** One row. Every change of a rule increments it, so the evaluating process reads only rules that have changed. */
interface AlertRevisionTable {
  id: number;
  revision: number;
}

export interface AlertRulesTable {
  id: string;
  account_id: string;
  name: string;
  /** The path of the list without its slash. */
  operation: string;
  /** The filters as in a URL. */
  query: string;
  /** JSON. */
  condition: string;
  every_minutes: number;
  /** A JSON list. */
  endpoint_ids: string;
  paused_at_ms: number | null;
  pause_epoch: number;
  created_at_ms: number;
  revision: number;
}

export interface AlertEndpointsTable {
  id: string;
  account_id: string;
  kind: string;
  description: string;
  /** JSON, encrypted: it has addresses and secrets. */
  target: string;
  paused_at_ms: number | null;
  paused_reason: string | null;
  failing_since_ms: number | null;
  failures: number;
  /** No attempt before this time. */
  not_before_ms: number;
  created_at_ms: number;
}

/** The newest snapshot that has been evaluated, for each source of snapshots. */
interface AlertProgressTable {
  source: string;
  as_of_ms: number;
}

/** The state of all rules with the same question and bound. */
interface AlertWatchesTable {
  watch_key: string;
  created_at_ms: number;
}

/** The rows of a watch that match, or whose figure is beyond the bound. */
interface AlertWatchRowsTable {
  watch_key: string;
  row_key: string;
}

interface AlertLastEventsTable {
  rule_id: string;
  row_key: string;
  at_ms: number;
}

interface AlertEventsTable {
  event_id: string;
  rule_id: string;
  account_id: string;
  kind: string;
  row_key: string;
  /** JSON. */
  row: string;
  as_of_ms: number;
  text: string;
  created_at_ms: number;
}

/** The outbox: one row for each event and endpoint. */
export interface AlertDeliveriesTable {
  event_id: string;
  endpoint_id: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_ms: number;
  last_attempt_ms: number | null;
  reason: string | null;
  created_at_ms: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('alert_revision')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await trx.insertInto('alert_revision').values({ id: 1, revision: 0 }).execute();

  await schema
    .createTable('alert_rules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('query', 'text', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('every_minutes', 'integer', (column) => column.notNull())
    .addColumn('endpoint_ids', 'text', (column) => column.notNull())
    .addColumn('paused_at_ms', 'bigint')
    .addColumn('pause_epoch', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('alert_rules_account').on('alert_rules').column('account_id').execute();
  await schema.createIndex('alert_rules_revision').on('alert_rules').column('revision').execute();

  await schema
    .createTable('alert_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('paused_at_ms', 'bigint')
    .addColumn('paused_reason', 'text')
    .addColumn('failing_since_ms', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('not_before_ms', 'bigint', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('alert_endpoints_account').on('alert_endpoints').column('account_id').execute();

  await schema
    .createTable('alert_progress')
    .addColumn('source', 'text', (column) => column.primaryKey())
    .addColumn('as_of_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('alert_watches')
    .addColumn('watch_key', 'text', (column) => column.primaryKey())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('alert_watch_rows')
    .addColumn('watch_key', 'text', (column) => column.notNull())
    .addColumn('row_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_watch_rows_key', ['watch_key', 'row_key'])
    .execute();
  await schema
    .createTable('alert_last_events')
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('row_key', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_last_events_key', ['rule_id', 'row_key'])
    .execute();

  await schema
    .createTable('alert_events')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('row_key', 'text', (column) => column.notNull())
    .addColumn('row', 'text', (column) => column.notNull())
    .addColumn('as_of_ms', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('alert_events_account')
    .on('alert_events')
    .columns(['account_id', 'created_at_ms'])
    .execute();
  await schema.createIndex('alert_events_created').on('alert_events').column('created_at_ms').execute();

  await schema
    .createTable('alert_deliveries')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_attempt_ms', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_deliveries_key', ['event_id', 'endpoint_id'])
    .execute();
  await schema
    .createIndex('alert_deliveries_due')
    .on('alert_deliveries')
    .columns(['state', 'endpoint_id', 'next_attempt_ms'])
    .execute();
}
