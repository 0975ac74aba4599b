import { SAME_COIN_TOLERANCE } from '../../market/identity.ts';
import type { Table } from '../../market/tables/table.ts';
import { buildPairLayout, type LegCodes, type PairLayout } from '../spreads/pairs.ts';
import { carryPctDay, ratePctDay } from './figures.ts';

/** The pairs of one snapshot: rows of the legs table, in the direction that earns. */
export interface Pairs {
  count: number;
  long: Int32Array;
  short: Int32Array;
  /** By leg: what a position pays a day at the running rate. */
  pctDay: Float64Array;
}

/** Pairs every two venues of a coin, but a copy with neither its original nor another copy of it. Remembers the layout, which changes only when contracts come or go. */
export class PairMaker {
  #codes: LegCodes | null = null;
  #layout: PairLayout | null = null;
  readonly #known = new WeakMap<Table, Pairs>();

  pairsOf(legs: Table): Pairs {
    const known = this.#known.get(legs);
    if (known) return known;
    const layout = this.#layoutOf({
      coin: legs.texts('coin').codes,
      exchange: legs.texts('exchange').codes,
      quote: legs.texts('quote').codes,
    });
    const [bids, asks] = [legs.numbers('bid'), legs.numbers('ask')];
    const pctDay = dailyRates(legs);
    const origins = originCodes(legs);
    const long = new Int32Array(layout.count);
    const short = new Int32Array(layout.count);
    let count = 0;
    for (let pair = 0; pair < layout.count; pair++) {
      const a = layout.legA[pair] as number;
      const b = layout.legB[pair] as number;
      if (origins && origins[a] === origins[b]) continue;
      const sumA = (bids[a] as number) + (asks[a] as number);
      const sumB = (bids[b] as number) + (asks[b] as number);
      // As in the spreads: prices this far apart are of two coins.
      if (Math.abs(sumA - sumB) > SAME_COIN_TOLERANCE * Math.min(sumA, sumB)) continue;
      const isLongA = carryPctDay(pctDay[b] as number, pctDay[a] as number) >= 0;
      long[count] = isLongA ? a : b;
      short[count] = isLongA ? b : a;
      count++;
    }
    const pairs = { count, long: long.subarray(0, count), short: short.subarray(0, count), pctDay };
    this.#known.set(legs, pairs);
    return pairs;
  }

  #layoutOf(codes: LegCodes): PairLayout {
    const known = this.#codes;
    const isSame =
      known !== null &&
      isEqual(known.coin, codes.coin) &&
      isEqual(known.exchange, codes.exchange) &&
      isEqual(known.quote, codes.quote);
    if (!isSame || !this.#layout) this.#layout = buildPairLayout(codes);
    this.#codes = codes;
    return this.#layout;
  }
}

function dailyRates(legs: Table): Float64Array {
  const [rates, intervals] = [legs.numbers('rate_pct'), legs.numbers('interval_hours')];
  const daily = new Float64Array(legs.rowCount);
  for (let leg = 0; leg < daily.length; leg++)
    daily[leg] = ratePctDay(rates[leg] as number, intervals[leg] as number);
  return daily;
}

/** By leg the code of the venue whose rates it has, its own or the one that it copies; null: no venue copies. */
function originCodes(legs: Table): Uint32Array | null {
  const [exchange, mirrors] = [legs.texts('exchange'), legs.texts('mirrors')];
  if (mirrors.values.length === 1) return null;
  const codeOf = new Map(exchange.values.map((name, code) => [name, code]));
  // An original without legs has a code that no exchange has.
  const origins = mirrors.values.map((name, i) => codeOf.get(name) ?? exchange.values.length + i);
  return exchange.codes.map((code, leg) => {
    const copied = mirrors.codes[leg] as number;
    return copied === 0 ? code : (origins[copied] as number);
  });
}

function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The column of the legs, and the leg, that a text of a row comes from. */
export const TEXT_SOURCES: Readonly<Record<string, readonly [column: string, leg: 'long' | 'short']>> = {
  coin: ['coin', 'long'],
  asset_class: ['asset_class', 'long'],
  long_exchange: ['exchange', 'long'],
  short_exchange: ['exchange', 'short'],
  long_symbol: ['symbol', 'long'],
  short_symbol: ['symbol', 'short'],
};
