/**
 * What Variational's application Omni sends, as far as we read it. Every field arrives as `unknown` and is checked in
 * parse.ts. https://docs.variational.io/technical-documentation/api
 */

/** Perpetuals and swaps settle in USDC, in which prices and volumes are given too. */
export const QUOTE = 'USDC';

/** `funding_rate` is a fraction of a year: the documented interest of 0.00125 % an hour reads 0.1095. */
export const HOURS_OF_RATE = 8760;

/** No field has a class, but the names of companies and funds end as they are registered: Caterpillar Inc. */
export const REGISTERED_NAME = /\b(?:Inc|Corp|Corporation|Co|plc|PLC|Ltd|N\.V|S\.A|ETF|Trust)\.?$/;
