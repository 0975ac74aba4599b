import type { AlertMessage } from '../message.ts';

const ELLIPSIS = '…';

/** The text, cut to at most `maxLength` UTF-16 code units, which is how Telegram and Discord count. */
export function truncated(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - ELLIPSIS.length);
  // A cut between the halves of a surrogate pair leaves a character that JSON cannot carry.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}${ELLIPSIS}`;
}

/** The text, cut to at most `maxBytes` bytes of UTF-8. */
export function truncatedBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let length = maxBytes - Buffer.byteLength(ELLIPSIS);
  const bytes = Buffer.from(text);
  // Bytes 10xxxxxx continue a character.
  while (length > 0 && ((bytes[length] ?? 0) & 0xc0) === 0x80) length--;
  return `${bytes.subarray(0, length).toString()}${ELLIPSIS}`;
}

/** In one line, without control characters: a header or a title cannot have them. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The headline of a message; a test says so, lest it is taken for the market. */
export function headline({ ruleName, isTest }: Pick<AlertMessage, 'ruleName' | 'isTest'>): string {
  return oneLine(`${isTest ? 'Test: ' : ''}${ruleName}`);
}

export const OPEN_LABEL = 'Open the list';
export const PAUSE_LABEL = 'Pause this alert';
