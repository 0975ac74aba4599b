import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Notifies every process that listens to the channel; in a transaction, when it commits. Only on PostgreSQL. */
export async function notify(db: Kysely<Schema>, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}
