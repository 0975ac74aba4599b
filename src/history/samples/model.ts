import { DEPTH_BLOCK_MINUTES } from '../../storage/blocks.ts';

/** Order sizes in USD at which books are priced. */
export const SIZES_USD = [25, 100, 500] as const;
export type SizeUsd = (typeof SIZES_USD)[number];

/** Fill prices of one contract in one minute: buy 25, 100, 500, then sell 25, 100, 500. */
export const PRICE_COLUMNS = SIZES_USD.length * 2;

/**
 * A contract with the number that samples use. A contract whose coin or fee changes gets a new number and a new series,
 * so that a replay computes every cycle with the fee that applied then.
 */
export interface SampledContract {
  id: number;
  exchange: string;
  venueSymbol: string;
  coin: string;
  quote: string;
  /** The taker fee in percent where it is not the venue's usual one. */
  takerFeePct?: number;
}

/**
 * All contracts that could be priced in one minute. Prices are in USDT per coin, without multipliers, in the single
 * precision that is stored, so that live and replayed computations use the same numbers. NaN: the book could not fill
 * the size.
 */
export interface MinuteSample {
  /** Whole minutes since 1970. */
  minute: number;
  /** Ascending. */
  ids: Uint32Array;
  /** PRICE_COLUMNS for each id. */
  prices: Float32Array;
  /** 24 h turnover in USDT for each id. */
  volumesUsdt: Float32Array;
}

export const MINUTES_PER_BLOCK = DEPTH_BLOCK_MINUTES;

export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / 60_000);
}

export function msOfMinute(minute: number): number {
  return minute * 60_000;
}
