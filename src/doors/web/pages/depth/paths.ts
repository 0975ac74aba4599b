import { linkTo } from '../../markup/page-links.ts';

export const DEPTH_PATH = '/depth';
export const CONTRACT_PATH = '/depth/:coin/:exchange';

export function contractPath(coin: string, exchange: string): string {
  return `/depth/${encodeURIComponent(coin)}/${encodeURIComponent(exchange)}`;
}

/** The page of one contract. Without a symbol it is the most traded one of the venue on the coin. */
export function contractLink(
  { coin, exchange, symbol }: Readonly<{ coin: string; exchange: string; symbol: string | null }>,
  sizeUsd: string | undefined,
): string {
  const query = new Map<string, string[]>();
  if (symbol !== null) query.set('symbol', [symbol]);
  if (sizeUsd !== undefined) query.set('size_usd', [sizeUsd]);
  return linkTo(contractPath(coin, exchange), query);
}
