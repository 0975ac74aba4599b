import { join } from 'node:path';
import { DAY_MS, isoTime, MINUTE_MS } from '../base/times.ts';
import type { LakeDay, LakeSource } from './dataset.ts';
import { LakeFileWriter } from './files/file-writer.ts';
import { LakeError, type LakeFile, type Manifest, pathOf, withDay } from './files/manifest.ts';
import type { LakeStore } from './files/store.ts';

/** What is being written now has a time up to this long ago. */
const WRITING_MS = MINUTE_MS;

interface BuildOptions {
  store: LakeStore;
  sources: readonly LakeSource[];
  nowMs: number;
  /** The day with which an empty lake starts. */
  firstDayMs: () => number | null;
  /** The last day to build; by default yesterday. */
  lastDayMs?: number | undefined;
  onDay?: (day: string, files: readonly LakeFile[]) => void;
  /** Stops after the day that is being built. */
  signal?: AbortSignal;
}

/** `YYYY-MM-DD` */
export function dayText(timeMs: number): string {
  return isoTime(timeMs).slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Builds all days after the newest one, oldest first. A file is complete on the disk before the manifest names it, so a
 * process that is killed leaves at most files that nobody sees, and the next run replaces them. Returns the days built.
 */
export async function buildLake(options: BuildOptions): Promise<string[]> {
  const { store, signal, onDay } = options;
  const unlock = await store.lock();
  try {
    let manifest = await store.manifest();
    const built: string[] = [];
    for (const day of daysToBuild(manifest, options)) {
      if (signal?.aborted) break;
      const files = await buildDay(day, options);
      const entry = { day: day.day, known_to: isoTime(day.knownToMs), files };
      manifest = withDay(manifest, entry);
      await store.saveManifest(manifest);
      built.push(day.day);
      onDay?.(day.day, files);
    }
    return built;
  } finally {
    await unlock();
  }
}

function daysToBuild(manifest: Manifest, { nowMs, firstDayMs, lastDayMs }: BuildOptions): LakeDay[] {
  const yesterdayMs = Math.floor(nowMs / DAY_MS) * DAY_MS - DAY_MS;
  const lastMs = lastDayMs ?? yesterdayMs;
  if (lastMs > yesterdayMs)
    throw new LakeError(
      `${dayText(lastMs)} is not over; the last day that can be built is ${dayText(yesterdayMs)}`,
    );
  const newest = manifest.days.at(-1);
  const firstMs = newest ? Date.parse(newest.day) + DAY_MS : firstDayMs();
  const knownToMs = nowMs - WRITING_MS;
  let previous = newest
    ? { endMs: Date.parse(newest.day) + DAY_MS, knownToMs: Date.parse(newest.known_to) }
    : null;
  const days: LakeDay[] = [];
  for (let startMs = firstMs ?? lastMs; startMs <= lastMs; startMs += DAY_MS) {
    const endMs = startMs + DAY_MS;
    days.push({ day: dayText(startMs), startMs, endMs, knownToMs, previous, isNewest: startMs === lastMs });
    previous = { endMs, knownToMs };
  }
  return days;
}

/** A dataset without rows on this day has no file. */
async function buildDay(day: LakeDay, { store, sources }: BuildOptions): Promise<LakeFile[]> {
  const files: LakeFile[] = [];
  for (const source of sources) {
    const { table } = source;
    const path = pathOf(table.name, day.day);
    const localFile = join(await store.workFolder('building'), `${table.name}-${day.day}.parquet`);
    const writer = await LakeFileWriter.create(localFile, table);
    try {
      for await (const rows of source.rows(day)) await writer.rows(rows);
      if (writer.rowCount === 0) {
        await writer.discard();
        continue;
      }
      const written = await writer.finish();
      await store.publish(localFile, { path, ...written });
      files.push({ dataset: table.name, path, ...written });
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }
  return files;
}
