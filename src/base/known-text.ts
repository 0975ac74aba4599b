/** A text and whether it is ASCII: then its length in bytes is its length in characters. */
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
