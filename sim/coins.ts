import { hash, unit } from './noise.ts';

/** Liquidity of a coin: 0 = majors with deep books, 3 = coins whose book sometimes cannot fill 500 USD. */
export type Tier = 0 | 1 | 2 | 3;

export interface SimCoin {
  /** Distinguishes two coins that share a ticker. */
  id: string;
  ticker: string;
  /** The price in USD around which the simulated price moves. */
  anchorPriceUsd: number;
  tier: Tier;
}

const KNOWN: readonly [ticker: string, anchorPriceUsd: number, tier: Tier][] = [
  ['BTC', 96_400, 0],
  ['ETH', 3_310, 0],
  ['SOL', 187, 0],
  ['XRP', 2.31, 0],
  ['DOGE', 0.243, 0],
  ['BNB', 905, 0],
  ['PEPE', 0.0000117, 1],
  ['SHIB', 0.0000143, 1],
  ['BONK', 0.0000189, 1],
  ['FLOKI', 0.0000871, 1],
  ['1INCH', 0.281, 2],
  ['0G', 1.72, 2],
  ['NEIRO', 0.000392, 2],
  ['MOG', 0.00000083, 2],
  ['BABYDOGE', 0.00000000141, 2],
  ['ADA', 0.71, 0],
  ['LTC', 112, 0],
  ['LINK', 17.4, 0],
  ['AVAX', 21.6, 1],
  ['TRX', 0.297, 1],
  ['TON', 2.05, 1],
  ['DOT', 2.94, 1],
  ['BCH', 521, 1],
  ['NEAR', 2.66, 1],
  ['APT', 3.31, 1],
  ['ARB', 0.31, 1],
  ['OP', 0.44, 1],
  ['SUI', 2.12, 1],
  ['FIL', 1.63, 1],
  ['ATOM', 2.97, 1],
  ['INJ', 7.1, 1],
  ['UNI', 7.9, 1],
  ['AAVE', 192, 1],
  ['WIF', 0.49, 1],
  ['SEI', 0.18, 2],
  ['TIA', 0.97, 2],
  ['ENA', 0.31, 1],
  ['HYPE', 39.4, 1],
  ['JUP', 0.36, 2],
  ['LUNC', 0.0000412, 2],
];

/** The other coin that some venues list under the ticker NEIRO. */
export const TWIN: SimCoin = { id: 'NEIRO/twin', ticker: 'NEIRO', anchorPriceUsd: 0.0187, tier: 3 };

const SYLLABLES = [
  'AL',
  'BO',
  'CRI',
  'DA',
  'EX',
  'FLU',
  'GA',
  'HO',
  'IX',
  'JO',
  'KRA',
  'LU',
  'MI',
  'NO',
  'OR',
  'PLA',
];

export function coinsOf(seed: number, count: number): SimCoin[] {
  const coins: SimCoin[] = KNOWN.slice(0, count).map(([ticker, anchorPriceUsd, tier]) => ({
    id: ticker,
    ticker,
    anchorPriceUsd,
    tier,
  }));
  const taken = new Set(coins.map((coin) => coin.ticker));
  for (let i = 0; coins.length < count; i++) {
    const h = hash('ticker', seed, i);
    const syllable = (shift: number) => SYLLABLES[(h >>> shift) % SYLLABLES.length] ?? '';
    const ticker = `${syllable(0)}${syllable(7)}${h % 3 === 0 ? syllable(14) : ''}`.slice(0, 6);
    if (taken.has(ticker)) continue;
    taken.add(ticker);
    coins.push(generatedCoin(ticker, seed));
  }
  return coins;
}

/** A coin derived from its ticker alone, so that coins of past and future listings need no table. */
export function generatedCoin(ticker: string, seed: number): SimCoin {
  const anchorPriceUsd = Number((10 ** (unit(`price ${ticker}`, seed) * 4 - 2)).toPrecision(4));
  const draw = unit(`tier ${ticker}`, seed);
  return { id: ticker, ticker, anchorPriceUsd, tier: draw < 0.2 ? 1 : draw < 0.7 ? 2 : 3 };
}
