import { DAY_MS, HOUR_MS } from '../src/base/times.ts';
import type { AssetClass } from '../src/venues/observations.ts';
import type { SimCoin, Tier } from './coins.ts';

/** Shares, indices, metals, fuels and currencies. Prices are plausible, not current. */
const LISTED: readonly [ticker: string, anchorPriceUsd: number, assetClass: AssetClass, tier: Tier][] = [
  ['TSLA', 412, 'stock', 0],
  ['NVDA', 188, 'stock', 0],
  ['AMZN', 231, 'stock', 1],
  ['GOOGL', 284, 'stock', 1],
  ['META', 618, 'stock', 1],
  ['MSFT', 502, 'stock', 1],
  ['AMD', 241, 'stock', 1],
  ['COIN', 302, 'stock', 1],
  ['MSTR', 221, 'stock', 1],
  ['HOOD', 131, 'stock', 1],
  ['PLTR', 178, 'stock', 1],
  ['INTC', 36.4, 'stock', 2],
  ['NFLX', 112, 'stock', 2],
  ['ORCL', 221, 'stock', 2],
  ['CRCL', 83, 'stock', 2],
  ['SNDK', 262, 'stock', 2],
  ['MU', 246, 'stock', 2],
  ['BABA', 158, 'stock', 2],
  ['TSM', 283, 'stock', 2],
  ['AVGO', 341, 'stock', 2],
  ['LLY', 1021, 'stock', 2],
  ['COST', 914, 'stock', 2],
  ['RIVN', 15.2, 'stock', 3],
  ['SNAP', 8.31, 'stock', 3],
  ['GME', 21.4, 'stock', 3],
  ['US100', 25_100, 'index', 0],
  ['JP225', 50_300, 'index', 2],
  ['XAU', 4081, 'commodity', 0],
  ['XAG', 50.7, 'commodity', 1],
  ['COPPER', 5.08, 'commodity', 2],
  ['NATGAS', 4.52, 'commodity', 2],
  ['USDJPY', 154.6, 'forex', 1],
  ['GBPUSD', 1.317, 'forex', 2],
];

/** Prices of shares and goods move far less than those of coins. */
const SWING = 0.05;

export const TRADITIONAL: readonly SimCoin[] = LISTED.map(([ticker, anchorPriceUsd, assetClass, tier]) => ({
  ...{ id: `${ticker}/${assetClass}`, ticker, anchorPriceUsd, tier, assetClass, swing: SWING },
}));

/** The simulated market of all of them is open from Monday to Friday, 13:30 to 20:00 UTC. */
const OPENS_MS = 13.5 * HOUR_MS;
const CLOSES_MS = 20 * HOUR_MS;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** The newest time at which the market of the asset was open; the given one for coins and in market hours. */
export function lastOpenMs({ assetClass = 'crypto' }: Pick<SimCoin, 'assetClass'>, atMs: number): number {
  if (assetClass === 'crypto') return atMs;
  let day = Math.floor(atMs / DAY_MS);
  let timeMs = Math.min(atMs - day * DAY_MS, CLOSES_MS);
  while (timeMs < OPENS_MS || isWeekend(day)) {
    day--;
    timeMs = CLOSES_MS;
  }
  return day * DAY_MS + timeMs;
}

function isWeekend(day: number): boolean {
  const weekday = (day + FIRST_WEEKDAY) % 7;
  return weekday === 0 || weekday === 6;
}
