import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VENUES } from '../src/venues/registry.ts';
import type { Venue } from '../src/venues/venue.ts';
import { listingFactsOf } from '../test/listings/listing-facts.ts';

/** `npm run docs:listings` writes the table of venues into docs/listings.md, between its markers. */
export const LISTINGS_DOC = join(import.meta.dirname, '../docs/listings.md');

const NOTICES = { none: 'none', titles: 'title', texts: 'title and text' } as const;
const TITLES = ['Venue', 'Not open yet', 'Opening time', 'End', 'Notices'];
const MARKED = /(<!-- listings:venues[^>]*-->\n)[\s\S]*?(<!-- end of listings:venues -->)/;

/** The cells of one venue's row. */
export function listingCells({ slug, facts }: Pick<Venue, 'slug' | 'facts'>): string[] {
  const { preopen = 'no', openingTime = 'no', end = 'no' } = facts.listingFields ?? {};
  return [facts.exchange, preopen, openingTime, end, NOTICES[listingFactsOf(slug).notices]];
}

/** The document as it should be. */
export function listingsDoc(): string {
  const rows = VENUES.map(listingCells);
  const widths = TITLES.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const table = [TITLES, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
  return readFileSync(LISTINGS_DOC, 'utf8').replace(
    MARKED,
    (_whole, start: string, end: string) => `${start}\n${table}\n${end}`,
  );
}

if (import.meta.main) writeFileSync(LISTINGS_DOC, listingsDoc());
