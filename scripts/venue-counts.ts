import type { Sides } from '../src/venues/counting/sides.ts';
import { sidesTexts } from '../src/venues/counting/texts.ts';
import type { Venue, VenueFacts } from '../src/venues/venue.ts';

/** What each venue counts, for docs/venues.md. */
export const COUNTS_TEXT = {
  title: '## One side or both',
  lead: [
    'A position has a long and a short side, and a trade a buyer and a seller. Figures of this service count one of them. Where a venue',
    'adds up both, half of its figure is published; where nobody knows, the figure as it comes. The evidence is in the section of the',
    'venue; `-` means that no call that is read has the figure. The rule: 30 or more counts that are all even in the venue’s own lots, beside',
    'volumes that are not, count both sides.',
  ],
  titles: ['Venue', 'Open interest', '24 h volume'],
};

const WORDS: Readonly<Record<Sides, string>> = {
  'one side': 'one side',
  'both sides': '**both sides**, halved',
  unknown: 'unknown',
  'not given': '-',
};

export function countRows(venues: readonly Venue[]): string[][] {
  return venues.map(({ facts: { exchange, counts } }) => [
    exchange,
    WORDS[counts.openInterest.sides],
    WORDS[counts.volume.sides],
  ]);
}

/** The lines of the section of a venue. */
export function countLines({ counts }: VenueFacts): string[] {
  return sidesTexts(counts).map(({ sentence, date, source }) => `- ${sentence} ([${date}](${source}))`);
}
