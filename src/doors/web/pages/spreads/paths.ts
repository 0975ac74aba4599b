import type { Row } from '../../layout/visitor.ts';

export const PAIR_PATH = '/spreads/backtest/pair';

/** The page of two venues on a coin. Without a size it shows the usual one. */
export function pairPath(row: Row, sizeUsd?: number): string {
  const query = new URLSearchParams({
    coin: String(row.coin),
    exchange_a: String(row.exchange_a),
    exchange_b: String(row.exchange_b),
    ...(sizeUsd === undefined ? {} : { size_usd: String(sizeUsd) }),
  });
  return `${PAIR_PATH}?${query}`;
}
