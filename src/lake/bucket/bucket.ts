import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { bytesWithin } from '../../base/http/bounded-body.ts';
import { SECOND_MS } from '../../base/times.ts';
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
} from '../files/manifest.ts';
import type { LakeStore } from '../files/store.ts';
import { BucketLock } from './bucket-lock.ts';
import type { S3Bucket } from './s3.ts';

const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;
/** A server that sends many files looks for a new manifest this often. */
const LOOK_EVERY_MS = 5 * SECOND_MS;

/** A lake in a bucket of an S3 server. An object appears once all its bytes have arrived, and the manifest is written last. */
export class LakeBucket implements LakeStore {
  readonly #bucket: S3Bucket;
  readonly #localFolder: string;
  #read: { etag: string; manifest: Manifest; readAtMs: number } | null = null;
  #lock: BucketLock | null = null;

  /** Incomplete files are in the local folder. */
  constructor(bucket: S3Bucket, localFolder: string) {
    this.#bucket = bucket;
    this.#localFolder = localFolder;
  }

  get where(): string {
    return this.#bucket.where;
  }

  async manifest(): Promise<Manifest> {
    const known = this.#read;
    const nowMs = performance.now();
    if (known && this.#lock === null && nowMs - known.readAtMs < LOOK_EVERY_MS) return known.manifest;
    const answer = await this.#bucket.get(MANIFEST_NAME, known ? { 'if-none-match': known.etag } : {});
    if (!answer) return EMPTY_MANIFEST;
    const text = (await bytesWithin(answer.body, MOST_MANIFEST_BYTES)).toString('utf8');
    const manifest =
      answer.status === 304 && known ? known.manifest : readManifest(text, `${this.where}/${MANIFEST_NAME}`);
    this.#read = { etag: String(answer.headers.etag ?? ''), manifest, readAtMs: nowMs };
    return manifest;
  }

  async saveManifest(manifest: Manifest): Promise<void> {
    await this.#lock?.check();
    await this.#bucket.putText(MANIFEST_NAME, manifestText(manifest));
    this.#read = null;
  }

  async workFolder(of: 'building' | 'pulling'): Promise<string> {
    const folder = join(this.#localFolder, `.${of}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  async publish(localFile: string, { path, sha256 }: Pick<LakeFile, 'path' | 'sha256'>): Promise<void> {
    const { size } = await stat(localFile);
    await this.#bucket.put(checkedPath(path), sha256, size, () => createReadStream(localFile));
    await rm(localFile);
  }

  async size(path: string): Promise<number | null> {
    return await this.#bucket.size(checkedPath(path));
  }

  read(path: string, start: number, end: number): Readable {
    return Readable.from(this.#bytes(checkedPath(path), start, end), { objectMode: false });
  }

  async *#bytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    const answer = await this.#bucket.get(path, { range: `bytes=${start}-${end}` });
    if (!answer) throw new LakeError(`${this.where}/${path} is missing`);
    if (
      answer.status !== 206 ||
      !String(answer.headers['content-range']).startsWith(`bytes ${start}-${end}/`)
    ) {
      await answer.body.dump();
      throw new LakeError(`${this.where}/${path}: the server sent another part than was requested`);
    }
    yield* answer.body as AsyncIterable<Uint8Array>;
  }

  async paths(): Promise<string[]> {
    const { objects } = await this.#bucket.list('');
    return objects
      .map(({ key }) => key)
      .filter((key) => FILE_PATH.test(key))
      .sort();
  }

  async remove(path: string): Promise<void> {
    await this.#bucket.remove(checkedPath(path));
  }

  async lock(): Promise<() => Promise<void>> {
    const lock = await BucketLock.take(this.#bucket);
    this.#lock = lock;
    // What an earlier process left when it was killed.
    await rm(join(this.#localFolder, '.building'), { recursive: true, force: true });
    return async () => {
      this.#lock = null;
      await lock.release();
    };
  }
}
