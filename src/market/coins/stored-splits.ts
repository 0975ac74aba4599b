import { listOf, nullable, number, objectOf, oneOf, type Parse, text } from '../../base/parsing.ts';
import { ASSET_CLASSES, type AssetClass } from '../../venues/observations.ts';

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

const splitCoin = objectOf<SplitCoin>({
  coin: text,
  assetClass: nullable(oneOf(...ASSET_CLASSES)),
  priceUsd: number,
  exchanges: listOf(text),
});

export const parseSplits: Parse<StoredSplits> = objectOf<StoredSplits>({
  checkedAtMs: number,
  coins: listOf(objectOf({ key: text, ticker: text, coin: text, sinceMs: number })),
  pending: listOf(objectOf({ key: text, coin: text, sinceMs: number })),
  tickers: listOf(objectOf({ ticker: text, sinceMs: number, coins: listOf(splitCoin) })),
});
