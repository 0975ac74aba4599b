import { hostname } from 'node:os';
import { MINUTE_MS } from '../../base/times.ts';
import { LakeError } from '../files/manifest.ts';
import { isRunning } from '../files/running-process.ts';
import type { ListedObject, S3Bucket } from './s3.ts';

const FOLDER = '.lock/';
const RENEW_EVERY_MS = MINUTE_MS;
/** A process that has not renewed its lock for so long is dead. */
const DEAD_AFTER_MS = 10 * MINUTE_MS;

/**
 * The right to change a bucket. Each process writes an object of its own and then looks for those of others, so of two at
 * least one sees the other. This needs lists that are up to date, as all S3 servers have, and no conditional writes.
 */
export class BucketLock {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #renewing: NodeJS.Timeout;

  private constructor(bucket: S3Bucket, key: string) {
    this.#bucket = bucket;
    this.#key = key;
    // A renewal that fails is made up for by the next one.
    this.#renewing = setInterval(() => void bucket.putText(key, '').catch(() => undefined), RENEW_EVERY_MS);
    this.#renewing.unref();
  }

  /** Throws a LakeError if another process has it. */
  static async take(bucket: S3Bucket, host = hostname()): Promise<BucketLock> {
    const start = `${FOLDER}${host.replace(/[^A-Za-z0-9-]/g, '-')}.`;
    const key = `${start}${process.pid}`;
    await bucket.putText(key, '');
    const { objects, nowMs } = await bucket.list(FOLDER);
    const isDead = ({ key: other, changedAtMs }: ListedObject) =>
      nowMs - changedAtMs > DEAD_AFTER_MS ||
      (other.startsWith(start) && !isRunning(Number(other.slice(start.length))));
    const others = objects.filter((one) => one.key !== key);
    const running = others.find((one) => !isDead(one));
    if (running) {
      await bucket.remove(key);
      const [, who = ''] = running.key.split('/');
      throw new LakeError(
        `process ${who} is changing ${bucket.where}; wait until it is done, or ten minutes if it was killed`,
      );
    }
    for (const other of others) await bucket.remove(other.key);
    return new BucketLock(bucket, key);
  }

  /** Throws if another process took this one for dead. */
  async check(): Promise<void> {
    if ((await this.#bucket.size(this.#key)) === null)
      throw new LakeError(`another process took over ${this.#bucket.where}; run this again once it is done`);
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#bucket.remove(this.#key);
  }
}
