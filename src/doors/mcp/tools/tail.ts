import type { KnownText } from '../../../base/known-text.ts';
import { RoomyBytes } from '../../http/answers/roomy-bytes.ts';

/** Up to this size a string is sent faster than a buffer: it goes out in one write with the headers. */
export const SHORT_BYTES = 16 * 1024;

/** The JSON-RPC response after its id: everything that is the same for all callers. */
export class Tail {
  readonly content: string | RoomyBytes;
  readonly byteLength: number;
  /** Whether it is cached, so that other callers get the same one. */
  readonly isCached: boolean;
  /** For a buffer of a pool: returns it, and must be called once the bytes have been sent. */
  readonly giveBack: (() => void) | null;

  constructor(
    content: string | RoomyBytes,
    byteLength: number,
    { isCached = false, giveBack = null }: { isCached?: boolean; giveBack?: (() => void) | null } = {},
  ) {
    this.content = content;
    this.byteLength = byteLength;
    this.isCached = isCached;
    this.giveBack = giveBack;
  }

  static of({ text, isAscii }: KnownText): Tail {
    return new Tail(text, isAscii ? text.length : Buffer.byteLength(text));
  }

  /** A copy for the cache, in the form that is cheapest to send. Gives a lent buffer back. */
  cached(): Tail {
    const { content, byteLength } = this;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content.bytes;
    const isShortText =
      typeof content === 'string' && content.length === byteLength && byteLength <= SHORT_BYTES;
    const kept = isShortText ? bytes.toString('latin1') : RoomyBytes.copyOf(bytes);
    this.giveBack?.();
    return new Tail(kept, byteLength, { isCached: true });
  }
}
