import { bytesTag } from '../../http/answers/bytes-tag.ts';
import { addIcons } from '../icons/ui-icons.ts';
import { EncodedHtml, escapeHtml, Html, type HtmlValue } from '../markup/html.ts';
import { hasStars } from '../stars/stars.ts';

/** What the frame of a page must provide for its content. */
export interface Needs {
  icons: Set<string>;
  hasStars: boolean;
}

/** Adds what the markup needs. */
export function addNeeds(markup: string, needs: Needs): void {
  addIcons(markup, needs.icons);
  needs.hasStars ||= hasStars(markup);
}

interface KeptPart extends Needs {
  tag: string;
}

const keptParts = new WeakMap<EncodedHtml, KeptPart>();

function keptPart(kept: EncodedHtml): KeptPart {
  let part = keptParts.get(kept);
  if (!part) {
    part = { icons: new Set(), hasStars: false, tag: bytesTag(kept.bytes) };
    addNeeds(kept.markup, part);
    keptParts.set(kept, part);
  }
  return part;
}

/** Reused by all pages: rendering is synchronous, and what was written is copied. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);
/** A character of a text has at most three bytes. */
const BYTES_PER_CHARACTER = 3;

/** Writes markup as bytes. Kept parts are copied; what lies between them is joined to texts and encoded. */
export class PageWriter {
  readonly needs: Needs = { icons: new Set(), hasStars: false };
  #text = '';
  #at = 0;
  /** The texts, and for each kept part its tag: a page is hashed from these, a fifth of its bytes. */
  #hashed = '';

  add(value: HtmlValue): void {
    if (value === null || value === undefined || typeof value === 'boolean') return;
    if (typeof value === 'string') this.#text += escapeHtml(value);
    else if (typeof value === 'number') this.#text += String(value);
    else if (value instanceof EncodedHtml) this.#addKept(value);
    else if (value instanceof Html) this.#addParts(value);
    else for (const one of value) this.add(one);
  }

  #addParts({ parts, values }: Html): void {
    this.#text += parts[0] ?? '';
    for (let i = 0; i < values.length; i++) {
      this.add(values[i]);
      this.#text += parts[i + 1] ?? '';
    }
  }

  #addKept(kept: EncodedHtml): void {
    const { icons, hasStars: isStarred, tag } = keptPart(kept);
    for (const name of icons) this.needs.icons.add(name);
    this.needs.hasStars ||= isStarred;
    this.#writeText();
    this.#hashed += tag;
    this.#reserve(kept.bytes.length);
    scratch.set(kept.bytes, this.#at);
    this.#at += kept.bytes.length;
  }

  #writeText(): void {
    const text = this.#text;
    if (text === '') return;
    this.#text = '';
    // With its length, so that no text can be taken for the tags after it.
    this.#hashed += `${text.length}:${text}`;
    addNeeds(text, this.needs);
    this.#reserve(text.length * BYTES_PER_CHARACTER);
    this.#at += scratch.write(text, this.#at);
  }

  #reserve(length: number): void {
    if (this.#at + length <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, this.#at + length));
    larger.set(scratch.subarray(0, this.#at));
    scratch = larger;
  }

  /** Writes what is left; `needs` are complete then. */
  finish(): void {
    this.#writeText();
  }

  /** Identifies the bytes between two texts. */
  tagBetween(start: string, end: string): string {
    return bytesTag(`${start.length}:${start}${this.#hashed}${end}`);
  }

  /** The bytes between two texts, in a buffer of their own. */
  bytesBetween(start: string, end: string): Buffer {
    const [startLength, endLength] = [Buffer.byteLength(start), Buffer.byteLength(end)];
    const bytes = Buffer.allocUnsafeSlow(startLength + this.#at + endLength);
    bytes.write(start, 0);
    bytes.set(scratch.subarray(0, this.#at), startLength);
    bytes.write(end, startLength + this.#at);
    return bytes;
  }
}
