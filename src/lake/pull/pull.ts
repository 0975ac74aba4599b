import type { Clock } from '../../base/clock.ts';
import { LakeError, type LakeFile, type Manifest, type ManifestDay } from '../files/manifest.ts';
import type { LakeStore } from '../files/store.ts';
import { downloadFile } from './download.ts';
import type { RemoteLake } from './remote.ts';

export interface PullProgress {
  files: number;
  totalFiles: number;
  bytes: number;
  totalBytes: number;
}

interface PullOptions {
  remote: RemoteLake;
  store: LakeStore;
  /** The first day to fetch into an empty lake; null for all. */
  sinceDay: string | null;
  clock: Pick<Clock, 'sleep' | 'nowMs'>;
  signal: AbortSignal;
  onProgress: (progress: PullProgress) => void;
}

const FILES_AT_ONCE = 4;
/** The manifest is saved after so many days: each time it is written as a whole. */
const DAYS_AT_ONCE = 32;

/**
 * Fetches the days that are missing here, oldest first. A day is in the manifest here once all its files are complete and
 * have the hashes of the manifest there. Returns the days that this lake has now in common with the other.
 */
export async function pullLake(options: PullOptions): Promise<readonly ManifestDay[]> {
  const { remote, store, sinceDay, signal, clock } = options;
  const unlock = await store.lock();
  try {
    const theirs = await remote.manifest(signal, clock.nowMs());
    let manifest = await store.manifest();
    const missing = missingDays(manifest, theirs, sinceDay, store.where);
    const files = missing.flatMap((day) => day.files);
    const progress = { files: 0, totalFiles: files.length, bytes: 0, totalBytes: 0 };
    for (const { bytes } of files) progress.totalBytes += bytes;
    for (let first = 0; first < missing.length; first += DAYS_AT_ONCE) {
      const some = missing.slice(first, first + DAYS_AT_ONCE);
      await fetchAll(
        some.flatMap((day) => day.files),
        progress,
        options,
      );
      manifest = { ...manifest, days: [...manifest.days, ...some] };
      await store.saveManifest(manifest);
    }
    const known = new Set(theirs.days.map(({ hash }) => hash));
    return manifest.days.filter(({ hash, day }) => known.has(hash) && (sinceDay === null || day >= sinceDay));
  } finally {
    await unlock();
  }
}

/** The days that follow the newest one here. Throws if the two lakes are not parts of one chain. */
export function missingDays(
  ours: Manifest,
  theirs: Manifest,
  sinceDay: string | null,
  where: string,
): readonly ManifestDay[] {
  const newest = ours.days.at(-1);
  if (!newest) return theirs.days.filter(({ day }) => sinceDay === null || day >= sinceDay);
  const place = theirs.days.findIndex(({ day }) => day === newest.day);
  const isShorter = place < 0 && ours.days.some(({ hash }) => hash === theirs.days.at(-1)?.hash);
  if (isShorter) return [];
  if (theirs.days[place]?.hash !== newest.hash)
    throw new LakeError(
      `the lake in ${where} is another one: its ${newest.day} is not that of the other installation; name an empty folder with --lake-url`,
    );
  return theirs.days.slice(place + 1);
}

async function fetchAll(
  files: readonly LakeFile[],
  progress: PullProgress,
  options: PullOptions,
): Promise<void> {
  const { remote, store, clock, onProgress } = options;
  const failing = new AbortController();
  const signal = AbortSignal.any([options.signal, failing.signal]);
  const folder = await store.workFolder('pulling');
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      signal.throwIfAborted();
      await downloadFile(file, {
        ...{ remote, store, folder, clock, signal },
        onBytes: (count) => {
          progress.bytes += count;
          onProgress(progress);
        },
      });
      progress.files++;
      onProgress(progress);
    }
  };
  const workers = Array.from({ length: FILES_AT_ONCE }, () =>
    work().catch((error: unknown) => {
      failing.abort(error);
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(workers);
  options.signal.throwIfAborted();
  if (failing.signal.aborted) throw failing.signal.reason;
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
