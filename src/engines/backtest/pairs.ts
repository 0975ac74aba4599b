import { SIZES_USD } from '../../history/samples/model.ts';
import { DOLLAR_QUOTES } from '../../market/freeze.ts';
import { feePctOfCycle } from './rule.ts';
import type { ContractSeries } from './series.ts';

export interface Pair {
  readonly a: ContractSeries;
  readonly b: ContractSeries;
  readonly feePct: number;
  /** All pairs of the same two venues and coin, the preferred one first: only that one has a row. */
  readonly rivals: Pair[];
}

/** Preference among several legs of a venue: the most common dollar quote first. */
const QUOTE_ORDER = [...DOLLAR_QUOTES];

/** All pairs of contracts on the same coin at different venues. Places of removed pairs are reused. */
export class PairBook {
  readonly pairs: (Pair | null)[] = [];
  readonly #free: number[] = [];
  readonly #byCoin = new Map<string, ContractSeries[]>();
  readonly #rivals = new Map<string, Pair[]>();
  readonly #places = new Map<string, number>();

  /** Pairs the contract with all known ones; returns the places of the new pairs. */
  add(series: ContractSeries): number[] {
    const others = this.#byCoin.get(series.contract.coin) ?? [];
    this.#byCoin.set(series.contract.coin, others);
    const places = others
      .filter((other) => other.contract.exchange !== series.contract.exchange)
      .map((other) => this.#place(other, series));
    others.push(series);
    return places;
  }

  /** Removes the contract's pairs; returns their places. */
  remove(series: ContractSeries): number[] {
    const { coin } = series.contract;
    const left = (this.#byCoin.get(coin) ?? []).filter((other) => other !== series);
    if (left.length > 0) this.#byCoin.set(coin, left);
    else this.#byCoin.delete(coin);
    const places: number[] = [];
    for (const [place, pair] of this.pairs.entries()) {
      if (!pair || (pair.a !== series && pair.b !== series)) continue;
      pair.rivals.splice(pair.rivals.indexOf(pair), 1);
      this.#places.delete(pairKey(pair.a.contract.id, pair.b.contract.id));
      this.pairs[place] = null;
      this.#free.push(place);
      places.push(place);
    }
    return places;
  }

  placeOf(idA: number, idB: number): number | undefined {
    return this.#places.get(pairKey(idA, idB));
  }

  #place(one: ContractSeries, other: ContractSeries): number {
    const [a, b] = one.contract.exchange < other.contract.exchange ? [one, other] : [other, one];
    const key = `${a.contract.coin}/${a.contract.exchange}/${b.contract.exchange}`;
    const rivals = this.#rivals.get(key) ?? [];
    this.#rivals.set(key, rivals);
    const pair = { a, b, feePct: feePctOfCycle(a.takerFeePct, b.takerFeePct), rivals };
    rivals.push(pair);
    rivals.sort(byPreference);
    const place = this.#free.pop() ?? this.pairs.length;
    this.pairs[place] = pair;
    this.#places.set(pairKey(a.contract.id, b.contract.id), place);
    return place;
  }
}

/** The index of a pair's figures for one size. */
export function sizePlace(pairPlace: number, size: number): number {
  return pairPlace * SIZES_USD.length + size;
}

function pairKey(idA: number, idB: number): string {
  return `${idA}/${idB}`;
}

function byPreference(one: Pair, other: Pair): number {
  const difference = mixed(one) - mixed(other);
  if (difference !== 0) return difference;
  return preferenceText(one) < preferenceText(other) ? -1 : 1;
}

function mixed({ a, b }: Pair): number {
  return a.contract.quote === b.contract.quote ? 0 : 1;
}

function preferenceText({ a, b }: Pair): string {
  const leg = ({ quote, venueSymbol }: { quote: string; venueSymbol: string }) => {
    const rank = QUOTE_ORDER.indexOf(quote);
    return `${rank < 0 ? QUOTE_ORDER.length : rank} ${quote} ${venueSymbol}`;
  };
  return `${leg(a.contract)} ${leg(b.contract)}`;
}
