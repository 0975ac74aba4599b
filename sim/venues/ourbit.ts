import { mexcVenue } from './mexc.ts';

/** A quarter of its contracts are shares, indices, goods and currencies. It has no inverse contracts and no notices. */
export const ourbit = mexcVenue({
  slug: 'ourbit',
  listings: { isListedBeforeOpening: true, listingTime: 'exact' },
  exchange: 'Ourbit',
  quotes: ['USDT'],
  inverseQuote: null,
  intervals: [4, 8, 1, 24],
  coverage: 0.75,
  traditionalCoverage: 0.9,
});
