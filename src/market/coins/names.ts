import type { AssetClass } from '../../venues/observations.ts';
import { ALIASES, type Alias } from './aliases.ts';
import {
  AGREEING_TOLERANCE,
  APART_TOLERANCE,
  type PricedContract,
  SAME_COIN_TOLERANCE,
  statedClass,
} from './priced-contract.ts';

/** A coin that a contract may be on, by its name. Prices decide whether it is. */
export interface Suggestion {
  coin: string;
  /** Units of the coin in one unit of the contract's base. */
  multiplier: number;
  /** The class that both contracts have where a price within 25 % is enough; null for any. */
  assetClass: AssetClass | null;
  /** The name follows from a pattern of shares: both contracts must be shares, and prices must agree closely. */
  isShare: boolean;
}

const PREFIX = /^(?:(1000000|100000|10000|1000|1M|1K)(?=[A-Za-z])|([km])(?=[A-Z]))(.+)$/;
const MULTIPLIER_OF: Readonly<Record<string, number>> = {
  k: 1000,
  m: 1_000_000,
  '1000': 1000,
  '10000': 10_000,
  '100000': 100_000,
  '1000000': 1_000_000,
  '1M': 1_000_000,
  '1K': 1000,
};

/** Splits `1000PEPE` into 1000 and PEPE, which may be wrong; null for names such as 1INCH, 0G and 100X. */
export function splitMultiplier(base: string): { coin: string; multiplier: number } | null {
  const match = PREFIX.exec(base);
  const multiplier = MULTIPLIER_OF[match?.[1] ?? match?.[2] ?? ''];
  return match?.[3] && multiplier ? { coin: match[3], multiplier } : null;
}

/** Tokenised shares (AAPLX of Pionex, AAPLx of Kraken) and shares whose ticker a coin has too (CATSTOCK of WEEX). */
const SHARE_NAME = /^(.+?)(?:X|STOCKS?)$/;
/** BingX writes NCSKTSLA2USD, NCFXEUR2USD and NCCO1OILWTI2USD; digits before the name tell its series. */
const BINGX_NAME = /^NC(SK|FX|CO|SI)(?:1|724)?(.+)2([A-Z]{3})$/;

const ALIASES_OF: ReadonlyMap<string, readonly Alias[]> = Map.groupBy(
  ALIASES.flatMap((alias) => alias.names.map((name) => ({ ...alias, names: [name] }))),
  ({ names }) => names[0] ?? '',
);

/** The coins that the contract may be on beside the one that its base names, the most specific first. */
export function suggestionsFor(contract: PricedContract): Suggestion[] {
  const { base } = contract;
  const found = aliasesOf(contract, base, 1);
  const parts = splitMultiplier(base);
  if (parts)
    found.push(...aliasesOf(contract, parts.coin, parts.multiplier), {
      ...parts,
      coin: parts.coin.toUpperCase(),
      assetClass: null,
      isShare: false,
    });
  const upper = base.toUpperCase();
  const [, kind, inner, currency] = BINGX_NAME.exec(upper) ?? [];
  if (contract.exchange === 'BingX' && kind && inner && currency) {
    const name = kind === 'FX' ? `${inner}${currency}` : inner;
    const named = { coin: name, multiplier: 1, assetClass: contract.assetClass, isShare: kind === 'SK' };
    found.push(...aliasesOf(contract, name, 1), named);
  }
  const ticker = SHARE_NAME.exec(upper)?.[1];
  if (ticker && contract.assetClass === 'stock')
    found.push({ coin: ticker, multiplier: 1, assetClass: 'stock', isShare: true });
  return found;
}

function aliasesOf(contract: PricedContract, name: string, multiplier: number): Suggestion[] {
  const rows = ALIASES_OF.get(name.toUpperCase()) ?? [];
  return rows
    .filter(({ exchange, assetClass }) =>
      exchange === undefined ? maybeOf(contract, assetClass) : exchange === contract.exchange,
    )
    .map(({ coin, assetClass, exchange, priceFactor = 1 }) => ({
      coin,
      multiplier: multiplier * priceFactor,
      // A row for one venue is about that very contract, so its class does not matter.
      assetClass: exchange === undefined ? assetClass : null,
      isShare: false,
    }));
}

/** Venues take a share for an index or an index for a share, but what a venue states to be a coin is nothing else. */
function maybeOf(contract: PricedContract, assetClass: AssetClass): boolean {
  const stated = statedClass(contract);
  return stated === null || (stated === 'crypto') === (assetClass === 'crypto');
}

/**
 * How far the price of another contract on the suggested coin may be away; null if that contract proves nothing. A joined
 * name stays while prices are within the wider bound, so that a name is not lost at the edge.
 */
export function toleranceOf(
  { assetClass, isShare }: Suggestion,
  contract: PricedContract,
  other: PricedContract,
  isJoined: boolean,
): number | null {
  const close = isJoined ? APART_TOLERANCE : AGREEING_TOLERANCE;
  const areSame = contract.assetClass === assetClass && other.assetClass === assetClass;
  if (isShare) return areSame ? close : null;
  if (assetClass === null || areSame) return SAME_COIN_TOLERANCE;
  return maybeOf(other, assetClass) ? close : null;
}
