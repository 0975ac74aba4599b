import './migrations/0114-venue-memory.ts';
import type { Storage } from './storage.ts';

interface StoredMemory {
  slug: string;
  savedAtMs: number;
  knowledge: Uint8Array;
}

export async function loadMemory({ db }: Storage, slug: string): Promise<StoredMemory | null> {
  const row = await db.selectFrom('venue_memory').selectAll().where('slug', '=', slug).executeTakeFirst();
  return row ? { slug, savedAtMs: Number(row.saved_at_ms), knowledge: row.knowledge } : null;
}

/** A process that lost the venue meanwhile must not replace what its next owner has saved: the later one stays. */
export async function saveMemory({ db }: Storage, memory: StoredMemory, nowMs: number): Promise<void> {
  const { slug, savedAtMs, knowledge } = memory;
  await db
    .insertInto('venue_memory')
    .values({ slug, saved_at_ms: savedAtMs, knowledge })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ saved_at_ms: savedAtMs, knowledge })
        .where((where) =>
          where.or([
            where('venue_memory.saved_at_ms', '<=', savedAtMs),
            // Saved by a clock that ran ahead.
            where('venue_memory.saved_at_ms', '>', nowMs),
          ]),
        ),
    )
    .execute();
}
