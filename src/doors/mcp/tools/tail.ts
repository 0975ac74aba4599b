import type { KnownText } from '../../../base/known-text.ts';

/** Up to here a text is sent faster than bytes: it goes out in one piece with the headers. */
const SHORT_BYTES = 16 * 1024;

/** A message from after its id to its end. */
export class Tail {
  readonly content: string | Buffer;
  readonly byteLength: number;
  /** Whether others are sent the same. */
  readonly isKept: boolean;
  /** For bytes that are only lent: to be called when they have been sent. */
  readonly giveBack: (() => void) | null;

  constructor(
    content: string | Buffer,
    byteLength: number,
    { isKept = false, giveBack = null }: { isKept?: boolean; giveBack?: (() => void) | null } = {},
  ) {
    this.content = content;
    this.byteLength = byteLength;
    this.isKept = isKept;
    this.giveBack = giveBack;
  }

  static of({ text, isAscii }: KnownText): Tail {
    return new Tail(text, isAscii ? text.length : Buffer.byteLength(text));
  }

  /** The same in the form that is cheapest to send again. What was lent is given back. */
  kept(): Tail {
    const { content, byteLength } = this;
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    this.giveBack?.();
    const isShortText =
      typeof content === 'string' && content.length === byteLength && byteLength <= SHORT_BYTES;
    return new Tail(isShortText ? bytes.toString('latin1') : bytes, byteLength, { isKept: true });
  }
}
