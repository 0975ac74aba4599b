import { median } from '../base/numbers.ts';
import type { AssetClass } from '../venues/observations.ts';
import { priceGroups, rankedClasses } from './coins/groups.ts';
import { JoinedNames } from './coins/joined-names.ts';
import {
  AGREEING_TOLERANCE,
  areWithin,
  type PricedContract,
  SAME_COIN_TOLERANCE,
  statedClass,
} from './coins/priced-contract.ts';
import { type CoinChange, CoinSplits } from './coins/splits.ts';

export { splitMultiplier } from './coins/names.ts';
export { type PricedContract, SAME_COIN_TOLERANCE } from './coins/priced-contract.ts';

export interface Identity {
  coin: string;
  multiplier: number;
  /** The price is far from that of other venues under this ticker: most likely another coin. */
  isPriceOutlier: boolean;
  /** As most venues class the coin at this price. */
  assetClass: AssetClass;
}

interface Member {
  contract: PricedContract;
  identity: Identity;
  /** Price of one unit of the coin, or null. */
  coinPrice: number | null;
}

/**
 * Decides which coin a contract is on. Names that prices have proven, and tickers that prices have split, are kept, so that
 * a missing price never renames a coin.
 */
export class IdentityResolver {
  readonly #names = new JoinedNames();
  readonly #splits: CoinSplits;
  readonly #onChanges: (changes: readonly CoinChange[]) => void;
  /** Contracts of another class than their coin whose price has agreed with it. */
  readonly #agreed = new Set<string>();

  constructor(
    splits: CoinSplits = new CoinSplits(),
    onChanges: (changes: readonly CoinChange[]) => void = () => {},
  ) {
    this.#splits = splits;
    this.#onChanges = onChanges;
  }

  resolve(contracts: readonly PricedContract[], nowMs = 0): Map<string, Identity> {
    this.#names.update(contracts, nowMs);
    const byTicker = new Map<string, Member[]>();
    for (const contract of contracts) {
      const { coin, multiplier } = this.#names.of(contract);
      const ticker = coin.toUpperCase();
      const identity = { coin: ticker, multiplier, isPriceOutlier: false, assetClass: contract.assetClass };
      const coinPrice = contract.price === null ? null : contract.price / multiplier;
      const group = byTicker.get(ticker);
      if (group) group.push({ contract, identity, coinPrice });
      else byTicker.set(ticker, [{ contract, identity, coinPrice }]);
    }
    this.#split(byTicker, nowMs);
    const identities = new Map<string, Identity>();
    for (const [ticker, members] of byTicker) {
      for (const { contract, identity } of members) {
        identity.coin = this.#splits.coinOf(contract.key, ticker);
        identities.set(contract.key, identity);
      }
      const first = members[0]?.identity.coin;
      const isOne = members.every(({ identity }) => identity.coin === first);
      for (const group of isOne
        ? [members]
        : Map.groupBy(members, ({ identity }) => identity.coin).values()) {
        this.#markOutliers(group);
        classByMajority(group);
      }
    }
    return identities;
  }

  #split(byTicker: ReadonlyMap<string, readonly Member[]>, nowMs: number): void {
    if (!this.#splits.begin(nowMs)) return;
    for (const [ticker, members] of byTicker) {
      if (members.length > 1 || this.#splits.coinOf(members[0]?.contract.key ?? '', ticker) !== ticker)
        this.#splits.check(ticker, members.map(tickerMember), (name) => byTicker.has(name));
    }
    const changes = this.#splits.finish();
    if (changes.length > 0) this.#onChanges(changes);
  }

  /**
   * Within a class, a price more than 25 % off the median of the venues is another coin. A contract of another class than
   * the usual one must have agreed with it within 2 % before it counts.
   */
  #markOutliers(group: readonly Member[]): void {
    const priced = group.filter(isPriced);
    if (priced.length < 2 || areClearlyOne(priced)) return;
    const { middle, isOther } = this.#reference(priced);
    for (const { contract, identity, coinPrice } of priced) {
      const isFar = Math.abs(coinPrice - middle) > middle * SAME_COIN_TOLERANCE;
      identity.isPriceOutlier = isFar || isOther(contract);
    }
  }

  /** The price of the coin, and which contracts have another class and a price that was never seen to agree with it. */
  #reference(priced: readonly PricedMember[]): {
    middle: number;
    isOther: (contract: PricedContract) => boolean;
  } {
    const all = { middle: middleOf(priced), isOther: () => false };
    const prices = priced.map(({ coinPrice }) => coinPrice);
    const classes = new Set(priced.flatMap(({ contract }) => statedClass(contract) ?? []));
    if (classes.size < 2) return all;
    const areOne = areWithin(Math.min(...prices), Math.max(...prices), AGREEING_TOLERANCE);
    if (areOne) {
      for (const { contract } of priced) this.#agreed.add(contract.key);
      return all;
    }
    const usual = priceGroups(priced.map(grouped))[0];
    const usualPrice = median(usual?.members.map(({ price }) => price) ?? []);
    const others = new Set<string>();
    for (const { contract, coinPrice } of priced) {
      const stated = statedClass(contract);
      if (areWithin(coinPrice, usualPrice, AGREEING_TOLERANCE)) this.#agreed.add(contract.key);
      else if (stated !== null && stated !== usual?.assetClass && !this.#agreed.has(contract.key))
        others.add(contract.key);
    }
    const rest = priced.filter(({ contract }) => !others.has(contract.key));
    return { middle: middleOf(rest), isOther: ({ key }) => others.has(key) };
  }
}

/** Contracts of one class whose prices are so close to each other are all close to their median. Nearly every coin is so. */
function areClearlyOne(priced: readonly PricedMember[]): boolean {
  const assetClass = priced[0]?.contract.assetClass;
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0];
  for (const { contract, coinPrice } of priced) {
    if (contract.assetClass !== assetClass) return false;
    if (coinPrice < lowest) lowest = coinPrice;
    if (coinPrice > highest) highest = coinPrice;
  }
  return areWithin(lowest, highest, SAME_COIN_TOLERANCE);
}

type PricedMember = Member & { coinPrice: number };

function isPriced(member: Member): member is PricedMember {
  return member.coinPrice !== null;
}

function tickerMember({ contract, coinPrice }: Member) {
  const { key, exchange } = contract;
  return { key, exchange, stated: statedClass(contract), price: coinPrice };
}

function grouped({ contract, identity, coinPrice }: PricedMember) {
  const { key, exchange } = contract;
  return { key, exchange, stated: statedClass(contract), price: coinPrice, coin: identity.coin };
}

/** The median over the venues, each with its first contract. */
function middleOf(members: readonly PricedMember[]): number {
  const perVenue = new Map<string, number>();
  for (const { contract, coinPrice } of members)
    if (!perVenue.has(contract.exchange)) perVenue.set(contract.exchange, coinPrice);
  return median([...perVenue.values()]);
}

/**
 * One class for all contracts whose prices agree: that of most venues. On a tie a class other than crypto wins, because
 * crypto is also what a venue without classes is read as.
 */
function classByMajority(group: readonly Member[]): void {
  const [any] = group;
  if (group.every(({ contract }) => contract.assetClass === any?.contract.assetClass)) return;
  const agreeing = group.filter(({ identity, coinPrice }) => coinPrice !== null && !identity.isPriceOutlier);
  const [first, second] = rankedClasses(agreeing.map(({ contract }) => contract));
  // Two classes other than crypto with equally many venues: each contract keeps its own.
  if (!first || first.weight === second?.weight) return;
  for (const { identity } of agreeing) identity.assetClass = first.assetClass;
}
