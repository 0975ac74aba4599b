/**
 * Contracts whose base is not the ticker that other venues use, or whose unit is another one. A row is only a suggestion:
 * the contract is joined with the coin if the prices agree (see `IdentityResolver`).
 */
export interface Alias {
  exchange: string;
  /** The contract's own base. */
  base: string;
  coin: string;
  /** Price of the contract's base divided by that of the coin. */
  priceFactor: number;
  source: string;
  readOn: string;
}

const BINGX = {
  exchange: 'BingX',
  priceFactor: 1,
  source: 'displayName of https://open-api.bingx.com/openApi/swap/v2/quote/contracts',
  readOn: '2026-09-23',
};

const PHEMEX = {
  exchange: 'Phemex',
  priceFactor: 1,
  source: 'perpProductsV2 of https://api.phemex.com/public/products-plus',
  readOn: '2026-09-23',
};

/** Measured on 2026-09-15: 148.81 where all other venues quoted 1,456 to 1,459. */
const OKX = {
  exchange: 'OKX',
  priceFactor: 0.1,
  source: 'https://www.okx.com/api/v5/public/instruments?instType=SWAP',
  readOn: '2026-09-15',
};

const WEEX = {
  exchange: 'WEEX',
  priceFactor: 1,
  source: 'displaySymbol of https://api-contract.weex.com/capi/v3/market/exchangeInfo',
  readOn: '2026-09-23',
};

/** The index of TON-SWAP-USDT is GRAMUSDT of Binance alone; both were at 1.45 on 2026-09-22. */
const TOOBIT = {
  exchange: 'Toobit',
  priceFactor: 1,
  source: 'indexToken of https://api.toobit.com/api/v1/exchangeInfo',
  readOn: '2026-09-22',
};

/** Written in capitals, so the prefix cannot be told from a name such as MANA. Mark 0.0003824 beside an index of 3.8e-10. */
const GATE = {
  exchange: 'Gate',
  priceFactor: 1_000_000,
  source: 'MBABYDOGE_USDT of https://api.gateio.ws/api/v4/futures/usdt/contracts',
  readOn: '2026-11-17',
};

export const ALIASES: readonly Alias[] = [
  { ...GATE, base: 'MBABYDOGE', coin: 'BABYDOGE' },
  { ...BINGX, base: 'TRUMPSOL', coin: 'TRUMP' },
  { ...BINGX, base: 'NEIROCTO', coin: 'NEIRO' },
  { ...PHEMEX, base: 'SPYX', coin: 'SPY' },
  { ...PHEMEX, base: 'MUX', coin: 'MU' },
  { ...PHEMEX, base: 'NG', coin: 'NATGAS' },
  { ...OKX, base: 'OPENAI', coin: 'OPENAI' },
  { ...OKX, base: 'ANTHROPIC', coin: 'ANTHROPIC' },
  { ...WEEX, base: 'TON', coin: 'GRAM' },
  { ...WEEX, base: 'NIULAI', coin: '牛来' },
  { ...WEEX, base: 'BIANRENSHENG', coin: '币安人生' },
  { ...WEEX, base: 'TGTSTOCK', coin: 'TGT' },
  { ...WEEX, base: 'LGSTOCKS', coin: 'LGELECTRONICS' },
  { ...TOOBIT, base: 'TON', coin: 'GRAM' },
];
