import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { AssetClass } from '../venues/observations.ts';
import { isDollarQuote } from '../venues/quotes.ts';
import type { CoinChange, CoinSplits } from './coins/splits.ts';
import type { ContractState } from './contract-state.ts';
import type { DatedCurve } from './depth/book-curve.ts';
import { figuresAt, INTEREST_FAULTS, type InterestFault, interestFaultAt } from './figures.ts';
import { type Identity, IdentityResolver, type PricedContract } from './identity.ts';
import { ROW_MAX_AGE_MS, scheduleOf } from './interval.ts';
import { type LatestMarket, TOP_MAX_AGE_MS } from './latest.ts';
import { type Session, sessionsOf } from './session.ts';

/** One contract at one time: everything that the engines may use, immutable. */
export interface FrozenContract {
  readonly key: string;
  readonly exchange: string;
  readonly venueSymbol: string;
  /** Normalised BASE-QUOTE with the contract's own base. */
  readonly symbol: string;
  readonly coin: string;
  readonly multiplier: number;
  readonly quote: string;
  readonly isInverse: boolean;
  readonly assetClass: AssetClass;
  readonly isPriceOutlier: boolean;
  readonly ratePct: number;
  /** When the venue last confirmed the rate. */
  readonly rateAtMs: number;
  readonly intervalHours: number | null;
  readonly nextFundingAtMs: number | null;
  readonly volume24hUsdt: number;
  readonly takerFeePct: number;
  readonly maxLeverage: number | null;
  /** In quote units for one unit of the contract's own base. */
  readonly markPrice: number | null;
  readonly indexPrice: number | null;
  readonly openInterestUsdt: number | null;
  /** Null for coins, and while it is unknown. */
  readonly session: Session | null;
}

/** What the venues had said of each trading contract by one time: copies, which later observations do not change. */
export type FrozenStates = readonly Readonly<ContractState>[];

/** The market at one time. Every table of that time is made from it. */
export interface FrozenMarket {
  readonly asOfMs: number;
  readonly states: FrozenStates;
  /** By contract key, also of contracts that have no row. */
  readonly identities: ReadonlyMap<string, Identity>;
  /** The contracts that have a row. */
  readonly contracts: readonly FrozenContract[];
  /** What the newest order books cost to trade against, by contract key. */
  readonly curves: ReadonlyMap<string, DatedCurve>;
}

/** The dollar quotes whose books are compared between venues, the most common first. The only such list. */
export const DOLLAR_QUOTES: ReadonlySet<string> = new Set(['USDT', 'USDC', 'USD', 'USDE', 'USDH', 'FDUSD']);

/** Makes frozen copies of the market. Keeps only the proven identities between them. */
export class Freezer {
  readonly #market: LatestMarket;
  readonly #identity: IdentityResolver;
  readonly #curvesAt: (nowMs: number) => ReadonlyMap<string, DatedCurve>;
  readonly #metrics: Metrics;
  readonly #log: Log;
  #outliers = new Set<string>();
  #identities: ReadonlyMap<string, Identity> = new Map();
  #sessions: ReadonlyMap<string, Session> = new Map();
  #outlierCounts: ReadonlyMap<string, number> = new Map();
  #withheldInterests: ReadonlyMap<string, WithheldInterest> = new Map();
  #copy: { asOfMs: number; states: FrozenStates } | null = null;

