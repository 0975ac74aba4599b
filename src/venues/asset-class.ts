import type { AssetClass } from './observations.ts';

/** Coins that some venues list under metals or currencies, because their price follows gold or the dollar. */
const COINS: ReadonlySet<string> = new Set(['PAXG', 'XAUT', 'USDC']);

const CURRENCY =
  'AUD|BRL|CAD|CHF|CNH|CNY|CZK|DKK|EUR|GBP|HKD|HUF|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|SGD|THB|TRY|TWD|USD|ZAR';
const CURRENCY_PAIR = new RegExp(`^(?:${CURRENCY})(?:${CURRENCY})$`);

/** Stock indices under the names that all venues share. Names without a number, such as SPX, are coins too. */
const INDICES: ReadonlySet<string> = new Set([
  ...['US30', 'US100', 'US500', 'US2000', 'SPX500', 'NAS100', 'UK100', 'DE40', 'GER40', 'FR40', 'EU50'],
  ...['JP225', 'JPN225', 'HK50', 'CN50', 'KR200', 'AU200'],
]);

/** Codes of metals, which no coin has. */
const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG', 'XPT', 'XPD']);

/** Metals and fuels under names that no listed company has. CL is left out: it is crude oil and Colgate. */
const METALS_AND_FUELS: ReadonlySet<string> = new Set([
  ...['XCU', 'SILVER', 'COPPER', 'PLATINUM', 'PALLADIUM', 'ALUMINIUM'],
  ...['WTI', 'WTIOIL', 'BRENT', 'USOIL', 'UKOIL', 'XTI', 'XBR', 'XNG', 'NATGAS'],
]);

/** Prices of an hour of computing on a processor, such as H100 and B200. */
const COMPUTING = /^(?:A|B|H|GB)\d{3}$/;

/** The class of a name that means the same at every venue, whatever label the venue gives it. */
function classOfName(base: string): AssetClass | null {
  if (COINS.has(base)) return 'crypto';
  if (METALS.has(base)) return 'commodity';
  if (CURRENCY_PAIR.test(base)) return 'forex';
  return INDICES.has(base) ? 'index' : null;
}

/** The class that the venue's label gives, unless the name has a class of its own. */
export function assetClassOf(base: string, labelled: AssetClass): AssetClass {
  return classOfName(base) ?? labelled;
}

/** The class of what a venue marks as a traditional asset without saying which kind: a stock, unless its name says more. */
export function traditionalClassOf(base: string): AssetClass {
  const isCommodity = COMPUTING.test(base) || METALS_AND_FUELS.has(base);
  return classOfName(base) ?? (isCommodity ? 'commodity' : 'stock');
}

/** For lists without a class: shares by the venue's own table, metals, fuels, indices and currencies by name, else a coin. */
export function classByName(base: string, shares: ReadonlySet<string>): AssetClass {
  if (shares.has(base)) return 'stock';
  return classOfName(base) ?? (METALS_AND_FUELS.has(base) ? 'commodity' : 'crypto');
}
