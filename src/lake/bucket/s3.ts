import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { request } from 'undici';
import { bytesWithin, startOf } from '../../base/http/bounded-body.ts';
import { SECOND_MS } from '../../base/times.ts';
import { LakeError } from '../files/manifest.ts';
import { LakeRefused, LakeUnavailable, refusalText, textOf, unreachable } from './faults.ts';

export interface BucketAddress {
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
}

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Below the prefix. */
  key?: string;
  /** A call of the bucket instead of an object. */
  query?: URLSearchParams;
  headers?: Record<string, string>;
  /** Made again for each try. */
  body?: () => Readable;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable & { dump(): Promise<void> };
}

export interface ListedObject {
  /** Below the prefix. */
  key: string;
  changedAtMs: number;
}

const MOST_REFUSAL_BYTES = 16 * 1024;
/** A page of a list has a thousand objects. */
const MOST_LIST_BYTES = 4 * 1024 * 1024;
const TRIES = 4;
const FIRST_PAUSE_MS = 250;
const STALL_MS = 30 * SECOND_MS;

/** The few calls of S3 that a lake needs. A call that fails for a passing reason is repeated: all of them may be. */
export class S3Bucket {
  readonly where: string;
  readonly #address: BucketAddress;
  /** Of the bucket, without a slash at its end. */
  readonly #url: string;

  constructor(address: BucketAddress) {
    const { bucket, prefix, endpoint, region } = address;
    this.#address = address;
    // Servers other than Amazon's need not have a host name for each bucket.
    this.#url = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
    this.where = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
  }

  /** Null if there is no such object. */
  async get(key: string, headers: Record<string, string> = {}): Promise<Answer | null> {
    return await this.#send({ method: 'GET', key, headers });
  }

  /** In bytes; null if there is no such object. */
  async size(key: string): Promise<number | null> {
    const answer = await this.#send({ method: 'HEAD', key });
    await answer?.body.dump();
    return answer ? Number(answer.headers['content-length']) : null;
  }

  /** Readers see the object once all bytes have arrived; a server that checks hashes refuses other bytes. */
  async put(key: string, sha256: string, bytes: number, body: () => Readable): Promise<void> {
    const headers = { 'content-length': String(bytes), 'x-amz-content-sha256': sha256 };
    const answer = await this.#send({ method: 'PUT', key, headers, body });
    await answer?.body.dump();
  }

  async putText(key: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.put(key, sha256, bytes.length, () => Readable.from([bytes], { objectMode: false }));
  }

  async remove(key: string): Promise<void> {
    await (await this.#send({ method: 'DELETE', key }))?.body.dump();
  }

  /** All objects whose key starts so, and the time of the server. */
  async list(start: string): Promise<{ objects: ListedObject[]; nowMs: number }> {
    const { prefix } = this.#address;
    const objects: ListedObject[] = [];
    const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + start });
    for (;;) {
      const answer = await this.#send({ method: 'GET', query });
      if (!answer) throw new LakeError(`${this.where}: the server has no list of the bucket`);
      const xml = (await bytesWithin(answer.body, MOST_LIST_BYTES)).toString('utf8');
      for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        objects.push({
          key: (textOf(entry, 'Key') ?? '').slice(prefix.length),
          changedAtMs: Date.parse(textOf(entry, 'LastModified') ?? ''),
        });
      const next = textOf(xml, 'NextContinuationToken');
      if (next === null) return { objects, nowMs: Date.parse(String(answer.headers.date)) };
      query.set('continuation-token', next);
    }
  }

  /** Null if there is no such object. */
  async #send(call: Call): Promise<Answer | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#sendOnce(call);
      } catch (error) {
        if (!(error instanceof LakeUnavailable) || tries === TRIES) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
      }
    }
  }

  async #sendOnce({ method, key = '', query, headers = {}, body }: Call): Promise<Answer | null> {
    const { prefix, accessKeyId, secretAccessKey, sessionToken, region } = this.#address;
    const url = `${this.#url}${query ? `?${query}` : `/${prefix}${key}`}`;
    const signed = await new AwsV4Signer({
      ...{ method, url, headers, service: 's3', region, accessKeyId, secretAccessKey },
      ...(sessionToken === null ? {} : { sessionToken }),
    }).sign();
    const answer = await request(signed.url.href, {
      ...{ method, headers: Object.fromEntries(signed.headers) },
      ...{ headersTimeout: STALL_MS, bodyTimeout: STALL_MS, body: body?.() ?? null },
    }).catch((error) => {
      throw unreachable(this.where, signed.url.origin, error);
    });
    const status = answer.statusCode;
    if ((status >= 200 && status < 300) || status === 304)
      return { status, headers: answer.headers, body: answer.body };
    const xml = await startOf(answer.body, MOST_REFUSAL_BYTES);
    if (status === 404 && textOf(xml, 'Code') !== 'NoSuchBucket') return null;
    const said = `${this.where}: ${refusalText(status, xml)}`;
    throw status === 429 || status >= 500 ? new LakeUnavailable(said) : new LakeRefused(said);
  }
}
