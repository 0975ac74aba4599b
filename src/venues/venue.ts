import type { BudgetLimit } from '../base/request-budget.ts';
import type { SidesFacts } from './counting/sides.ts';
import type { Batch, Contract, Depth, Rejection, Settlement } from './observations.ts';

/** A fact with its source and the day it was read, because venues change fees that no call returns. */
export interface SourcedFact<T> {
  value: T;
  /** Calendar day on which the source was read. */
  readOn: string;
  source: string;
}

export function sourced<T>(value: T, readOn: string, source: string): SourcedFact<T> {
  return { value, readOn, source };
}

/** The largest rate that a venue charges, over all of its contracts. */
export interface RateCap {
  pct: number;
  /** Of how many hours of funding; null: of one settlement, whatever its interval. */
  perHours: number | null;
}

/** What accounts pay from a volume of 30 days on. */
export interface FeeTier {
  fromUsd: number;
  takerPct: number;
  makerPct: number;
}

export interface VenueFacts {
  /** The `exchange` value of every answer: exact spelling, case-sensitive. */
  exchange: string;
  /** The company's or protocol's full name. */
  name: string;
  /** `dex`: it settles on a blockchain. */
  kind: 'cex' | 'dex';
  /** The fields of its instrument list that date contracts, for docs/listings.md. Not given: the list has none. */
  listingFields?: {
    /** How a contract that is not open yet is marked. */
    preopen?: string;
    openingTime?: string;
    end?: string;
  };
  takerFeePct: SourcedFact<number>;
  /** Of the base tier. Not given: no source states it. Below zero: the venue pays makers. */
  makerFeePct?: SourcedFact<number>;
  /** By volume of 30 days, the base tier first. Not given: not read. */
  feeTiers?: SourcedFact<readonly FeeTier[]>;
  maxLeverage: SourcedFact<number>;
  /** When trading ended for good, in epoch milliseconds. Not called any more, prints after it are refused, history stays. */
  endedAt?: SourcedFact<number>;
  /**
   * Why the venue has no settled prints, as a sentence for its page: it publishes none. Its running rates are never taken for
   * prints, so sums and realised figures of its contracts are null.
   */
  noHistory?: string;
  /** Why the venue has no bid and ask, as a sentence for its page. Its contracts have no spreads and no depth. */
  noBook?: string;
  /** A rate beyond it is quarantined; without it generous bounds apply. */
  rateCap?: SourcedFact<RateCap>;
  /** The `exchange` whose rates it repeats, or is said to; the audit finds out whether it does. */
  copyOf?: string;
  /** Whether its figures count a position and a trade once, as it sends them; `countedOnce` halves what counts both sides. */
  counts: SidesFacts;
  /** Its list has no asset classes: what neither a table nor its name tells counts as a coin. */
  hasNoClasses?: true;
  hasSpot: boolean;
  /** Whether the host product supports trading there. */
  tradingEnabled: boolean;
  feeUrl: string | null;
  specsUrl: string;
  fundingUrl: string;
  /** Where we differ from what a reader may expect, with the reason and the day; printed in docs/venues.md. */
  notes?: readonly string[];
  /** What the venue does not publish or no source confirms; printed in docs/venues.md. */
  unknown: readonly string[];
}

/** What a parser gets besides the payload. It has no access to a clock or the network. */
export interface ParseContext {
  receivedAtMs: number;
  /** The venue's contracts as of the last good lists, by venue symbol. */
  contracts: ReadonlyMap<string, Contract>;
}

export interface VenueRequest {
  /** One of the venue's hosts; `rest` if not given. */
  host?: string;
  method?: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The query parameter in which the venue requires the time of the call, in milliseconds. */
  timestampParameter?: string;
  /** The venue's own weight of this call; 1 if not given. */
  weight?: number;
  /** One of the venue's budgets, or several; the first one if not given. */
  budget?: string | readonly string[];
}

export interface VenueReply {
  payload: unknown;
  /** Receive time, less the time for which a cache in between has held the reply (HTTP `Age`). */
  receivedAtMs: number;
}

/** Sends one request within the venue's budget. Throws a CallError if it fails. */
export type SendRequest = (request: VenueRequest) => Promise<VenueReply>;

export interface CollectContext {
  send: SendRequest;
  contracts: ReadonlyMap<string, Contract>;
}

/** What a poll or stream delivers; docs/venues.md is generated from it. */
export type Topic =
  | 'contracts'
  | 'rate'
  | 'interval'
  | 'next settlement'
  | 'bid and ask'
  | 'sizes'
  | 'volume'
  | 'mark price'
  | 'index price'
  | 'open interest'
  | 'books'
  | 'notices';

/** Topics that most venues give together, for `gives`. */
export const FUNDING_TOPICS = ['rate', 'interval', 'next settlement'] as const;
export const FIGURE_TOPICS = ['mark price', 'index price', 'open interest'] as const;
export const TOP_TOPICS = ['bid and ask', 'sizes'] as const;

