import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { LakeFile } from './files/manifest.ts';
import type { LakeStore } from './files/store.ts';

/** What a file has, compared with the manifest. Null: it is as it was written. */
export type FileFault = 'missing' | 'truncated' | 'longer than it was' | 'altered';

export async function sha256Of(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export async function faultOf(
  store: Pick<LakeStore, 'size' | 'read'>,
  { path, bytes, sha256 }: LakeFile,
): Promise<FileFault | null> {
  const size = await store.size(path);
  if (size === null) return 'missing';
  if (size !== bytes) return size < bytes ? 'truncated' : 'longer than it was';
  return (await sha256Of(store.read(path, 0, bytes - 1))) === sha256 ? null : 'altered';
}

export interface Verified {
  files: number;
  bytes: number;
  days: number;
  faults: { path: string; fault: FileFault }[];
  /** Files that no manifest names: of a build that was killed, or of somebody else. */
  unnamed: string[];
}

/** Reads every file. Throws a LakeError if the chain of the manifest is broken. */
export async function verifyLake(store: LakeStore, onFile?: (file: LakeFile) => void): Promise<Verified> {
  const { days } = await store.manifest();
  const found: Verified = { files: 0, bytes: 0, days: days.length, faults: [], unnamed: [] };
  const named = new Set<string>();
  for (const file of days.flatMap(({ files }) => files)) {
    const fault = await faultOf(store, file);
    if (fault !== null) found.faults.push({ path: file.path, fault });
    named.add(file.path);
    found.files++;
    found.bytes += file.bytes;
    onFile?.(file);
  }
  found.unnamed = (await store.paths()).filter((path) => !named.has(path));
  return found;
}
