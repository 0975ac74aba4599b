import type { AssetClass } from '../../venues/observations.ts';

/**
 * Names under which venues list what most venues list under another one, and units that are not the usual ones. A row is
 * only a suggestion: a contract is joined with the coin while the prices agree (`IdentityResolver`).
 */
export interface Alias {
  /** The name that most venues use. */
  coin: string;
  /** Other names of it, in capitals; a multiplier before them (1000NEIROCTO) is split off first. */
  names: readonly string[];
  /** What it is. A contract that its venue states to be a coin is never joined with anything else. */
  assetClass: AssetClass;
  /** The only venue where the name has this meaning; every venue if not given. */
  exchange?: string;
  /** Price of the contract's base divided by that of the coin; 1 if not given. */
  priceFactor?: number;
  source: string;
  readOn: string;
}

const BINGX = 'https://open-api.bingx.com/openApi/swap/v2/quote/contracts';
const WEEX = 'displaySymbol of https://api-contract.weex.com/capi/v3/market/exchangeInfo';
const OKX = 'https://www.okx.com/api/v5/public/instruments?instType=SWAP';
/** Mark prices of both names side by side; `real-rows.test.ts` has figures. */
const MARKS = 'mark prices of both names, collected in https://github.com/belyjelli/ai-rates';

/** The venue's own list has the name, but no price of it beside the usual name is on record. */
const NOT_MEASURED = 'the name is in the list of venues; its price was not measured';

export const ALIASES: readonly Alias[] = [
  // Coins.
  alias('NEIRO', ['NEIROCTO'], 'crypto', `displayName of ${BINGX}`, '2026-09-23'),
  alias('TRUMP', ['TRUMPSOL'], 'crypto', `displayName of ${BINGX}`, '2026-09-23'),
  // The index of Toobit's TON-SWAP-USDT is GRAMUSDT of Binance alone; both were at 1.45.
  alias('GRAM', ['TON'], 'crypto', 'indexToken of https://api.toobit.com/api/v1/exchangeInfo', '2026-09-22'),
  alias('牛来', ['NIULAI'], 'crypto', WEEX, '2026-09-23'),
  alias('币安人生', ['BIANRENSHENG'], 'crypto', WEEX, '2026-09-23'),
  {
    // Written in capitals, so the prefix cannot be told from a name such as MANA. Mark 0.0003824 beside an index of 3.8e-10.
    ...alias(
      'BABYDOGE',
      ['MBABYDOGE'],
      'crypto',
      'https://api.gateio.ws/api/v4/futures/usdt/contracts',
      '2026-11-17',
    ),
    exchange: 'Gate',
    priceFactor: 1_000_000,
  },
  // Shares. Tickers with X or STOCK after them need no row (`names.ts`).
  alias('LGELECTRONICS', ['LGSTOCKS'], 'stock', WEEX, '2026-09-23'),
  alias('SAMSUNG', ['SMSN'], 'stock', MARKS, '2026-09-13'),
  alias('ANTHROPIC', ['ANTHROP'], 'stock', MARKS, '2026-09-13'),
  // Crypto.com, whose indices of both are made of the contracts of OKX, Gate and Binance.
  alias('OPENAI', ['OPENAIIPO'], 'stock', NOT_MEASURED, '2026-11-18'),
  alias('ANTHROPIC', ['ANTHROPICIPO'], 'stock', NOT_MEASURED, '2026-11-18'),
  // Measured: 148.81 where all other venues quoted 1,456 to 1,459.
  { ...alias('OPENAI', ['OPENAI'], 'stock', OKX, '2026-09-15'), exchange: 'OKX', priceFactor: 0.1 },
  { ...alias('ANTHROPIC', ['ANTHROPIC'], 'stock', OKX, '2026-09-15'), exchange: 'OKX', priceFactor: 0.1 },
  // Indices. SPX is the coin SPX6900.
  alias('US500', ['SPX500', 'SP500', 'SPX500M'], 'index', MARKS, '2026-09-13'),
  alias('NAS100', ['NASDAQ100', 'TECH100M'], 'index', MARKS, '2026-09-13'),
  // Paradex, and the dex of XYZ, whose annotation has the words nasdaq and qqq.
  alias('NAS100', ['US100', 'XYZ100'], 'index', NOT_MEASURED, '2026-11-17'),
  // SoDEX.
  alias('NAS100', ['USTECH100'], 'index', NOT_MEASURED, '2026-11-18'),
  // Commodities. CL is also the ticker of Colgate, GOLD that of Barrick: then the class is stock.
  alias('CL', ['WTI', 'WTIOIL'], 'commodity', MARKS, '2026-09-13'),
  alias('BZ', ['BRENT'], 'commodity', MARKS, '2026-09-13'),
  alias('NATGAS', ['NG', 'XNG'], 'commodity', MARKS, '2026-09-12'),
  // XT; the others are what BingX writes between NCCO and 2USD.
  alias('CL', ['USOIL', 'OILWTI'], 'commodity', NOT_MEASURED, '2026-11-17'),
  alias('BZ', ['OILBRENT'], 'commodity', NOT_MEASURED, '2026-11-17'),
  // Bitfinex.
  alias('BZ', ['UKOIL'], 'commodity', NOT_MEASURED, '2026-11-18'),
  alias('NATGAS', ['NATURALGAS'], 'commodity', NOT_MEASURED, '2026-11-17'),
  {
    ...alias(
      'NATGAS',
      ['GAS'],
      'commodity',
      'category of https://api.btse.com/public-api/market/v1/markets',
      '2026-09-14',
    ),
    exchange: 'BTSE',
  },
  alias('XAU', ['GOLD'], 'commodity', MARKS, '2026-09-12'),
  alias('XAG', ['SILVER'], 'commodity', MARKS, '2026-09-12'),
  // Pacifica.
  alias('XPT', ['PLATINUM'], 'commodity', NOT_MEASURED, '2026-11-17'),
  // Currencies: where a venue lists one code, it is the price of that currency in dollars.
  ...['EUR', 'GBP', 'AUD', 'NZD', 'CHF', 'CAD'].map((code) =>
    alias(`${code}USD`, [code], 'forex', NOT_MEASURED, '2026-11-17'),
  ),
  // The other way round at trade.xyz: a dollar in yen.
  alias(
    'USDJPY',
    ['JPY'],
    'forex',
    'displayName of perpConciseAnnotations, https://api.hyperliquid.xyz/info',
    '2026-09-13',
  ),
];

function alias(
  coin: string,
  names: readonly string[],
  assetClass: AssetClass,
  source: string,
  readOn: string,
): Alias {
  return { coin, names, assetClass, source, readOn };
}
