import type { ContractState } from '../../market/contract-state.ts';
import { DOLLAR_QUOTES, type FrozenStates, isLive, takerFeePctOf } from '../../market/freeze.ts';
import type { Identity } from '../../market/identity.ts';
import { ROW_MAX_AGE_MS, scheduleOf } from '../../market/interval.ts';
import { TOP_MAX_AGE_MS } from '../../market/latest.ts';
import { type QuotedMid, usdtPerQuote } from '../../market/quote-conversion.ts';
import type { TextData } from '../../market/tables/table.ts';
import type { BookTop } from '../../venues/observations.ts';
import { type LegNumbers, newLegNumbers } from './legs.ts';
import { buildPairLayout, type LegCodes, type PairLayout } from './pairs.ts';

const FILLED_USD = 500;
/** Enough for any price, and few enough to remove the rounding noise of dividing by a multiplier. */
const PRICE_DIGITS = 12;
const QUOTE_ORDER = [...DOLLAR_QUOTES];

interface Leg {
  /** The market's own or a copy, so it may change after a refresh. */
  state: Readonly<ContractState>;
  /** Of the contract when the legs were ordered. */
  quote: string;
  identity: Identity;
  /** The top and the conversion rate that the book's prices were computed from. */
  top: BookTop | null;
  usdtPerQuote: number;
}

export type Identities = ReadonlyMap<string, Identity>;
/** Whether the market of a contract's underlying is closed. */
export type IsClosed = (key: string) => boolean;

/** Every contract that could be a leg, with its newest numbers, ordered for pairing. */
export class LegBook {
  #legs: Leg[] = [];
  /** For each state its leg, or -1 if it is none. The market gives its states in the same order until contracts come or go. */
  #legOfState = new Int32Array(0);
  /** Legs of coins that their venue lists in several quotes; they give the conversion rates. */
  #multiQuoteLegs: number[] = [];
  #rates: ReadonlyMap<string, number> = new Map();
  numbers: LegNumbers = newLegNumbers(0);
  usable = new Uint8Array(0);
  codes: LegCodes = { coin: new Uint32Array(0), exchange: new Uint32Array(0), quote: new Uint32Array(0) };
  /** The texts of the codes; code 0 means none. */
  values: Record<keyof LegCodes, readonly string[]> = { coin: [''], exchange: [''], quote: [''] };
  contracts: TextData = { codes: new Uint32Array(0), values: [''] };
  symbols: TextData = { codes: new Uint32Array(0), values: [''] };
  layout: PairLayout = buildPairLayout(this.codes);

  /** USDT for one unit of each quote, as used in the last refresh. */
  get rates(): ReadonlyMap<string, number> {
    return this.#rates;
  }

  /** The contract of a leg, and the coin that it is on. */
  contractOf(leg: number): Readonly<Pick<Leg, 'state' | 'identity'>> {
    return this.#legs[leg] as Leg;
  }

  /** Updates all legs. Returns true if the set of contracts changed, and with it the order of the legs. */
  refresh(
    states: FrozenStates,
    identities: Identities,
    asOfMs: number,
    isClosed: IsClosed = () => false,
  ): boolean {
    const isRebuilt = !this.#hasSameContracts(states, identities);
    if (isRebuilt) this.#rebuild(states, identities);
    this.#rates = usdtPerQuote(this.#multiQuoteMids(asOfMs), this.#rates);
    for (let leg = 0; leg < this.#legs.length; leg++) this.#refreshLeg(leg, asOfMs, isClosed);
    return isRebuilt;
  }

  /** Takes the new states of the legs. Returns false if the legs are others. */
  #hasSameContracts(states: FrozenStates, identities: Identities): boolean {
    if (states.length !== this.#legOfState.length) return false;
    for (let i = 0; i < states.length; i++) {
      const state = states[i] as ContractState;
      const identity = identityOf(state, identities);
      const place = this.#legOfState[i] as number;
      const leg = place < 0 ? undefined : this.#legs[place];
      if (!leg && !identity) continue;
      if (!leg || !identity || leg.state.key !== state.key) return false;
      if (leg.quote !== state.contract.quote) return false;
      if (leg.identity.coin !== identity.coin || leg.identity.multiplier !== identity.multiplier)
        return false;
      leg.state = state;
      leg.identity = identity;
    }
    return true;
  }

  #rebuild(states: FrozenStates, identities: Identities): void {
    const legs: Leg[] = [];
    for (const state of states) {
      const identity = identityOf(state, identities);
      const { quote } = state.contract;
      if (identity) legs.push({ state, quote, identity, top: null, usdtPerQuote: 1 });
    }
    this.#legs = legs.sort(inOrder);
    const legOfKey = new Map(legs.map((leg, index) => [leg.state.key, index]));
    this.#legOfState = Int32Array.from(states, ({ key }) => legOfKey.get(key) ?? -1);
    this.numbers = newLegNumbers(legs.length);
    this.usable = new Uint8Array(legs.length);
    const coin = coded(legs.map(({ identity }) => identity.coin));
    const exchange = coded(legs.map(({ state }) => state.venue.facts.exchange));
    const quote = coded(legs.map((leg) => leg.quote));
    this.codes = { coin: coin.codes, exchange: exchange.codes, quote: quote.codes };
    this.values = { coin: coin.values, exchange: exchange.values, quote: quote.values };
    this.contracts = coded(legs.map(({ state }) => state.key));
    this.symbols = coded(legs.map(({ state: { contract } }) => `${contract.base}-${contract.quote}`));
    this.layout = buildPairLayout(this.codes);
    const hasSameCoinAndVenue = (leg: number, other: number) =>
      coin.codes[leg] === coin.codes[other] && exchange.codes[leg] === exchange.codes[other];
    this.#multiQuoteLegs = legs
      .map((_, leg) => leg)
      .filter((leg) => hasSameCoinAndVenue(leg, leg - 1) || hasSameCoinAndVenue(leg, leg + 1));
  }

