import type { Row } from '../../layout/visitor.ts';

const NAMES = ['coin', 'long_exchange', 'short_exchange', 'long_symbol', 'short_symbol'];

function carryQuery(row: Row): URLSearchParams {
  return new URLSearchParams(NAMES.map((name) => [name, String(row[name])]));
}

/** The page of what a pair earned day by day. */
export function carryPairPath(row: Row): string {
  return `/arbitrage/pair?${carryQuery(row)}`;
}

export function carryFilePath(row: Row): string {
  return `/arbitrage/pair.csv?${carryQuery(row)}`;
}

/** The page of the prices of the same two venues, which are named in the order of their characters. */
export function spreadPairPath(row: Row): string {
  const [long, short] = [String(row.long_exchange), String(row.short_exchange)];
  const [exchange_a, exchange_b] = long < short ? [long, short] : [short, long];
  return `/spreads/backtest/pair?${new URLSearchParams({ coin: String(row.coin), exchange_a, exchange_b })}`;
}

/** The name of a row in the address: `ENA-OKX-Hyperliquid`. */
export function rowName({ coin, long_exchange: long, short_exchange: short }: Row): string {
  return `${coin}-${long}-${short}`;
}
