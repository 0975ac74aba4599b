import { LakeError } from './files/manifest.ts';
import type { LakeStore } from './files/store.ts';

/**
 * Deletes the files of days before the given one, and files that no manifest names. The manifest forgets the days first,
 * so a process that is killed leaves files that nobody sees. Returns the deleted paths.
 */
export async function pruneLake(store: LakeStore, beforeDay: string | null): Promise<string[]> {
  const unlock = await store.lock();
  try {
    const manifest = await store.manifest();
    const days = manifest.days.filter(({ day }) => beforeDay === null || day >= beforeDay);
    const newest = manifest.days.at(-1);
    if (newest && days.length === 0)
      throw new LakeError(`the newest day, ${newest.day}, stays: the next day follows it; prune before it`);
    if (days.length < manifest.days.length) await store.saveManifest({ ...manifest, days });
    const named = new Set(days.flatMap(({ files }) => files.map(({ path }) => path)));
    const gone = (await store.paths()).filter((path) => !named.has(path));
    for (const path of gone) await store.remove(path);
    return gone;
  } finally {
    await unlock();
  }
}
