import { DOLLAR_QUOTES, isLive, ROW_MAX_AGE_MS } from '../../market/freeze.ts';
import type { Identity } from '../../market/identity.ts';
import { scheduleOf } from '../../market/interval.ts';
import type { ContractState } from '../../market/latest.ts';
import { type QuotedMid, usdtPerQuote } from '../../market/quote-conversion.ts';
import type { BookTop } from '../../venues/observations.ts';
import { FRESH_MS } from './figures.ts';
import { type LegNumbers, newLegNumbers } from './legs.ts';
import { type LegCodes, layPairs, type PairLayout } from './pairs.ts';

/** A quote that has not been confirmed for this long enters no row. */
export const LEG_MAX_AGE_MS = 120_000;
export const FILLED_USD = 500;
/** What changed on a leg since the last print: something that its rows show, or only what strength and age rest on. */
export const SHOWN = 1;
export const UNSHOWN = 2;
/** Enough for any price, and short of the noise that dividing by a multiplier leaves. */
const PRICE_DIGITS = 12;
const QUOTE_ORDER = [...DOLLAR_QUOTES];

interface Leg {
  state: ContractState;
  identity: Identity;
  /** What the prices in the book were made from. */
  top: BookTop | null;
  usdtPerQuote: number;
}

export type Identities = ReadonlyMap<string, Identity>;

/** Every contract that could be a leg, with its newest numbers, ordered for pairing. */
export class LegBook {
  #legs: Leg[] = [];
  #legOfKey = new Map<string, number>();
  /** Legs of venues that quote a coin more than once. */
  #beside: number[] = [];
  #rates: ReadonlyMap<string, number> = new Map();
  numbers: LegNumbers = newLegNumbers(0);
  usable = new Uint8Array(0);
  changes = new Uint8Array(0);
  #isFresh = new Uint8Array(0);
  codes: LegCodes = { coin: new Uint32Array(0), exchange: new Uint32Array(0), quote: new Uint32Array(0) };
  /** The texts behind the codes; code 0 is none. */
  values: Record<keyof LegCodes, readonly string[]> = { coin: [''], exchange: [''], quote: [''] };
  layout: PairLayout = layPairs(this.codes);

  /** USDT for one unit of each quote, as used in the last refresh. */
  get rates(): ReadonlyMap<string, number> {
    return this.#rates;
  }

  /** Takes the market as it is now. True when the set of contracts changed, and with it the order of the legs. */
  refresh(states: readonly ContractState[], identities: Identities, asOfMs: number): boolean {
    const isRelaid = !this.#fits(states, identities);
    if (isRelaid) this.#lay(states, identities);
    this.#rates = usdtPerQuote(this.#midsBeside(asOfMs), this.#rates);
    for (let leg = 0; leg < this.#legs.length; leg++) this.changes[leg] = this.#refreshLeg(leg, asOfMs);
    return isRelaid;
  }

  #fits(states: readonly ContractState[], identities: Identities): boolean {
    let known = 0;
    for (const state of states) {
      const identity = identityOf(state, identities);
      if (!identity) continue;
      const leg = this.#legs[this.#legOfKey.get(state.key) ?? -1];
      if (!leg || leg.state !== state) return false;
      if (leg.identity.coin !== identity.coin || leg.identity.multiplier !== identity.multiplier)
        return false;
      leg.identity = identity;
      known++;
    }
    return known === this.#legs.length;
  }

