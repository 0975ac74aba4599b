import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

export interface SlotMonth {
  slotId: string;
  monthStartMs: number;
  used: number;
}

type Count = readonly [startMs: number, id: string, count: number];

/** Rows per statement, far below the parameter limits of both databases. */
const BATCH_ROWS = 500;

/** Sorted by id, so that two processes lock rows in the same order and cannot deadlock. */
function* batches<Item>(items: readonly Item[], idOf: (item: Item) => string): Generator<Item[]> {
  const sorted = items.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  for (let from = 0; from < sorted.length; from += BATCH_ROWS) yield sorted.slice(from, from + BATCH_ROWS);
}

export async function addSlotMonths(db: Kysely<Schema>, counts: readonly Count[]): Promise<SlotMonth[]> {
  const totals: SlotMonth[] = [];
  for (const batch of batches(counts, (count) => count[1])) {
    const rows = await db
      .insertInto('slot_months')
      .values(batch.map(([month_start_ms, slot_id, used]) => ({ month_start_ms, slot_id, used })))
      .onConflict((conflict) =>
        conflict.columns(['month_start_ms', 'slot_id']).doUpdateSet((row) => ({
          used: row('slot_months.used', '+', row.ref('excluded.used')),
        })),
      )
      .returning(['slot_id', 'month_start_ms', 'used'])
      .execute();
    for (const row of rows)
      totals.push({ slotId: row.slot_id, monthStartMs: row.month_start_ms, used: row.used });
  }
  return totals;
}

export async function readSlotMonths(db: Kysely<Schema>, monthStartMs: number): Promise<SlotMonth[]> {
  const rows = await db
    .selectFrom('slot_months')
    .select(['slot_id', 'used'])
    .where('month_start_ms', '=', monthStartMs)
    .execute();
  return rows.map((row) => ({ slotId: row.slot_id, monthStartMs, used: row.used }));
}

export async function readSlotMonth(
  db: Kysely<Schema>,
  slotId: string,
  monthStartMs: number,
): Promise<number> {
  const row = await db
    .selectFrom('slot_months')
    .select('used')
    .where('month_start_ms', '=', monthStartMs)
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  return row?.used ?? 0;
}

export type UsageSpan = 'hour' | 'day';

export async function addKeyUsage(
  db: Kysely<Schema>,
  span: UsageSpan,
  counts: readonly Count[],
): Promise<void> {
  for (const batch of batches(counts, (count) => count[1])) {
    await db
      .insertInto('key_usage')
      .values(batch.map(([start_ms, key_id, used]) => ({ key_id, span, start_ms, used })))
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'span', 'start_ms']).doUpdateSet((row) => ({
          used: row('key_usage.used', '+', row.ref('excluded.used')),
        })),
      )
      .execute();
  }
}

export interface UsagePoint {
  startMs: number;
  used: number;
}

/** Requests of a key per hour or UTC day, oldest first. Periods without requests are absent. */
export async function readKeyUsage(
  db: Kysely<Schema>,
  keyId: string,
  span: UsageSpan,
  fromMs: number,
  toMs: number,
): Promise<UsagePoint[]> {
  const rows = await db
    .selectFrom('key_usage')
    .select(['start_ms', 'used'])
    .where('key_id', '=', keyId)
    .where('span', '=', span)
    .where('start_ms', '>=', fromMs)
    .where('start_ms', '<=', toMs)
    .orderBy('start_ms')
    .execute();
  return rows.map((row) => ({ startMs: row.start_ms, used: row.used }));
}

export async function writeLastUsed(
  db: Kysely<Schema>,
  lastUsedMs: ReadonlyMap<string, number>,
): Promise<void> {
  for (const batch of batches([...lastUsedMs], (entry) => entry[0])) {
    const values = sql.join(batch.map(([id, atMs]) => sql`(cast(${id} as text), cast(${atMs} as bigint))`));
    await sql`update api_keys set last_used_at_ms = seen.column2
      from (values ${values}) as seen where api_keys.id = seen.column1`.execute(db);
  }
}
