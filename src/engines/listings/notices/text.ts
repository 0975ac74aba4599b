import { ownValue } from '../../../base/own-value.ts';

const BLOCK_END = /<\/(?:p|li|tr|h[1-6]|div|ul|ol|table|section)>|<br\s*\/?>/gi;
const CELL_END = /<\/t[dh]>/gi;
const TAG = /<[^>]{0,500}>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  ndash: '-',
  mdash: '-',
};
const MONTH_DOT = /\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.(?=\s)/g;

/** Converts a notice to plain lines: no markup, one kind of dash, dots only at the end of sentences. */
export function plainText(text: string): string {
  return text
    .replace(BLOCK_END, '\n')
    .replace(CELL_END, ' | ')
    .replace(TAG, '')
    .replace(/&(#?\w{2,6});/g, (whole, name: string) => ownValue(ENTITIES, name.toLowerCase()) ?? whole)
    .normalize('NFKC')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/\b([ap])\.\s?m\./gi, (_, half: string) => `${half.toUpperCase()}M`)
    .replace(MONTH_DOT, '$1')
    .replace(/\b([dr]e)-(list)/gi, '$1$2')
    .replace(/[ \t\r\f\v]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** Splits lines into sentences. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=["'(A-Z0-9])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
