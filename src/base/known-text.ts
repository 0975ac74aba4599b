/** A text, and whether each of its characters is one byte when sent: then its length need not be counted. */
export interface KnownText {
  text: string;
  isAscii: boolean;
}

export function knownText(text: string): KnownText {
  return { text, isAscii: isAscii(text) };
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
