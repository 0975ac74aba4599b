import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { errorCode } from '../connection-errors.ts';
import { ownValue } from '../own-value.ts';
import type { EncodedBody } from './confirmable-replies.ts';

/** A body has more bytes than its reader takes; for a compressed one those it unpacks to count. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(mostBytes: number) {
    const size = mostBytes < 1024 * 1024 ? `${mostBytes / 1024} kB` : `${mostBytes / 1024 / 1024} MB`;
    super(`the reply has more than ${size}`);
  }
}

/** All bytes of a stream, counted while they arrive. Throws `TooLarge`; leaving the loop ends the stream. */
export async function bytesWithin(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) throw new TooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The start of a text, for a status whose body may never end. A body that breaks off ends there. */
export async function startOf(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  mostBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= mostBytes) break;
    }
  } catch {
    // What has arrived is enough.
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, mostBytes);
}

const DECODERS: Readonly<
  Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip),
  br: promisify<Uint8Array, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

/** Bytes of its own, which may be changed; those of the body may be cached. Throws `TooLarge`. */
export async function unpacked({ bytes, encoding }: EncodedBody, mostBytes: number): Promise<Uint8Array> {
  const decode = ownValue(DECODERS, encoding);
  try {
    return decode ? await decode(bytes, { maxOutputLength: mostBytes }) : bytes.slice();
  } catch (error) {
    throw isTooLarge(error) ? new TooLarge(mostBytes) : error;
  }
}

/** Whether zlib refused to unpack more than its `maxOutputLength`. */
export function isTooLarge(error: unknown): boolean {
  return errorCode(error) === 'ERR_BUFFER_TOO_LARGE';
}
