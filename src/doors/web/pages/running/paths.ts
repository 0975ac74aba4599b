import { linkTo } from '../../markup/page-links.ts';

export const RUNNING_PATH = '/funding/:coin/:exchange';

/** The page with the running rate of a contract. Without a symbol it is the most traded one of the venue on the coin. */
export function runningPath(coin: string, exchange: string, symbol: string | null = null): string {
  const path = `/funding/${encodeURIComponent(coin)}/${encodeURIComponent(exchange)}`;
  return linkTo(path, new Map(symbol === null ? [] : [['symbol', [symbol]]]));
}
