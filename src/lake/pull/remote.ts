import { request } from 'undici';
import { connectionCause } from '../../base/connection-errors.ts';
import { bytesWithin, startOf } from '../../base/http/bounded-body.ts';
import { fieldsOf, jsonOf } from '../../base/parsing.ts';
import { printable } from '../../base/printable.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../base/times.ts';
import { allFiles, LakeError, MANIFEST_NAME, type Manifest, readManifest } from '../files/manifest.ts';

const STALL_MS = 30 * SECOND_MS;
/** That of ten years has less. */
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
/** A day of twenty times as many contracts as there are has less. */
const MOST_FILE_BYTES = 1024 * 1024 * 1024;
const MOST_FILE_ROWS = 50_000_000;
/** The body of a refusal has a sentence. */
const MOST_REFUSAL_BYTES = 4 * 1024;

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

  async manifest(signal: AbortSignal, nowMs: number): Promise<Manifest> {
    const where = `${this.#url}/${MANIFEST_NAME}`;
    try {
      const { body } = await this.#get(MANIFEST_NAME, {}, signal);
      const bytes = await bytesWithin(body, MOST_MANIFEST_BYTES);
      const manifest = readManifest(bytes.toString('utf8'), where);
      refuseUnlikely(manifest, where, nowMs);
      return manifest;
    } catch (error) {
      if (signal.aborted || error instanceof LakeError) throw error;
      const said = error instanceof Error ? error.message : String(error);
      throw new LakeError(
        error instanceof TryAgain
          ? said
          : `${where} cannot be read: ${connectionCause(error) ?? printable(said)}`,
      );
    }
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
    const { detail } = fieldsOf(jsonOf(await startOf(answer.body, MOST_REFUSAL_BYTES)));
    const words = typeof detail === 'string' ? `: ${printable(detail.slice(0, 500))}` : '';
    const said = `${this.#url}/${path} answered ${statusCode}${words}`;
    if (statusCode === 429 || statusCode >= 500)
      throw new TryAgain(said, (Number(answer.headers['retry-after']) || 1) * SECOND_MS);
    throw new LakeError(said);
  }
}

/** Beyond what any lake has, and days that have not come yet. Clocks differ by less than a day. */
function refuseUnlikely({ days }: Manifest, where: string, nowMs: number): void {
  const untilMs = nowMs + DAY_MS;
  for (const day of days) {
    const knownMs = Date.parse(day.known_to);
    if (Date.parse(day.day) > untilMs || knownMs > untilMs)
      throw new LakeError(`${where}: the day ${day.day}, known up to ${isoTime(knownMs)}, is in the future`);
    for (const { path, rows, bytes } of allFiles(day))
      if (rows > MOST_FILE_ROWS || bytes > MOST_FILE_BYTES)
        throw new LakeError(`${where}: ${path} is larger than any file: ${rows} rows, ${bytes} bytes`);
  }
}
