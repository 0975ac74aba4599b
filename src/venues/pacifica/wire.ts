import type { AssetClass } from '../observations.ts';

/**
 * What Pacifica sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://docs.pacifica.fi/api-documentation/api (HTTP and WebSocket)
 */

/** Symbols are bare (`BTC`); margin, profit and loss are in USDC. */
export const QUOTE = 'USDC';

/** Both published rates are for one hour, and every print is an hour after the one before. */
export const INTERVAL_HOURS = 1;

/** The calls have no class. These are the equities and commodities of the web app on 2026-09-14; pairs name themselves. */
const NAMES: Readonly<Partial<Record<AssetClass, string>>> = {
  stock:
    'AAPL AMZN ANTHROPIC COIN CRCL DRAM GME GOOGL HOOD META MSFT MSTR MU NFLX NVDA PLTR SAMSUNG SKHYNIX SNDK SPCX TSLA',
  index: 'SP500',
  commodity: 'CL COPPER NATGAS PLATINUM URNM XAG XAU',
};
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as AssetClass]),
  ),
);

/** Credits per call, measured on 2026-09-14; a page of prints costs the same whatever its length. */
export const CREDITS = { info: 10, history: 90 };

export const HISTORY_PAGE_ROWS = 4000;