  *#multiQuoteMids(asOfMs: number): Iterable<QuotedMid> {
    for (const index of this.#multiQuoteLegs) {
      const leg = this.#legs[index];
      if (!leg || !isUsable(leg, asOfMs) || !leg.state.top) continue;
      const { state, identity } = leg;
      const mid = (leg.state.top.bidPrice + leg.state.top.askPrice) / 2 / identity.multiplier;
      yield { exchange: state.venue.facts.exchange, coin: identity.coin, quote: state.contract.quote, mid };
    }
  }

  #refreshLeg(index: number, asOfMs: number, isClosed: IsClosed): void {
    const leg = this.#legs[index] as Leg;
    const { state } = leg;
    const { top } = state;
    const hasTop = top !== null && isUsable(leg, asOfMs);
    this.usable[index] = hasTop ? 1 : 0;
    if (!hasTop) return;
    const { numbers } = this;
    const usdtPerQuote = this.#rates.get(state.contract.quote) ?? 1;
    // Rounding prices is the most expensive part, and most tops stay as they are.
    if (leg.top !== top || leg.usdtPerQuote !== usdtPerQuote) {
      leg.top = top;
      leg.usdtPerQuote = usdtPerQuote;
      const { multiplier } = leg.identity;
      numbers.bid[index] = inUsdt(top.bidPrice, multiplier, usdtPerQuote);
      numbers.ask[index] = inUsdt(top.askPrice, multiplier, usdtPerQuote);
      numbers.bidFills[index] = fills(top.bidPrice, top.bidSize, usdtPerQuote);
      numbers.askFills[index] = fills(top.askPrice, top.askSize, usdtPerQuote);
    }
    const { intervalHours, nextFundingAtMs } = scheduleOf(state, asOfMs);
    const hasRate = state.ratePct !== null && asOfMs - state.rateAtMs <= ROW_MAX_AGE_MS;
    numbers.volume24hUsdt[index] = Math.round((state.volume24hUsdt ?? 0) * 100) / 100;
    numbers.ratePct[index] = hasRate ? (state.ratePct ?? Number.NaN) : Number.NaN;
    numbers.intervalHours[index] = intervalHours ?? Number.NaN;
    numbers.nextFundingAtMs[index] = nextFundingAtMs ?? Number.NaN;
    numbers.receivedAtMs[index] = state.topAtMs;
    numbers.takerFeePct[index] = takerFeePctOf(state);
    numbers.isClosed[index] = isClosed(state.key) ? 1 : 0;
  }
}

/** The identity of a contract that can be a leg: linear, in a dollar quote, trading. */
function identityOf(state: ContractState, identities: Identities): Identity | undefined {
  const { contract } = state;
  if (contract.isInverse || !DOLLAR_QUOTES.has(contract.quote) || !isLive(state)) return undefined;
  return identities.get(state.key);
}

function isUsable({ state, identity }: Leg, asOfMs: number): boolean {
  const { top } = state;
  if (!top || identity.isPriceOutlier || state.volume24hUsdt === null) return false;
  if (asOfMs - state.topAtMs > TOP_MAX_AGE_MS) return false;
  return top.bidPrice > 0 && top.askPrice >= top.bidPrice && Number.isFinite(top.askPrice);
}

function inUsdt(price: number, multiplier: number, usdtPerQuote: number): number {
  if (multiplier === 1 && usdtPerQuote === 1) return price;
  return Number(((price / multiplier) * usdtPerQuote).toPrecision(PRICE_DIGITS));
}

function fills(price: number, size: number | null, usdtPerQuote: number): number {
  return size !== null && size * price * usdtPerQuote >= FILLED_USD ? 1 : 0;
}

/** Orders by coin, venue, preferred quote, then higher volume. */
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
