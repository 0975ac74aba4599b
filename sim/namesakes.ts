import type { AssetClass } from '../src/venues/observations.ts';
import type { SimCoin } from './coins.ts';

/** Something that venues list under the ticker of something else, or under several names. */
export interface Namesake {
  coin: SimCoin;
  /** The base by the venue's slug; with a multiplier before it, a contract is on so many units. */
  bases: Readonly<Record<string, string>>;
}

function namesake(
  id: string,
  anchorPriceUsd: number,
  assetClass: AssetClass,
  bases: Readonly<Record<string, string>>,
): Namesake {
  const ticker = id.split('/')[0] ?? id;
  return { coin: { id, ticker, anchorPriceUsd, tier: 1, assetClass, swing: 0.02 }, bases };
}

/** As venues listed them in autumn 2026. The prices of QNT are of that time, the others are made up. */
export const NAMESAKES: readonly Namesake[] = [
  // Quant and Quantinuum.
  namesake('QNT', 64.32, 'crypto', { binance: 'QNT', bybit: 'QNT', gate: 'QNT', kucoin: 'QNT' }),
  namesake('QNT/share', 48.73, 'stock', {
    ...{ kucoin: 'QNTX', okx: 'QNT', btse: 'QNT', lighter: 'QNT', weex: 'QNTSTOCK' },
    // Its list has no classes.
    xt: 'QNT',
  }),
  // NEO's GAS and natural gas.
  namesake('GAS', 2.41, 'crypto', { binance: 'GAS', gate: 'GAS', okx: 'GAS' }),
  namesake('GAS/natural', 2.94, 'commodity', { btse: 'GAS' }),
  // Oil and Colgate.
  namesake('CL', 96.15, 'commodity', {
    ...{ binance: 'CL', okx: 'CL', dydx: 'WTI', xt: 'USOIL', bingx: 'NCCO1OILWTI2USD' },
  }),
  namesake('CL/share', 84.7, 'stock', { weex: 'CLSTOCK', lighter: 'CL' }),
  namesake('NEIRO', 0.000392, 'crypto', { binance: 'NEIRO', bybit: '1000NEIROCTO', bingx: 'NEIROCTO' }),
  namesake('GRAM', 1.452, 'crypto', { binance: 'GRAM', weex: 'TON', xt: 'TON' }),
  // The coin Simon's Cat and Caterpillar.
  namesake('CAT', 0.0000071, 'crypto', { binance: '1000CAT', bybit: '1000CAT', gate: 'CAT' }),
  namesake('CAT/share', 571.9, 'stock', { okx: 'CAT', weex: 'CATSTOCK' }),
  namesake('AAPL', 268.4, 'stock', {
    ...{ binance: 'AAPL', okx: 'AAPL', pionex: 'AAPLX', kraken: 'AAPLx', bingx: 'NCSKAAPL2USD' },
  }),
  namesake('US500', 7620, 'index', { okx: 'US500', gate: 'SPX500', bingx: 'NCSISP5002USD' }),
  namesake('EURUSD', 1.1624, 'forex', { lighter: 'EURUSD', kraken: 'EUR', bingx: 'NCFXEUR2USD' }),
];
