import type { ContractStatus } from '../observations.ts';

/**
 * What Pionex sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://www.pionex.com/docs/api-docs/futures-api/common and …/futures-api/market
 */

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  TRADING: 'trading',
  OFFLINE: 'halted',
};

/**
 * Shares and funds that are listed as xStocks, with an X after the ticker. The list has no class, and many coins end in
 * X too (AVAX, TRX, DYDX), so they are known by name.
 */
export const SHARES: ReadonlySet<string> = new Set(
  (
    'AA AAPL ABNB ABT ADBE AMBR AMD AMZN APP ARM ASML AVGO AZN BABA BAC BRK.B CAR CMCSA COIN COST CRCL CRM CRWD CSCO CVX ' +
    'DFDV DHR GLD GME GOOGL GS HD HIMS HON HOOD IBM INTC JNJ JPM KO LIN LLY MA MARA MCD MDT META MRK MRVL MSFT MSTR MU ' +
    'NBIS NFLX NVDA NVO ORCL PANW PEP PFE PG PLTR PM QQQ RIOT SBET SHOP SMCI SNDK SOXL SPCX SPY TBLL TMO TQQQ TSLA TSM ' +
    'UBER UNH V VTI WMT XOM XYZ'
  )
    .split(' ')
    .map((ticker) => `${ticker}X`),
);

/** More rows are refused. */
export const HISTORY_PAGE_ROWS = 100;

export const DEPTH_LEVELS = 100;
