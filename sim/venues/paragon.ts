import { dexVenue } from './hyperliquid.ts';

export const paragon = dexVenue(
  { slug: 'paragon', exchange: 'Paragon', coverage: 0.02, traditionalCoverage: 0.4 },
  'para',
);
