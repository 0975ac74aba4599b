import { createHash } from 'node:crypto';
import {
  checked,
  count,
  listOf,
  nullable,
  objectOf,
  optional,
  type Parse,
  text,
} from '../../base/parsing.ts';
import { printable } from '../../base/printable.ts';
import { isoTime } from '../../base/times.ts';

/** A file as it was when its day was built. It never changes. */
export interface LakeFile {
  readonly dataset: string;
  /** Relative to the manifest. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** The day of the oldest row. That of late rows is before the day of the file. */
  readonly from: string;
}

export interface ManifestDay {
  readonly day: string;
  /** What was learned up to then is in the files of this day or of earlier ones. */
  readonly known_to: string;
  /** Sorted by path. */
  readonly files: readonly LakeFile[];
  /** Files that the reader of this copy may not have. They are part of the hash. */
  readonly beyond_plan?: readonly LakeFile[];
  /** The hash of the day before in the list; null for the first day that was ever built. */
  readonly previous: string | null;
  /** Of all the above. */
  readonly hash: string;
}

/** The list of all files. Days are chained: nobody can change, remove or swap days in the middle unnoticed. */
export interface Manifest {
  readonly version: typeof VERSION;
  readonly days: readonly ManifestDay[];
}

export const MANIFEST_NAME = 'manifest.json';
const VERSION = 2;
export const EMPTY_MANIFEST: Manifest = { version: VERSION, days: [] };

/** The lake cannot be used as it is; the message names the place and the fault. */
export class LakeError extends Error {}

/** A time of the parser may have words in brackets. */
const TIME_TEXT = /^[\d:.TZ-]{10,30}$/;
const DAY_TEXT = /^\d{4}-\d\d-\d\d$/;
/** Of a dataset and a day: nothing else is ever read or written, whatever a manifest says. */
export const FILE_PATH = /^[a-z_]{1,40}\/\d{4}-\d\d-\d\d(?:-late)?\.parquet$/;

/** Paths come from manifests, which may come from elsewhere. */
export function checkedPath(path: string): string {
  if (!FILE_PATH.test(path)) throw new LakeError(`"${path}" is not the path of a lake file`);
  return path;
}

/** The start of a day of the calendar; null if the text is none. */
export function dayStartMs(text: string): number | null {
  const timeMs = DAY_TEXT.test(text) ? Date.parse(text) : Number.NaN;
  // Of a day such as 31 February the parser makes one of March.
  return Number.isNaN(timeMs) || !isoTime(timeMs).startsWith(text) ? null : timeMs;
}

/** Rows of earlier days are in a file of their own, so that the plan of a reader can have the one and not the other. */
export function pathOf(dataset: string, day: string, isLate: boolean): string {
  return `${dataset}/${day}${isLate ? '-late' : ''}.parquet`;
}

const matching = (pattern: RegExp, what: string) => checked(text, (value) => pattern.test(value), what);
const hashText = matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hex');
const dayText = checked(text, (value) => dayStartMs(value) !== null, 'a day such as 2026-11-17');
const timeText = checked(
  text,
  (value) => TIME_TEXT.test(value) && !Number.isNaN(Date.parse(value)),
  'a time',
);

const parseFile = objectOf<LakeFile>({
  dataset: matching(/^[a-z_]{1,40}$/, 'the name of a dataset'),
  path: matching(FILE_PATH, 'the path of a lake file'),
  rows: count,
  bytes: count,
  sha256: hashText,
  from: dayText,
});
const parseDay = objectOf<ManifestDay>({
  day: dayText,
  known_to: timeText,
  files: listOf(parseFile),
  beyond_plan: optional(listOf(parseFile)),
  previous: nullable(hashText),
  hash: hashText,
});
const parseVersion: Parse<typeof VERSION> = (value, path) => {
  if (value !== VERSION)
    throw new LakeError(
      `${path} is ${printable(String(value)).slice(0, 20)}; this program reads version ${VERSION}: build or pull the lake again, into an empty folder`,
    );
  return VERSION;
};
const parseManifest = objectOf<Manifest>({ version: parseVersion, days: listOf(parseDay) });

/** The hash of a day's entry. It covers the hash of the day before, so it covers all days before. */
export function dayHash({ day, known_to, previous, ...entry }: Omit<ManifestDay, 'hash'>): string {
  const parts = allFiles(entry)
    .toSorted(byPath)
    .map(({ dataset, path, rows, bytes, sha256, from }) => [dataset, path, rows, bytes, sha256, from]);
  return createHash('sha256')
    .update(JSON.stringify([day, known_to, parts, previous]))
    .digest('hex');
}

/** Also those that the reader of this copy may not have. */
export function allFiles({
  files,
  beyond_plan = [],
}: Pick<ManifestDay, 'files' | 'beyond_plan'>): readonly LakeFile[] {
  return [...files, ...beyond_plan];
}

/** Paths are ASCII, so this is the order of bytes. */
export function byPath(a: LakeFile, b: LakeFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Adds a day at the end. */
export function withDay(manifest: Manifest, added: Omit<ManifestDay, 'previous' | 'hash'>): Manifest {
  const entry = { ...added, previous: manifest.days.at(-1)?.hash ?? null };
  return { ...manifest, days: [...manifest.days, { ...entry, hash: dayHash(entry) }] };
}

/** Reads a manifest and checks its chain. `where` names it in messages. Throws a LakeError. */
export function readManifest(json: string, where: string): Manifest {
  const manifest = parsed(json, where);
  for (const [i, entry] of manifest.days.entries()) {
    const before = manifest.days[i - 1];
    if (dayHash(entry) !== entry.hash) throw new LakeError(`${where}: the entry of ${entry.day} was altered`);
    if (before && entry.day <= before.day)
      throw new LakeError(`${where}: ${entry.day} comes after ${before.day}; days are out of order`);
    if (before && entry.previous !== before.hash)
      throw new LakeError(
        `${where}: ${entry.day} does not follow ${before.day}; a day was removed or replaced`,
      );
    for (const file of allFiles(entry)) checkFile(file, entry.day, where);
  }
  return manifest;
}

function checkFile({ dataset, path, from }: LakeFile, day: string, where: string): void {
  const isLate = from < day;
  if (from > day || path !== pathOf(dataset, day, isLate))
    throw new LakeError(`${where}: ${path} is listed on ${day} as a file of ${dataset} from ${from} on`);
}

function parsed(json: string, where: string): Manifest {
  try {
    return parseManifest(JSON.parse(json), 'manifest');
  } catch (error) {
    if (error instanceof LakeError) throw error;
    throw new LakeError(
      `${where} is not a manifest: ${error instanceof Error ? printable(error.message).slice(0, 200) : 'unreadable'}`,
    );
  }
}

/** One day a line, so that the list can be read and compared. */
export function manifestText({ version, days }: Manifest): string {
  const lines = days.map((day) => JSON.stringify(day));
  return `{"version":${version},"days":[\n${lines.join(',\n')}\n]}\n`;
}
