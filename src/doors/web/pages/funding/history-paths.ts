import { linkWith } from '../../markup/page-links.ts';

const NO_QUERY = new Map<string, string[]>();

/** The page with every settled payment of a contract. */
export function settlementsPath(coin: string, exchange: string, symbol: string): string {
  const path = `/funding/${encodeURIComponent(coin)}/history`;
  return linkWith(path, NO_QUERY, { exchange, symbol, resolution: 'settlement' });
}
