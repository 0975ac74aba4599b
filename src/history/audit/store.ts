import { jsonOf } from '../../base/parsing.ts';
// Adds the tables to the schema's type.

import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0060-audit.ts';
import type { Storage } from '../../storage/storage.ts';
import { decodeDay, encodeDay } from './codec.ts';
import { type AuditedSettlement, dayOf, settlementKey } from './model.ts';

interface AuditDocument {
  asOfMs: number;
  /** Parsed JSON; undefined if the stored text is none. */
  value: unknown;
}

/** The audit in the database. A write is one transaction and merges by settlement, so it may be repeated. */
export class AuditStore {
  readonly #db: Storage['db'];

  constructor({ db }: Storage) {
    this.#db = db;
  }

  /** Adds settlements of one venue, or fills in the prints of stored ones. Under a fence only its holder may write. */
  async merge(
    exchange: string,
    settlements: readonly AuditedSettlement[],
    fence: Fence | null,
  ): Promise<void> {
    const byDay = Map.groupBy(settlements, ({ minute }) => dayOf(minute));
    await this.#db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      for (const [day, fresh] of byDay) {
        const row = await trx
          .selectFrom('audit_days')
          .select('block')
          .where('exchange', '=', exchange)
          .where('day', '=', day)
          .executeTakeFirst();
        const block = encodeDay(merged(row ? decodeDay(row.block) : [], fresh));
        await trx
          .insertInto('audit_days')
          .values({ exchange, day, block })
          .onConflict((conflict) => conflict.columns(['exchange', 'day']).doUpdateSet({ block }))
          .execute();
      }
    });
  }

  async load(exchange: string, day: number): Promise<AuditedSettlement[]> {
    const row = await this.#db
      .selectFrom('audit_days')
      .select('block')
      .where('exchange', '=', exchange)
      .where('day', '=', day)
      .executeTakeFirst();
    return row ? decodeDay(row.block) : [];
  }

  async deleteBefore(day: number): Promise<void> {
    await this.#db.deleteFrom('audit_days').where('day', '<', day).execute();
  }

  async saveDocument(name: string, { asOfMs, value }: AuditDocument, fence: Fence | null): Promise<void> {
    const row = { as_of_ms: asOfMs, document: JSON.stringify(value) };
    await this.#db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .insertInto('audit_documents')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute();
    });
  }

  async loadDocument(name: string): Promise<AuditDocument | null> {
    const row = await this.#db
      .selectFrom('audit_documents')
      .select(['as_of_ms', 'document'])
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? { asOfMs: row.as_of_ms, value: jsonOf(row.document) } : null;
  }
}

/** A settlement with a print replaces one without; of two alike the stored one stays. */
function merged(
  stored: readonly AuditedSettlement[],
  fresh: readonly AuditedSettlement[],
): AuditedSettlement[] {
  const all = new Map(stored.map((one) => [settlementKey(one), one]));
  for (const one of fresh) {
    const held = all.get(settlementKey(one));
    if (!held || (held.printPct === null && one.printPct !== null)) all.set(settlementKey(one), one);
  }
  return [...all.values()];
}
