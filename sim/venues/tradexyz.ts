import { dexVenue } from './hyperliquid.ts';

export const tradexyz = dexVenue(
  { slug: 'tradexyz', exchange: 'trade.xyz', coverage: 0.02, traditionalCoverage: 0.95 },
  'xyz',
);
