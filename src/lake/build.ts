import { join } from 'node:path';
import { DAY_MS, isoTime, MINUTE_MS } from '../base/times.ts';
import type { LakeDay, LakeRows, LakeSource, LakeTable } from './dataset.ts';
import { LakeFileWriter } from './files/file-writer.ts';
import { byPath, LakeError, type LakeFile, type Manifest, pathOf, withDay } from './files/manifest.ts';
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

/** A dataset without rows on this day has no file. Rows of earlier days are in a file of their own. */
async function buildDay(day: LakeDay, { store, sources }: BuildOptions): Promise<LakeFile[]> {
  const folder = await store.workFolder('building');
  const files: LakeFile[] = [];
  for (const { table, rows } of sources.map((source) => ({ table: source.table, rows: source.rows(day) }))) {
    const localFile = (isLate: boolean) =>
      join(folder, pathOf(table.name, day.day, isLate).replace('/', '-'));
    const late = await LakeFileWriter.create(localFile(true), table);
    const own = await LakeFileWriter.create(localFile(false), table);
    try {
      const oldestMs = await writeRows(rows, day, { table, own, late });
      for (const [writer, isLate] of [
        [late, true],
        [own, false],
      ] as const) {
        if (writer.rowCount === 0) {
          await writer.discard();
          continue;
        }
        const path = pathOf(table.name, day.day, isLate);
        const written = { path, ...(await writer.finish()) };
        await store.publish(localFile(isLate), written);
        files.push({ dataset: table.name, ...written, from: isLate ? dayText(oldestMs) : day.day });
      }
    } catch (error) {
      await Promise.all([late.discard(), own.discard()]);
      throw error;
    }
  }
  return files.sort(byPath);
}

interface DayFiles {
  table: LakeTable;
  own: LakeFileWriter;
  late: LakeFileWriter;
}

/** Returns the time of the oldest row. */
async function writeRows(
  batches: AsyncIterable<LakeRows>,
  day: LakeDay,
  { table, own, late }: DayFiles,
): Promise<number> {
  const place = table.columns.findIndex(({ name }) => name === table.timeColumn);
  let oldestMs = day.startMs;
  for await (const rows of batches) {
    const lateRows = rows.filter((row) => Number(row[place]) < day.startMs);
    for (const row of lateRows) oldestMs = Math.min(oldestMs, Number(row[place]));
    await late.rows(lateRows);
    await own.rows(lateRows.length === 0 ? rows : rows.filter((row) => Number(row[place]) >= day.startMs));
  }
  return oldestMs;
}