  #lay(states: readonly ContractState[], identities: Identities): void {
    const legs: Leg[] = [];
    for (const state of states) {
      const identity = identityOf(state, identities);
      if (identity) legs.push({ state, identity, top: null, usdtPerQuote: 1 });
    }
    this.#legs = legs.sort(inOrder);
    this.#legOfKey = new Map(legs.map((leg, index) => [leg.state.key, index]));
    this.numbers = newLegNumbers(legs.length);
    this.usable = new Uint8Array(legs.length);
    this.changes = new Uint8Array(legs.length);
    this.#isFresh = new Uint8Array(legs.length);
    const coin = coded(legs.map(({ identity }) => identity.coin));
    const exchange = coded(legs.map(({ state }) => state.venue.facts.exchange));
    const quote = coded(legs.map(({ state }) => state.contract.quote));
    this.codes = { coin: coin.codes, exchange: exchange.codes, quote: quote.codes };
    this.values = { coin: coin.values, exchange: exchange.values, quote: quote.values };
    this.layout = layPairs(this.codes);
    const isBeside = (leg: number, other: number) =>
      coin.codes[leg] === coin.codes[other] && exchange.codes[leg] === exchange.codes[other];
    this.#beside = legs
      .map((_, leg) => leg)
      .filter((leg) => isBeside(leg, leg - 1) || isBeside(leg, leg + 1));
  }

  *#midsBeside(asOfMs: number): Iterable<QuotedMid> {
    for (const index of this.#beside) {
      const leg = this.#legs[index];
      if (!leg || !isUsable(leg, asOfMs) || !leg.state.top) continue;
      const { state, identity } = leg;
      const mid = (leg.state.top.bidPrice + leg.state.top.askPrice) / 2 / identity.multiplier;
      yield { exchange: state.venue.facts.exchange, coin: identity.coin, quote: state.contract.quote, mid };
    }
  }

  /** Brings one leg up to date and tells what changed on it. */
  #refreshLeg(index: number, asOfMs: number): number {
    const leg = this.#legs[index] as Leg;
    const { state } = leg;
    const usdtPerQuote = this.#rates.get(state.contract.quote) ?? 1;
    const { top } = state;
    const wasUsable = this.usable[index] === 1;
    if (!top || !isUsable(leg, asOfMs)) {
      this.usable[index] = 0;
      return wasUsable ? SHOWN : 0;
    }
    this.usable[index] = 1;
    let change = wasUsable ? 0 : SHOWN;
    const { numbers } = this;
    if (leg.top !== top || leg.usdtPerQuote !== usdtPerQuote) {
      leg.top = top;
      leg.usdtPerQuote = usdtPerQuote;
      const { multiplier } = leg.identity;
      change |= put(numbers.bid, index, inUsdt(top.bidPrice, multiplier, usdtPerQuote), SHOWN);
      change |= put(numbers.ask, index, inUsdt(top.askPrice, multiplier, usdtPerQuote), SHOWN);
      change |= put(numbers.bidFills, index, fills(top.bidPrice, top.bidSize, usdtPerQuote), UNSHOWN);
      change |= put(numbers.askFills, index, fills(top.askPrice, top.askSize, usdtPerQuote), UNSHOWN);
    }
    const { intervalHours, nextFundingAtMs } = scheduleOf(state, asOfMs);
    const hasRate = state.ratePct !== null && asOfMs - state.rateAtMs <= ROW_MAX_AGE_MS;
    change |= put(numbers.volume24hUsdt, index, Math.round((state.volume24hUsdt ?? 0) * 100) / 100, SHOWN);
    change |= put(numbers.ratePct, index, hasRate ? (state.ratePct ?? Number.NaN) : Number.NaN, SHOWN);
    change |= put(numbers.intervalHours, index, intervalHours ?? Number.NaN, SHOWN);
    change |= put(numbers.nextFundingAtMs, index, nextFundingAtMs ?? Number.NaN, SHOWN);
    change |= put(numbers.receivedAtMs, index, state.topAtMs, UNSHOWN);
    change |= put(numbers.takerFeePct, index, state.venue.facts.takerFeePct.value, UNSHOWN);
    const isFresh = asOfMs - state.topAtMs < FRESH_MS ? 1 : 0;
    if (this.#isFresh[index] !== isFresh) change |= UNSHOWN;
    this.#isFresh[index] = isFresh;
    return change;
  }
}

/** Its identity, if it can be a leg at all: linear, in a dollar quote, trading. */
function identityOf(state: ContractState, identities: Identities): Identity | undefined {
  const { contract } = state;
  if (contract.isInverse || !DOLLAR_QUOTES.has(contract.quote) || !isLive(state)) return undefined;
  return identities.get(state.key);
}

function isUsable({ state, identity }: Leg, asOfMs: number): boolean {
  const { top } = state;
  if (!top || identity.isPriceOutlier || state.volume24hUsdt === null) return false;
  if (asOfMs - state.topAtMs > LEG_MAX_AGE_MS) return false;
  return top.bidPrice > 0 && top.askPrice >= top.bidPrice && Number.isFinite(top.askPrice);
}

function inUsdt(price: number, multiplier: number, usdtPerQuote: number): number {
  if (multiplier === 1 && usdtPerQuote === 1) return price;
  return Number(((price / multiplier) * usdtPerQuote).toPrecision(PRICE_DIGITS));
}

function fills(price: number, size: number | null, usdtPerQuote: number): number {
  return size !== null && size * price * usdtPerQuote >= FILLED_USD ? 1 : 0;
}

function put(column: Float64Array, index: number, value: number, change: number): number {
  if (Object.is(column[index], value)) return 0;
  column[index] = value;
  return change;
}

/** By coin and venue; at a venue the usual quotes first, and of two in one quote the more traded. */
function inOrder(a: Leg, b: Leg): number {
  return (
    byText(a.identity.coin, b.identity.coin) ||
    byText(a.state.venue.facts.exchange, b.state.venue.facts.exchange) ||
    QUOTE_ORDER.indexOf(a.state.contract.quote) - QUOTE_ORDER.indexOf(b.state.contract.quote) ||
    (b.state.volume24hUsdt ?? 0) - (a.state.volume24hUsdt ?? 0) ||
    byText(a.state.key, b.state.key)
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function coded(texts: readonly string[]): { codes: Uint32Array; values: readonly string[] } {
  const known = new Map<string, number>();
  const values = [''];
  const codes = Uint32Array.from(texts, (text) => {
    const code = known.get(text) ?? values.push(text) - 1;
    known.set(text, code);
    return code;
  });
  return { codes, values };
}
