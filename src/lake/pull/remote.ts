import { request } from 'undici';
import { fieldsOf, jsonOf } from '../../base/parsing.ts';
import { SECOND_MS } from '../../base/times.ts';
import { LakeError, MANIFEST_NAME, type Manifest, readManifest } from '../files/manifest.ts';

const STALL_MS = 30 * SECOND_MS;
/** That of ten years has less. */
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;

/** A refusal that passes: the server says when to come back, or the connection broke. */
export class TryAgain extends Error {
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

export interface RemotePart {
  /** Where the bytes start: 0 if the server sent the whole file. */
  start: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** The lake of another installation, over HTTP. */
export class RemoteLake {
  readonly #url: string;
  readonly #key: string;

  /** The address of the installation, with or without `/lake`. */
  constructor(url: string, key: string) {
    this.#url = `${url.replace(/\/+$/, '').replace(/\/lake$/, '')}/lake`;
    this.#key = key;
  }

  get where(): string {
    return this.#url;
  }

  async manifest(signal: AbortSignal): Promise<Manifest> {
    const where = `${this.#url}/${MANIFEST_NAME}`;
    const { body } = await this.#get(MANIFEST_NAME, {}, signal);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > MOST_MANIFEST_BYTES) throw new LakeError(`${where} is larger than any manifest`);
      chunks.push(chunk);
    }
    return readManifest(Buffer.concat(chunks).toString('utf8'), where);
  }

  /** The bytes of a file from `start` on, if it still has this hash. */
  async file(path: string, start: number, sha256: string, signal: AbortSignal): Promise<RemotePart> {
    const part = start === 0 ? {} : { range: `bytes=${start}-`, 'if-range': `"${sha256}"` };
    const { statusCode, headers, body } = await this.#get(path, part, signal);
    if (statusCode !== 206) return { start: 0, bytes: body };
    if (!String(headers['content-range']).startsWith(`bytes ${start}-`))
      throw new LakeError(`${path}: the server sent another part than was requested`);
    return { start, bytes: body };
  }

  async #get(path: string, headers: Record<string, string>, signal: AbortSignal) {
    const answer = await request(`${this.#url}/${path}`, {
      headers: { authorization: `Bearer ${this.#key}`, ...headers },
      headersTimeout: STALL_MS,
      bodyTimeout: STALL_MS,
      signal,
    });
    const { statusCode } = answer;
    if (statusCode === 200 || statusCode === 206) return answer;
    const detail = fieldsOf(jsonOf(await answer.body.text())).detail;
    const said = `${this.#url}/${path} answered ${statusCode}${typeof detail === 'string' ? `: ${detail}` : ''}`;
    if (statusCode === 429 || statusCode >= 500)
      throw new TryAgain(said, (Number(answer.headers['retry-after']) || 1) * SECOND_MS);
    throw new LakeError(said);
  }
}
