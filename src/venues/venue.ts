import type { BudgetLimit } from '../base/request-budget.ts';
import type { Announcement, Batch, Contract, Depth, Rejection, Settlement } from './observations.ts';

/** A catalogue fact with where and when we read it, because venues change fees without telling their API. */
export interface SourcedFact<T> {
  value: T;
  /** Calendar day on which the source was read. */
  readOn: string;
  source: string;
}

export interface VenueFacts {
  /** The `exchange` value of every answer: exact spelling, case-sensitive. */
  exchange: string;
  /** The company's or protocol's full name. */
  name: string;
  takerFeePct: SourcedFact<number>;
  maxLeverage: SourcedFact<number>;
  hasSpot: boolean;
  /** Whether the host product can trade there. */
  tradingEnabled: boolean;
  feeUrl: string | null;
  specsUrl: string;
  fundingUrl: string;
  /** What the venue does not tell or no source confirms; printed in docs/venues.md. */
  unknown: readonly string[];
}

/** What a parser may know beside the payload. It never sees a clock or the network. */
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
  /** A query parameter that the venue wants the time of the call in, in milliseconds. */
  timestampParameter?: string;
  /** The venue's own weight of this call; 1 if not given. */
  weight?: number;
  /** One of the venue's budgets, or several; the first one if not given. */
  budget?: string | readonly string[];
}

export interface VenueReply {
  payload: unknown;
  receivedAtMs: number;
}

/** Makes one call within the venue's budget. Throws a CallError when the venue cannot be asked. */
export type Ask = (request: VenueRequest) => Promise<VenueReply>;

export interface CollectContext {
  ask: Ask;
  contracts: ReadonlyMap<string, Contract>;
}

/** What a poll or stream is there for; docs/venues.md is made from it. */
export type Topic =
  | 'contracts'
  | 'rate'
  | 'interval'
  | 'next settlement'
  | 'bid and ask'
  | 'sizes'
  | 'volume'
  | 'notices';

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
  collect(context: CollectContext): Promise<Batch>;
}

/** For what a venue gives only per contract: spread over the period, the most traded contracts first. */
export interface EachPoll extends PollBase {
  kind: 'each';
  applies(contract: Contract): boolean;
  collect(contract: Contract, context: CollectContext): Promise<Batch>;
}

export type Poll = BulkPoll | EachPoll;

/** One connection's conversation. It may keep state, such as a book that deltas change. */
export interface StreamSession {
  /** Messages to send once the socket is open. */
  opening: readonly string[];
  /** Takes one message; `replies` are sent back (pong and the like). Throws to make the collector reconnect. */
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
  /** A message to send to keep the connection; null where the protocol's own ping is enough. */
  heartbeat: { everySeconds: number; message: (nowMs: number) => string } | null;
  /** Reconnect when nothing has come for this long. */
  silenceSeconds: number;
}

export interface SettlementWindow {
  fromMs: number;
  toMs: number;
  /** From a page's `next`, where the venue numbers its pages; without it the walk starts at the newest page. */
  cursor?: string;
}

export interface SettlementPage {
  /** In any order; the caller sorts and drops duplicates. */
  settlements: Settlement[];
  rejected: Rejection[];
  /** The window that is still to be asked for, from the returned timestamps; null when the page was the last. */
  next: SettlementWindow | null;
}

export interface AnnouncementPage {
  announcements: Announcement[];
  rejected: Rejection[];
}

export interface Venue {
  /** Folder name under src/venues and first path segment in the simulator. */
  slug: string;
  facts: VenueFacts;
  /** Base addresses without a trailing slash: `https://...` or `wss://...`. */
  hosts: Readonly<Record<string, string>>;
  /** The venue's own limits, already reduced to what we use of them. The first is the default. */
  budgets: Readonly<Record<string, BudgetLimit>>;
  /** Seconds of silence that the venue wants after an HTTP status of its own, besides 429 and 418. */
  pauseAfterStatus?: Readonly<Record<number, number>>;
  polls: readonly Poll[];
  streams: readonly Stream[];
  /** Settled prints of one contract in [fromMs, toMs], one page a call. */
  settlements(contract: Contract, window: SettlementWindow, context: CollectContext): Promise<SettlementPage>;
  /** How far back the venue's own history reaches in days; null when it keeps everything. */
  settlementDepthDays: number | null;
  /** One call gives all prints of a contract, whatever the window, and is heavy: ask rarely, and for everything. */
  settlementsComeWhole?: true;
  /** The prints of every contract in a short window, for venues that give them in one call. */
  settlementsOfAll?(window: SettlementWindow, context: CollectContext): Promise<SettlementPage>;
  depth(contract: Contract, context: CollectContext): Promise<Depth>;
}
