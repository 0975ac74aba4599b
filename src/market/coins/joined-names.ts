import { HOUR_MS } from '../../base/times.ts';
import { type Suggestion, suggestionsFor, toleranceOf } from './names.ts';
import { areWithin, type PricedContract } from './priced-contract.ts';

/** A joined name is given up when prices have disagreed for this long. */
const DOUBT_MS = HOUR_MS;

/** A contract as one that may be on a coin. */
interface Quote {
  contract: PricedContract;
  /** The base itself is the coin. */
  isPlain: boolean;
  coinPrice: number;
}

/**
 * Multipliers and other names that prices have proven. A name is joined with a coin only if another venue has the coin under
 * another spelling, plain or not, at an agreeing price: 1000FLOKI and kFLOKI prove each other, two venues' TON do not.
 */
export class JoinedNames {
  readonly #joined = new Map<string, Suggestion>();
  readonly #doubtedSinceMs = new Map<string, number>();
  readonly #suggested = new Map<string, { contract: PricedContract; suggestions: readonly Suggestion[] }>();

  /** The coin as the name spells it, and the units of it in one unit of the base. */
  of({ key, base }: PricedContract): { coin: string; multiplier: number } {
    return this.#joined.get(key) ?? { coin: base, multiplier: 1 };
  }

  /** Takes the prices of all contracts at one time. */
  update(contracts: readonly PricedContract[], nowMs: number): void {
    const suggested = contracts.map((contract) => this.#suggestionsFor(contract));
    const wanted = new Set(suggested.flatMap((suggestions) => suggestions.map(({ coin }) => coin)));
    if (wanted.size === 0) return;
    const quotes = new Map<string, Quote[]>();
    const add = (coin: string, quote: Quote) => {
      const others = quotes.get(coin);
      if (others) others.push(quote);
      else quotes.set(coin, [quote]);
    };
    for (const [i, contract] of contracts.entries()) {
      const { price, base } = contract;
      if (price === null) continue;
      const suggestions = suggested[i] ?? [];
      const upper = base.toUpperCase();
      // A base that is a coin in another unit here is no quote of that coin.
      if (wanted.has(upper) && !suggestions.some(({ coin }) => coin === upper))
        add(upper, { contract, isPlain: true, coinPrice: price });
      for (const { coin, multiplier } of suggestions)
        add(coin, { contract, isPlain: false, coinPrice: price / multiplier });
    }
    for (const [i, contract] of contracts.entries()) {
      if (contract.price === null) continue;
      const joined = this.#joined.get(contract.key);
      if (joined) this.#doubt(contract, contract.price, joined, quotes, nowMs);
      else this.#prove(contract, contract.price, suggested[i] ?? [], quotes);
    }
  }

  #prove(
    contract: PricedContract,
    price: number,
    suggestions: readonly Suggestion[],
    quotes: ReadonlyMap<string, Quote[]>,
  ): void {
    const proven = suggestions.find((one) => verdictOf(one, contract, price, quotes, false) === 'agrees');
    if (proven) this.#joined.set(contract.key, proven);
  }

  #doubt(
    contract: PricedContract,
    price: number,
    joined: Suggestion,
    quotes: ReadonlyMap<string, Quote[]>,
    nowMs: number,
  ): void {
    const { key } = contract;
    if (verdictOf(joined, contract, price, quotes, true) !== 'disagrees') this.#doubtedSinceMs.delete(key);
    else if (!this.#doubtedSinceMs.has(key)) this.#doubtedSinceMs.set(key, nowMs);
    else if (nowMs - (this.#doubtedSinceMs.get(key) ?? nowMs) >= DOUBT_MS) {
      this.#doubtedSinceMs.delete(key);
      this.#joined.delete(key);
    }
  }

  /** Computed once for each contract, and again if its venue renames or reclasses it. */
  #suggestionsFor(contract: PricedContract): readonly Suggestion[] {
    const known = this.#suggested.get(contract.key);
    if (known?.contract.base === contract.base && known.contract.assetClass === contract.assetClass)
      return known.suggestions;
    const suggestions = suggestionsFor(contract);
    this.#suggested.set(contract.key, { contract, suggestions });
    return suggestions;
  }
}

/** Whether another venue's price proves the suggestion; `unknown` if no other venue has the coin. */
function verdictOf(
  suggestion: Suggestion,
  contract: PricedContract,
  price: number,
  quotes: ReadonlyMap<string, readonly Quote[]>,
  isJoined: boolean,
): 'agrees' | 'disagrees' | 'unknown' {
  const coinPrice = price / suggestion.multiplier;
  let verdict: 'disagrees' | 'unknown' = 'unknown';
  for (const other of quotes.get(suggestion.coin) ?? []) {
    const isSameName = !other.isPlain && other.contract.base === contract.base;
    if (other.contract.exchange === contract.exchange || isSameName) continue;
    const tolerance = toleranceOf(suggestion, contract, other.contract, isJoined);
    if (tolerance === null) continue;
    if (areWithin(other.coinPrice, coinPrice, tolerance)) return 'agrees';
    verdict = 'disagrees';
  }
  return verdict;
}
