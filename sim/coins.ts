import type { AssetClass } from '../src/venues/observations.ts';
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
  /** What the venue's list states; a coin if not given. */
  assetClass?: AssetClass;
  /** How wide its price moves beside that of other coins; 1 if not given. */
  swing?: number;
}

/** Real tickers: the largest coins, and some small ones whose contracts are multiplied. Prices are plausible, not current. */
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
  ['XLM', 0.31, 1],
  ['HBAR', 0.19, 1],
  ['ZEC', 412, 1],
  ['XMR', 364, 1],
  ['TAO', 338, 1],
  ['MNT', 1.18, 1],
  ['ICP', 4.62, 1],
  ['ETC', 16.8, 1],
  ['ONDO', 0.72, 1],
  ['WLD', 0.81, 1],
  ['ASTER', 1.12, 1],
  ['CRO', 0.131, 2],
  ['KAS', 0.0518, 2],
  ['POL', 0.182, 1],
  ['VET', 0.0171, 2],
  ['ALGO', 0.174, 2],
  ['RENDER', 2.41, 2],
  ['FET', 0.318, 2],
  ['PUMP', 0.00412, 1],
  ['TRUMP', 6.92, 1],
  ['PENGU', 0.0163, 1],
  ['WLFI', 0.142, 1],
  ['STX', 0.412, 2],
  ['IMX', 0.423, 2],
  ['QNT', 92.4, 2],
  ['GRT', 0.0551, 2],
  ['LDO', 0.842, 2],
  ['THETA', 0.513, 2],
  ['XTZ', 0.621, 2],
  ['CRV', 0.463, 1],
  ['ENS', 12.9, 2],
  ['PENDLE', 2.71, 2],
  ['MORPHO', 1.72, 2],
  ['SKY', 0.0562, 2],
  ['CAKE', 2.53, 2],
  ['PYTH', 0.0942, 2],
  ['JASMY', 0.00942, 2],
  ['RAY', 1.41, 2],
  ['SAND', 0.193, 2],
  ['MANA', 0.214, 2],
  ['AXS', 1.31, 2],
  ['GALA', 0.00981, 2],
  ['DYDX', 0.292, 2],
  ['FLOW', 0.263, 3],
  ['EGLD', 9.42, 2],
  ['NEO', 4.63, 2],
  ['IOTA', 0.131, 2],
  ['BSV', 22.4, 3],
  ['CFX', 0.0914, 2],
  ['AR', 4.61, 2],
  ['STRK', 0.141, 2],
  ['ZK', 0.0413, 2],
  ['ZRO', 1.62, 2],
  ['EIGEN', 0.723, 2],
  ['ETHFI', 0.931, 2],
  ['JTO', 0.624, 2],
  ['VIRTUAL', 1.05, 2],
  ['FARTCOIN', 0.312, 1],
  ['SPX', 0.722, 2],
  ['POPCAT', 0.131, 2],
  ['TURBO', 0.00263, 3],
  ['KAITO', 0.812, 2],
  ['BERA', 1.31, 2],
  ['IP', 3.42, 2],
  ['XPL', 0.291, 2],
  ['LINEA', 0.0132, 2],
  ['AVNT', 0.621, 3],
  ['COMP', 34.2, 2],
  ['SNX', 0.861, 3],
  ['GMX', 10.4, 3],
  ['CHZ', 0.0334, 2],
  ['APE', 0.313, 2],
  ['BLUR', 0.0421, 3],
  ['ROSE', 0.0193, 3],
  ['MINA', 0.112, 3],
  ['KSM', 9.83, 3],
  ['SUSHI', 0.462, 3],
  ['YFI', 4720, 3],
  ['BOME', 0.000914, 2],
  ['SATS', 0.0000000218, 2],
  ['DOGS', 0.0000538, 3],
  ['XEC', 0.0000121, 3],
  ['MEW', 0.00143, 3],
  ['PNUT', 0.113, 2],
  ['MOODENG', 0.0812, 3],
  ['CELO', 0.191, 3],
  ['ZIL', 0.00752, 3],
  ['MASK', 0.813, 3],
  ['ANKR', 0.00943, 3],
  ['LRC', 0.0662, 3],
];

/** The other coin that some venues list under the ticker NEIRO. */
export const NAMESAKE: SimCoin = { id: 'NEIRO/twin', ticker: 'NEIRO', anchorPriceUsd: 0.0187, tier: 3 };

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

/** Real tickers first; invented ones only beyond them. */
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
