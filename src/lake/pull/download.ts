import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { errorCode } from '../../base/connection-errors.ts';
import { SECOND_MS } from '../../base/times.ts';
import { LakeError, type LakeFile } from '../files/manifest.ts';
import type { LakeStore } from '../files/store.ts';
import { faultOf, sha256Of } from '../verify.ts';
import { type RemoteLake, TryAgain } from './remote.ts';

interface DownloadOptions {
  remote: RemoteLake;
  store: LakeStore;
  /** For incomplete files; it survives a break, so that the next run goes on from there. */
  folder: string;
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  onBytes: (count: number) => void;
}

const TRIES = 6;
const LONGEST_PAUSE_MS = 60 * SECOND_MS;

/** Fetches a file, checks its hash and puts it into place. A file that is there already and whole is not fetched again. */
export async function downloadFile(file: LakeFile, options: DownloadOptions): Promise<void> {
  const { store, folder, onBytes } = options;
  if ((await store.size(file.path)) === file.bytes && (await faultOf(store, file)) === null) {
    onBytes(file.bytes);
    return;
  }
  const part = join(folder, `${file.path.replace('/', '-')}.${file.sha256.slice(0, 16)}`);
  await complete(part, file, options);
  if ((await sha256Of(createReadStream(part))) !== file.sha256) {
    await rm(part);
    throw new LakeError(`${file.path} was altered: its hash is not that of the manifest`);
  }
  await store.publish(part, file);
}

/** Fetches what is missing, and goes on after a broken connection. */
async function complete(part: string, file: LakeFile, options: DownloadOptions): Promise<void> {
  const { clock, signal } = options;
  for (let tries = 1; ; tries++) {
    const before = await sizeOf(part);
    try {
      if (before === file.bytes) return;
      await append(part, before > file.bytes ? 0 : before, file, options);
      const after = await sizeOf(part);
      if (after === file.bytes) return;
      throw new TryAgain(`${file.path} is truncated: ${after} of ${file.bytes} bytes arrived`, SECOND_MS);
    } catch (error) {
      if (signal.aborted || error instanceof LakeError) throw error;
      // A connection that brings something each time is slow, not broken.
      if ((await sizeOf(part)) > before) tries = 1;
      if (tries >= TRIES) throw new LakeError(error instanceof Error ? error.message : String(error));
      const pauseMs = error instanceof TryAgain ? error.afterMs : SECOND_MS * tries;
      await clock.sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), signal);
    }
  }
}

async function append(part: string, from: number, file: LakeFile, options: DownloadOptions): Promise<void> {
  const { remote, signal, onBytes } = options;
  const { start, bytes } = await remote.file(file.path, from, file.sha256, signal);
  const handle = await open(part, start === 0 ? 'w' : 'a');
  try {
    let at = start;
    for await (const chunk of bytes) {
      at += chunk.length;
      if (at > file.bytes) throw new LakeError(`${file.path} is longer than the manifest says`);
      await handle.write(chunk);
      onBytes(chunk.length);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
