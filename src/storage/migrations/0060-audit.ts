import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    audit_days: AuditDaysTable;
    audit_documents: AuditDocumentsTable;
  }
}

/** Published rates beside settled prints: one venue's settlements of one UTC day, compressed. */
interface AuditDaysTable {
  exchange: string;
  /** Days since the epoch. */
  day: number;
  block: Uint8Array;
}

/** What the audit keeps as JSON: its newest report, which every process serves, and the venues' volumes. */
interface AuditDocumentsTable {
  name: string;
  as_of_ms: number;
  document: string;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('audit_days')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('block', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_days_key', ['exchange', 'day'])
    .execute();
  await trx.schema
    .createTable('audit_documents')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('as_of_ms', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}
