import { ASSET_CLASSES, type AssetClass } from '../../venues/observations.ts';
import { isRow } from '../../venues/reading.ts';

/** A ticker that is more than one coin. */
export interface SplitTicker {
  ticker: string;
  sinceMs: number;
  coins: SplitCoin[];
}

export interface SplitCoin {
  coin: string;
  /** As most of its venues state it; null where none does. */
  assetClass: AssetClass | null;
  /** The median over its contracts. */
  priceUsd: number;
  exchanges: string[];
}

/** What a restart or another process must know to go on. */
export interface StoredSplits {
  checkedAtMs: number;
  coins: { key: string; ticker: string; coin: string; sinceMs: number }[];
  /** Contracts that will be another coin if the next checks say so too. */
  pending: { key: string; coin: string; sinceMs: number }[];
  tickers: SplitTicker[];
}

/** From parsed JSON; null if any of it has another shape. */
export function parseSplits(value: unknown): StoredSplits | null {
  if (!isRow(value) || typeof value.checkedAtMs !== 'number') return null;
  const coins = listOrNull(value.coins, ({ key, ticker, coin, sinceMs }) =>
    isText(key) && isText(ticker) && isText(coin) && isNumber(sinceMs)
      ? { key, ticker, coin, sinceMs }
      : null,
  );
  const pending = listOrNull(value.pending, ({ key, coin, sinceMs }) =>
    isText(key) && isText(coin) && isNumber(sinceMs) ? { key, coin, sinceMs } : null,
  );
  const tickers = listOrNull(value.tickers, ({ ticker, sinceMs, coins: parts }) => {
    const split = listOrNull(parts, parseCoin);
    return isText(ticker) && isNumber(sinceMs) && split ? { ticker, sinceMs, coins: split } : null;
  });
  return coins && pending && tickers && { checkedAtMs: value.checkedAtMs, coins, pending, tickers };
}

function parseCoin({ coin, assetClass, priceUsd, exchanges }: Record<string, unknown>): SplitCoin | null {
  const isClass = (text: unknown): text is AssetClass => ASSET_CLASSES.some((one) => one === text);
  if (!isText(coin) || !isNumber(priceUsd) || (assetClass !== null && !isClass(assetClass))) return null;
  if (!Array.isArray(exchanges) || !exchanges.every(isText)) return null;
  return { coin, assetClass, priceUsd, exchanges };
}

function listOrNull<T>(value: unknown, parse: (row: Record<string, unknown>) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const parsed: T[] = [];
  for (const one of value) {
    const row = isRow(one) ? parse(one) : null;
    if (row === null) return null;
    parsed.push(row);
  }
  return parsed;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
