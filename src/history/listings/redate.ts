import { checkFence, type Fence } from '../../storage/fences.ts';
import type { Storage } from '../../storage/storage.ts';

/**
 * Gives the rows and states that were published from `wrongFromMs` on times just before `nowMs`, in the same order: the
 * clock was wrong then. Their own times must not stay in the future, where no client would see them.
 */
export async function redateListings(
  { db }: Pick<Storage, 'db'>,
  { wrongFromMs, nowMs }: { wrongFromMs: number; nowMs: number },
  fence: Fence | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (fence) await checkFence(trx, fence);
    const versions = await trx
      .selectFrom('listing_versions')
      .selectAll()
      .where('changed_at_ms', '>=', wrongFromMs)
      .orderBy('changed_at_ms')
      .execute();
    const episodes = await trx
      .selectFrom('listing_episodes')
      .selectAll()
      .where('detected_at_ms', '>=', wrongFromMs)
      .orderBy('detected_at_ms')
      .execute();
    await trx.deleteFrom('listing_versions').where('changed_at_ms', '>=', wrongFromMs).execute();
    await trx.deleteFrom('listing_episodes').where('detected_at_ms', '>=', wrongFromMs).execute();
    const detectedAtMs = new Map(
      episodes.map((episode, i) => [episode.detected_at_ms, nowMs - episodes.length + i]),
    );
    for (const episode of episodes) {
      const timeMs = detectedAtMs.get(episode.detected_at_ms) ?? nowMs;
      await trx
        .insertInto('listing_episodes')
        .values({ ...episode, detected_at_ms: timeMs, said_at_ms: Math.min(episode.said_at_ms, timeMs) })
        .execute();
    }
    // Of several states of a row only the last one counts now.
    for (const version of new Map(versions.map((one) => [one.detected_at_ms, one])).values()) {
      const newRowMs = detectedAtMs.get(version.detected_at_ms);
      const timeMs = newRowMs ?? nowMs - 1;
      const observedMs = (time: number | null) => (time !== null && time >= wrongFromMs ? timeMs : time);
      await trx
        .insertInto('listing_versions')
        .values({
          ...version,
          detected_at_ms: newRowMs ?? version.detected_at_ms,
          changed_at_ms: timeMs,
          // A time that the venue states is right whatever our clock says.
          effective_at_ms:
            version.effective_by === 'diff' ? observedMs(version.effective_at_ms) : version.effective_at_ms,
          effective_said_at_ms: Math.min(version.effective_said_at_ms, timeMs),
          done_at_ms: observedMs(version.done_at_ms),
        })
        .execute();
    }
    await trx
      .updateTable('listing_feed')
      .set({ last_as_of_ms: nowMs - 1 })
      .where('last_as_of_ms', '>=', wrongFromMs)
      .execute();
  });
}
