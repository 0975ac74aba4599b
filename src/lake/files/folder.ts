import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../../base/connection-errors.ts';
import {
  checkedPath,
  EMPTY_MANIFEST,
  FILE_PATH,
  LakeError,
  type LakeFile,
  MANIFEST_NAME,
  type Manifest,
  manifestText,
  readManifest,
} from './manifest.ts';
import { isRunning } from './running-process.ts';
import type { LakeStore } from './store.ts';

const LOCK_NAME = '.lock';

/** A lake in a folder. Files are renamed into place once they are on the disk, the manifest last. */
export class LakeFolder implements LakeStore {
  readonly where: string;
  /** The manifest as it was when the file had this time and size. */
  #read: { version: string; manifest: Manifest } | null = null;

  constructor(folder: string) {
    this.where = folder;
  }

  async manifest(): Promise<Manifest> {
    const file = join(this.where, MANIFEST_NAME);
    const found = await orNull(stat(file));
    if (!found) return EMPTY_MANIFEST;
    const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (this.#read?.version !== version)
      this.#read = { version, manifest: readManifest(await readFile(file, 'utf8'), file) };
    return this.#read.manifest;
  }

  async saveManifest(manifest: Manifest): Promise<void> {
    const file = join(await this.workFolder('building'), `${MANIFEST_NAME}.${process.pid}`);
    await writeFile(file, manifestText(manifest), { flush: true });
    await rename(file, join(this.where, MANIFEST_NAME));
    await syncFolder(this.where);
  }

  async workFolder(of: 'building' | 'pulling'): Promise<string> {
    const folder = join(this.where, `.${of}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  async publish(localFile: string, { path }: Pick<LakeFile, 'path'>): Promise<void> {
    const file = join(this.where, checkedPath(path));
    await mkdir(dirname(file), { recursive: true });
    await rename(localFile, file);
    await syncFolder(dirname(file));
  }

  async size(path: string): Promise<number | null> {
    return (await orNull(stat(join(this.where, checkedPath(path)))))?.size ?? null;
  }

  read(path: string, start: number, end: number): Readable {
    return createReadStream(join(this.where, checkedPath(path)), { start, end });
  }

  async paths(): Promise<string[]> {
    const folders = (await orNull(readdir(this.where, { withFileTypes: true }))) ?? [];
    const found: string[] = [];
    for (const folder of folders.filter((one) => one.isDirectory()))
      for (const name of await readdir(join(this.where, folder.name))) found.push(`${folder.name}/${name}`);
    return found.filter((path) => FILE_PATH.test(path)).sort();
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.where, checkedPath(path)), { force: true });
  }

  async lock(): Promise<() => Promise<void>> {
    await mkdir(this.where, { recursive: true });
    const file = join(this.where, LOCK_NAME);
    for (let tries = 0; tries < 2; tries++) {
      try {
        await writeFile(file, String(process.pid), { flag: 'wx' });
        // What an earlier process left when it was killed.
        await rm(join(this.where, '.building'), { recursive: true, force: true });
        return async () => await rm(file, { force: true });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        const owner = Number(await readFile(file, 'utf8').catch(() => ''));
        if (isRunning(owner))
          throw new LakeError(`process ${owner} is changing ${this.where}; wait until it is done`);
        await rm(file, { force: true });
      }
    }
    throw new LakeError(`another process is changing ${this.where}; wait until it is done`);
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A rename survives a power failure only once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
