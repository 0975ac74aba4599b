import type { Announcement, Contract } from '../../src/venues/observations.ts';

/** A contract as a venue adapter returns it; tests set only the fields that the calendar reads. */
export function contract(base: string, wanted: Partial<Contract> = {}): Contract {
  return {
    venueSymbol: `${base}USDT`,
    base,
    quote: 'USDT',
    settle: 'USDT',
    isInverse: false,
    contractSize: 1,
    status: 'trading',
    venueStatus: 'TRADING',
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: null,
    intervalHours: null,
    ...wanted,
  };
}

export function notice(
  id: string,
  publishedAtMs: number,
  title: string,
  body: string | null = null,
): Announcement {
  return { id, title, body, category: '', url: `https://venue.example/${id}`, publishedAtMs };
}
