/** https://doc.xt.com/docs/futures/MarketData/get-configuration-information-for-listed-and-tradeable-symbols and its neighbours */
export const DOCS = 'https://doc.xt.com/docs/futures/MarketData';

/** Percent; a contract with another `takerFee` carries its own fee. */
export const TAKER_FEE_PCT = 0.06;

export const HISTORY_PAGE_ROWS = 200;

/** The documentation says at most 50; 100 and more are served. */
export const DEPTH_LEVELS = 100;

/** The parts of the venue by host: contracts in USDT, and contracts in coins with a face value in USD. */
export const PARTS = { rest: 'usdt-m', 'coin-m': 'coin-m' } as const;
export type Host = keyof typeof PARTS;