  constructor(
    market: LatestMarket,
    metrics: Metrics,
    log: Log,
    /** The curves that are known at a time. */
    curvesAt: (nowMs: number) => ReadonlyMap<string, DatedCurve> = () => new Map(),
    /** The tickers that are several coins, as far as it is known. */
    splits?: CoinSplits,
  ) {
    this.#identity = new IdentityResolver(splits, (changes) => this.#reportCoins(changes));
    this.#market = market;
    this.#curvesAt = curvesAt;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Identities by contract key, as of the last freeze, also of contracts that have no row because they have no rate. */
  get identities(): ReadonlyMap<string, Identity> {
    return this.#identities;
  }

  /** Sessions by contract key, as of the last freeze. */
  get sessions(): ReadonlyMap<string, Session> {
    return this.#sessions;
  }

  /** Price outliers by venue, as of the last freeze. Counted once: pages need those of every venue. */
  get outlierCounts(): ReadonlyMap<string, number> {
    return this.#outlierCounts;
  }

  /** Contracts whose open interest is not published, as of the last freeze, by key. */
  get withheldInterests(): ReadonlyMap<string, WithheldInterest> {
    return this.#withheldInterests;
  }

  /**
   * The market as of now, for a table that is computed before the market can change: the copy of this time if there is one,
   * so that tables of one time agree.
   */
  statesNow(nowMs: number): FrozenStates {
    return this.#copy?.asOfMs === nowMs ? this.#copy.states : this.#market.states().filter(isLive);
  }

  #copyAt(nowMs: number): { asOfMs: number; states: FrozenStates } {
    if (this.#copy?.asOfMs !== nowMs)
      this.#copy = { asOfMs: nowMs, states: this.statesNow(nowMs).map(copyOf) };
    return this.#copy;
  }

  freeze(nowMs: number): FrozenMarket {
    const { states } = this.#copyAt(nowMs);
    const curves = this.#curvesAt(nowMs);
    const priced = states.map(
      (state): PricedContract => ({
        key: state.key,
        exchange: state.venue.facts.exchange,
        base: state.contract.base,
        assetClass: state.contract.assetClass,
        isClassStated: !state.venue.facts.hasNoClasses,
        // Rarer dollar quotes, such as USD1, form no spread but identify coins and multipliers too.
        price: isDollarQuote(state.contract.quote) ? priceOf(state, nowMs) : null,
      }),
    );
    const identities = this.#identity.resolve(priced, nowMs);
    const sessions = sessionsOf(states, identities, nowMs);
    const contracts: FrozenContract[] = [];
    const outliers = new Set<string>();
    const outlierCounts = new Map<string, number>();
    const withheldInterests = new Map<string, WithheldInterest>();
    for (const state of states) {
      const identity = identities.get(state.key);
      const { exchange } = state.venue.facts;
      if (identity?.isPriceOutlier) outlierCounts.set(exchange, (outlierCounts.get(exchange) ?? 0) + 1);
      const fault = interestFaultAt(state.figures, state.volume24hUsdt, nowMs);
      if (fault) withheldInterests.set(state.key, { slug: state.venue.slug, fault });
      if (!identity || state.ratePct === null || state.volume24hUsdt === null) continue;
      if (nowMs - state.rateAtMs > ROW_MAX_AGE_MS) continue;
      if (identity.isPriceOutlier) outliers.add(state.key);
      contracts.push(frozen(state, identity, sessions.get(state.key) ?? null, nowMs));
    }
    this.#identities = identities;
    this.#sessions = sessions;
    this.#outlierCounts = outlierCounts;
    this.#report(outliers);
    this.#reportInterests(withheldInterests);
    return { asOfMs: nowMs, states, identities, contracts, curves };
  }

  #reportCoins(changes: readonly CoinChange[]): void {
    for (const [coin, of] of Map.groupBy(changes, ({ to }) => to)) {
      const ticker = of[0]?.ticker;
      const contracts = of.map(({ key }) => key);
      if (coin === ticker) this.#log.info({ coin, contracts }, 'prices agree again: contracts are one coin');
      else
        this.#log.warn({ ticker, coin, contracts }, 'one ticker has two prices: contracts are another coin');
    }
  }

  #report(outliers: Set<string>): void {
    for (const key of outliers) {
      if (!this.#outliers.has(key))
        this.#log.warn({ contract: key }, 'price does not fit its ticker: most likely another coin');
    }
    this.#outliers = outliers;
    this.#metrics.priceOutliers.reset();
    for (const key of outliers) this.#metrics.priceOutliers.inc({ venue: key.slice(0, key.indexOf('/')) });
  }

  #reportInterests(withheld: ReadonlyMap<string, WithheldInterest>): void {
    for (const [contract, { fault }] of withheld)
      if (!this.#withheldInterests.has(contract))
        this.#log.warn({ contract }, `not published: ${INTEREST_FAULTS[fault]}`);
    this.#withheldInterests = withheld;
    this.#metrics.openInterestWithheld.reset();
    for (const { slug, fault } of withheld.values())
      this.#metrics.openInterestWithheld.inc({ venue: slug, reason: INTEREST_FAULTS[fault] });
  }
}

/** A contract whose open interest is not published. */
interface WithheldInterest {
  slug: string;
  fault: InterestFault;
}

/** Only contracts that trade are published; announced, halted and delisted ones are in the calendar. */
export function isLive(state: ContractState): boolean {
  return state.contract.status === 'trading' || state.contract.status === 'delisting';
}

/** The contract's own taker fee, or the venue's. */
export function takerFeePctOf({ contract, venue }: Pick<ContractState, 'contract' | 'venue'>): number {
  return contract.takerFeePct ?? venue.facts.takerFeePct.value;
}

/** The mid price; the mark or last price if the top is older than a leg of a spread may be. */
export function priceOf({ top, topAtMs, referencePrice }: ContractState, nowMs: number): number | null {
  return top && nowMs - topAtMs <= TOP_MAX_AGE_MS ? (top.bidPrice + top.askPrice) / 2 : referencePrice;
}

/** Tops, contracts, rolls and single figures are replaced, never changed; the state and its list of figures are. */
function copyOf(state: ContractState): ContractState {
  return state.figures ? { ...state, figures: { ...state.figures } } : { ...state };
}

function frozen(
  state: ContractState,
  identity: Identity,
  session: Session | null,
  nowMs: number,
): FrozenContract {
  const { contract, venue } = state;
  const { intervalHours, nextFundingAtMs } = scheduleOf(state, nowMs);
  const { markPrice, indexPrice, openInterestUsdt } = figuresAt(state.figures, state.volume24hUsdt, nowMs);
  return Object.freeze({
    key: state.key,
    exchange: venue.facts.exchange,
    venueSymbol: contract.venueSymbol,
    symbol: `${contract.base}-${contract.quote}`,
    coin: identity.coin,
    multiplier: identity.multiplier,
    quote: contract.quote,
    isInverse: contract.isInverse,
    assetClass: identity.assetClass,
    isPriceOutlier: identity.isPriceOutlier,
    ratePct: state.ratePct ?? 0,
    rateAtMs: state.rateAtMs,
    intervalHours,
    nextFundingAtMs,
    volume24hUsdt: state.volume24hUsdt ?? 0,
    takerFeePct: takerFeePctOf(state),
    maxLeverage: contract.maxLeverage,
    session,
    markPrice,
    indexPrice,
    openInterestUsdt,
  });
}