interface PollBase {
  name: string;
  gives: readonly Topic[];
  everySeconds: number;
  /** For the docs: method and path. */
  call: string;
  /** Weight of one whole run (bulk) or of one contract (each), for the docs. */
  weight: number;
}

/** One run covers the whole venue or one part of it. */
export interface BulkPoll extends PollBase {
  kind: 'bulk';
  /** To be read again right after every settlement that a reply announces, because no other call has the next one. */
  followsSettlements?: true;
  collect(context: CollectContext): Promise<Batch>;
}

/** For data that a venue gives only per contract: calls are spread over the period, the most traded contracts first. */
export interface EachPoll extends PollBase {
  kind: 'each';
  applies(contract: Contract): boolean;
  collect(contract: Contract, context: CollectContext): Promise<Batch>;
}

export type Poll = BulkPoll | EachPoll;

/** The protocol of one connection. It may keep state, such as a book that deltas change. */
export interface StreamSession {
  /** Messages to send once the socket is open. */
  opening: readonly string[];
  /** Reads one message; `replies` are sent back (pong and the like). Throws to make the collector reconnect. */
  receive(message: unknown, context: ParseContext): { batch: Batch; replies?: readonly string[] };
}

export interface Stream {
  name: string;
  gives: readonly Topic[];
  /** One of the venue's hosts. */
  host: string;
  path: string;
  /** For the docs: the channel. */
  call: string;
  contractsPerSocket: number;
  applies(contract: Contract): boolean;
  open(contracts: readonly Contract[]): StreamSession;
  /** A message that keeps the connection open; null where WebSocket pings are enough. */
  heartbeat: { everySeconds: number; message: (nowMs: number) => string } | null;
  /** Reconnect after this long without a message. */
  silenceSeconds: number;
  /** Tops are sent only when they change, and the session does not repeat them: the collector does (`HeldTops`). */
  sendsOnlyChanges?: true;
  /** Messages have hundreds of prices and sizes written as texts: short ones are parsed as numbers (`unquoteShortDecimals`). */
  sendsDecimalTexts?: true;
}

export interface SettlementWindow {
  fromMs: number;
  toMs: number;
  /** From a page's `next`, at venues that number their pages; without it the walk starts at the newest page. */
  cursor?: string;
}

export interface SettlementPage {
  /** In any order; the caller sorts and drops duplicates. */
  settlements: Settlement[];
  rejected: Rejection[];
  /** The rest of the window, computed from the returned timestamps; null after the last page. */
  next: SettlementWindow | null;
}

export interface Venue {
  /** Folder name under src/venues and first path segment in the simulator. */
  slug: string;
  facts: VenueFacts;
  /** Base addresses without a trailing slash: `https://...` or `wss://...`. */
  hosts: Readonly<Record<string, string>>;
  /** The venue's limits, reduced by a safety margin. The first is the default. */
  budgets: Readonly<Record<string, BudgetLimit>>;
  /** Seconds to pause after an HTTP status, in addition to the defaults for 429 and 418. */
  pauseAfterStatus?: Readonly<Record<number, number>>;
  /** Codes in the body of an HTTP 200 that mean "too many requests": the venue pauses as after a 429. */
  tooManyCodes?: { fields: readonly string[]; codes: readonly string[] };
  /** Codes in the body of a 5xx reply that refuse the request itself, such as a wrong symbol: the call is not repeated. */
  refusalCodes?: readonly string[];
  /** The start of the name of the header in which the venue states its pause, besides Retry-After; in lower case. */
  retryAfterHeader?: string;
  /** The venue shows the rate just charged beside the next settlement's time for at most this long after a settlement. */
  chargedRateShownSeconds?: number;
  /** `venueTimeMs` of a funding quote is when the venue computed that row's rate, so a row is as old as it says. */
  stampsEachRate?: true;
  polls: readonly Poll[];
  streams: readonly Stream[];
  /** Settled prints of one contract in [fromMs, toMs], one page a call; `noSettlements` beside `facts.noHistory`. */
  settlements(contract: Contract, window: SettlementWindow, context: CollectContext): Promise<SettlementPage>;
  /** How many days of history the venue keeps; null if it keeps everything; 0 if it publishes none. */
  settlementDepthDays: number | null;
  /** Hours that one print is for, where that differs from the hours that the published rate is for. */
  printIntervalHours?: number;
  /** One call returns all prints of a contract, whatever the window, so the backfill needs only one. */
  settlementsComeWhole?: true;
  /** The prints of every contract in a short window, for venues that return them in one call. */
  settlementsOfAll?(window: SettlementWindow, context: CollectContext): Promise<SettlementPage>;
  /** The order book of one contract. Absent where books come over a stream or a poll (topic 'books'), or there are none. */
  depth?(contract: Contract, context: CollectContext): Promise<Depth>;
}
