/** The page with every settled payment of a contract. */
export function settlementsPath(coin: string, exchange: string, symbol: string): string {
  const query = new URLSearchParams({ exchange, symbol, resolution: 'settlement' });
  return `/funding/${encodeURIComponent(coin)}/history?${query}`;
}
