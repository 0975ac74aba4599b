import { atOnce, type Steps } from '../base/async/in-turns.ts';
import { median } from '../base/numbers.ts';
import type { AssetClass } from '../venues/observations.ts';
import { ALIASES, type Alias } from './aliases.ts';

/** The facts from which a contract's identity is decided. */
export interface PricedContract {
  /** Unique over all venues. */
  key: string;
  exchange: string;
  base: string;
  assetClass: AssetClass;
  /** Price of one unit of the contract's own base in USDT, or null while unknown. */
  price: number | null;
}

export interface Identity {
  coin: string;
  multiplier: number;
  /** The price is far from that of other venues under this ticker: most likely another coin. */
  isPriceOutlier: boolean;
  /** As most venues class the coin at this price. */
  assetClass: AssetClass;
}

/** Legs that differ by more than this share of the median are different coins. */
export const SAME_COIN_TOLERANCE = 0.25;

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

/** Splits `1000PEPE` into 1000 and PEPE, which may be wrong (see `#prove`); null for names such as 1INCH, 0G and 100X. */
export function splitMultiplier(base: string): { coin: string; multiplier: number } | null {
  const match = PREFIX.exec(base);
  const multiplier = MULTIPLIER_OF[match?.[1] ?? match?.[2] ?? ''];
  return match?.[3] && multiplier ? { coin: match[3], multiplier } : null;
}

const ALIAS_OF: ReadonlyMap<string, Alias> = new Map(
  ALIASES.map((alias) => [`${alias.exchange}/${alias.base}`, alias]),
);

/** Another name or unit that the contract may have, by its prefix or by the table of aliases; null if it has none. */
function suggestionFor({ exchange, base }: PricedContract): Suggestion | null {
  const alias = ALIAS_OF.get(`${exchange}/${base}`);
  if (alias) return { coin: alias.coin, multiplier: alias.priceFactor, isAlias: true };
  const parts = splitMultiplier(base);
  return parts && { ...parts, isAlias: false };
}

interface Suggestion {
  coin: string;
  multiplier: number;
  isAlias: boolean;
}

/** Less than a millisecond of work. */
const CONTRACTS_PER_STEP = 500;
const COINS_PER_STEP = 100;

/** Decides which coin a contract is on. Proven multipliers are kept, so that a missing price never renames a coin. */
export class IdentityResolver {
  readonly #proven = new Map<string, { coin: string; multiplier: number }>();

  resolve(contracts: readonly PricedContract[]): Map<string, Identity> {
    return atOnce(this.steps(contracts));
  }

  /** The same in steps. */
  *steps(contracts: readonly PricedContract[]): Steps<Map<string, Identity>> {
    yield* this.#prove(contracts);
    const identities = new Map<string, Identity>();
    const byCoin = new Map<string, { contract: PricedContract; identity: Identity }[]>();
    for (const [index, contract] of contracts.entries()) {
      if (index % CONTRACTS_PER_STEP === 0) yield;
      const { coin, multiplier } = this.#proven.get(contract.key) ?? { coin: contract.base, multiplier: 1 };
      const { assetClass } = contract;
      const identity: Identity = { coin: coin.toUpperCase(), multiplier, isPriceOutlier: false, assetClass };
      identities.set(contract.key, identity);
      const group = byCoin.get(identity.coin);
      if (group) group.push({ contract, identity });
      else byCoin.set(identity.coin, [{ contract, identity }]);
    }
    let coins = 0;
    for (const group of byCoin.values()) {
      if (coins++ % COINS_PER_STEP === 0) yield;
      markOutliers(group);
      classByMajority(group);
    }
    return identities;
  }

  /**
   * A prefix is a multiplier only if another venue quotes the rest, plain or with a prefix of its own (1000FLOKI and
   * kFLOKI), and the prices agree. The same spelling at another venue is no proof. An alias holds if another venue quotes
   * its coin, and not under an alias too, at the price that follows from the table.
   */
  *#prove(contracts: readonly PricedContract[]): Steps<void> {
    const split = new Map<string, Suggestion>();
    const rests = new Set<string>();
    for (const [index, contract] of contracts.entries()) {
      if (index % CONTRACTS_PER_STEP === 0) yield;
      const parts = suggestionFor(contract);
      if (!parts) continue;
      split.set(contract.key, parts);
      rests.add(parts.coin);
    }
    if (rests.size === 0) return;
    const quoted = new Map<
      string,
      { exchange: string; base: string; isAlias: boolean; coinPrice: number }[]
    >();
    for (const [index, contract] of contracts.entries()) {
      if (index % CONTRACTS_PER_STEP === 0) yield;
      const parts = split.get(contract.key) ?? { coin: contract.base, multiplier: 1, isAlias: false };
      if (contract.price === null || !rests.has(parts.coin)) continue;
      const others = quoted.get(parts.coin) ?? [];
      others.push({
        exchange: contract.exchange,
        base: contract.base,
        isAlias: parts.isAlias,
        coinPrice: contract.price / parts.multiplier,
      });
      quoted.set(parts.coin, others);
    }
    yield;
    for (const contract of contracts) {
      const parts = split.get(contract.key);
      if (!parts || contract.price === null || this.#proven.has(contract.key)) continue;
      const coinPrice = contract.price / parts.multiplier;
      const isConfirmed = quoted
        .get(parts.coin)
        ?.some(
          (other) =>
            other.exchange !== contract.exchange &&
            (parts.isAlias ? !other.isAlias : other.base !== contract.base) &&
            Math.abs(other.coinPrice / coinPrice - 1) <= SAME_COIN_TOLERANCE,
        );
      if (isConfirmed) this.#proven.set(contract.key, parts);
    }
  }
}

interface Member {
  contract: PricedContract;
  identity: Identity;
}

/** Prices alone decide: venues class the same thing differently, and a wrong class must not cost a right row. */
function markOutliers(group: readonly Member[]): void {
  const priced = group.filter(({ contract }) => contract.price !== null);
  if (priced.length < 2) return;
  const coinPrice = ({ contract, identity }: Member) => (contract.price ?? 0) / identity.multiplier;
  const perVenue = new Map<string, number>();
  for (const member of priced)
    if (!perVenue.has(member.contract.exchange)) perVenue.set(member.contract.exchange, coinPrice(member));
  const middle = median([...perVenue.values()]);
  for (const member of priced)
    member.identity.isPriceOutlier = Math.abs(coinPrice(member) - middle) > middle * SAME_COIN_TOLERANCE;
}

/**
 * One class for all contracts whose prices agree: that of most venues. On a tie a class other than crypto wins, because
 * crypto is also what a venue without classes is read as.
 */
function classByMajority(group: readonly Member[]): void {
  const agreeing = group.filter(
    ({ contract, identity }) => contract.price !== null && !identity.isPriceOutlier,
  );
  const venuesOf = new Map<AssetClass, Set<string>>();
  for (const { contract } of agreeing) {
    const venues = venuesOf.get(contract.assetClass) ?? new Set<string>();
    venuesOf.set(contract.assetClass, venues.add(contract.exchange));
  }
  const [first, second] = [...venuesOf]
    .map(([assetClass, venues]) => ({
      assetClass,
      weight: venues.size + (assetClass === 'crypto' ? 0 : 0.5),
    }))
    .sort((a, b) => b.weight - a.weight);
  // Two classes other than crypto with equally many venues: each contract keeps its own.
  if (!first || first.weight === second?.weight) return;
  for (const { identity } of agreeing) identity.assetClass = first.assetClass;
}
