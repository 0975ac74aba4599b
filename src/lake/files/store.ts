import type { Readable } from 'node:stream';
import type { LakeFile, Manifest } from './manifest.ts';

/** Where the files of a lake are: a folder or a bucket. */
export interface LakeStore {
  /** For messages. */
  readonly where: string;
  /** The empty one if there is none yet. Throws a LakeError if its chain is broken. */
  manifest(): Promise<Manifest>;
  /** Replaces the manifest at once: a reader sees the one before or this one. */
  saveManifest(manifest: Manifest): Promise<void>;
  /** A local folder for incomplete files, which readers do not see. That of a build is emptied by the next one. */
  workFolder(of: 'building' | 'pulling'): Promise<string>;
  /** Moves a complete local file to its path. */
  publish(localFile: string, file: Pick<LakeFile, 'path' | 'sha256'>): Promise<void>;
  /** In bytes; null if there is no such file. */
  size(path: string): Promise<number | null>;
  /** The bytes from `start` to `end`, both inclusive. */
  read(path: string, start: number, end: number): Readable;
  /** The paths of all data files, also of those that no manifest names. */
  paths(): Promise<string[]>;
  remove(path: string): Promise<void>;
  /** Takes the right to change the lake until the returned function is called. Throws a LakeError if another process has it. */
  lock(): Promise<() => Promise<void>>;
}
