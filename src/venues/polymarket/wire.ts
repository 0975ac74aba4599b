import type { AssetClass } from '../observations.ts';

/**
 * What Polymarket Perps sends, as far as we read it; not the API of the prediction markets. Every field arrives as `unknown`
 * and is checked in parse.ts. https://docs.polymarket.com/perps and https://docs.polymarket.com/api-spec/perps-openapi.json
 */

export const CLASS_OF_CATEGORY: Readonly<Record<string, AssetClass>> = {
  crypto: 'crypto',
  index: 'index',
  equity: 'stock',
  commodity: 'commodity',
};

/** Coins that the venue files as equity, known by their prices on 2026-09-13. */
export const COINS_AMONG_SHARES: ReadonlySet<string> = new Set(['PONS', 'CASHCAT', 'USELESS']);

/** A capital K is a thousand in front of a coin that costs next to nothing, and a letter elsewhere: KAS, KAVA. */
const THOUSAND = /^K(PEPE|SHIB|BONK|FLOKI|NEIRO|LUNC|DOGS)$/;

export function baseOf(asset: string): string {
  return asset.replace(THOUSAND, 'k$1');
}

/** All positions are in dollars of the venue, to which collateral is converted. */
export const SETTLE = 'pUSD';

export const DEPTH_LEVELS = 100;
