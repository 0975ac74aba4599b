import type { Clock } from '../../base/clock.ts';
import { CallError, type HttpClient } from '../../base/http/http-client.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type BudgetLimit, PRIORITY, type Priority, RequestBudget } from '../../base/request-budget.ts';
import { hasEnded } from '../ended.ts';
import { isRow } from '../reading.ts';
import type { Venue, VenueReply, VenueRequest } from '../venue.ts';
import { AddressRefusals } from './address-refusals.ts';
import { MinuteCount } from './minute-count.ts';

interface CallerOptions {
  venue: Venue;
  http: HttpClient;
  clock: Clock;
  metrics: Metrics;
  /** The simulator's base address, used instead of the venue's own; null for the real venue. */
  simUrl: string | null;
  /** False while a simulator's past is collected, whose clock runs faster than any budget. */
  isPaced: boolean;
  /** Budgets that several venues draw on, by name; the callers of one address have one map. */
  sharedBudgets?: Map<string, RequestBudget>;
  random?: () => number;
}

const CALL_TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 300;
/** Seconds to pause after these statuses when the venue sends no Retry-After. */
const DEFAULT_PAUSES: Readonly<Record<number, number>> = { 429: 10, 418: 120 };
const TOO_MANY_REQUESTS = 429;
const GONE = 410;
const MAX_PAUSE_SECONDS = 600;

/** A reply with the time for which a cache has held it, which `receivedAtMs` already accounts for. */
interface AgedReply extends VenueReply {
  ageMs: number;
}

/** Calls one venue: builds addresses, spends budgets, retries once, and pauses when the venue demands it. */
export class VenueCaller {
  readonly #options: CallerOptions;
  readonly refusals: AddressRefusals;
  readonly budgets: ReadonlyMap<string, RequestBudget>;
  readonly #calls: MinuteCount;
  readonly #weights: ReadonlyMap<string, MinuteCount>;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.refusals = new AddressRefusals(options.venue, options.clock);
    const { clock, sharedBudgets = new Map<string, RequestBudget>() } = options;
    const budgetOf = (limit: BudgetLimit) => {
      const make = () => new RequestBudget(limit, clock);
      return limit.sharedAs ? sharedBudgets.getOrInsertComputed(limit.sharedAs, make) : make();
    };
    this.budgets = new Map(
      Object.entries(options.venue.budgets).map(([name, limit]) => [name, budgetOf(limit)]),
    );
    this.#calls = new MinuteCount(options.clock);
    this.#weights = new Map(
      Object.keys(options.venue.budgets).map((name) => [name, new MinuteCount(options.clock)]),
    );
  }

  /** Calls of the last minute. */
  get callsPerMinute(): number {
    return this.#calls.total();
  }

  /** Weight spent in the last minute, and what the budget allows in a minute. */
  weightPerMinute(name: string): { used: number; limit: number } {
    const budget = this.budgets.get(name);
    return {
      used: this.#weights.get(name)?.total() ?? 0,
      limit: budget ? (budget.capacity * 60) / budget.windowSeconds : 0,
    };
  }

  sender(priority: Priority, signal?: AbortSignal): (request: VenueRequest) => Promise<AgedReply> {
    return async (request) => {
      try {
        return await this.#once(request, priority, signal);
      } catch (error) {
        if (signal?.aborted || !isTransient(error, this.#options.venue)) throw error;
        const jitter = 0.5 + (this.#options.random ?? Math.random)();
        await this.#options.clock.sleep(RETRY_DELAY_MS * jitter, signal);
        return await this.#once(request, priority, signal);
      }
    };
  }

  async #once(request: VenueRequest, priority: Priority, signal?: AbortSignal): Promise<AgedReply> {
    const { http, clock, metrics, venue } = this.#options;
    if (hasEnded(venue.facts, clock.nowMs()))
      throw new CallError('status', `${venue.facts.exchange} has ended and is not called`, GONE);
    const host = request.host ?? 'rest';
    this.refusals.admit(host);
    const weight = request.weight ?? 1;
    const budgets = this.#budgetsOf(request);
    for (const [name, budget] of budgets) {
      if (this.#options.isPaced) await budget.take(weight, priority, signal);
      metrics.venueWeight.inc({ venue: venue.slug, budget: name }, weight);
      this.#weights.get(name)?.add(weight);
    }
    this.#calls.add(1);
    try {
      const { payload, ageMs, receivedBytes } = await http.json({
        method: request.method ?? 'GET',
        url: this.#url(request),
        timeoutMs: CALL_TIMEOUT_MS,
        isRepeated: priority === PRIORITY.live && !request.timestampParameter,
        isBook: priority === PRIORITY.depth,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.headers ? { headers: request.headers } : {}),
        ...(venue.retryAfterHeader ? { retryAfterHeader: venue.retryAfterHeader } : {}),
        ...(signal ? { signal } : {}),
      });
      metrics.venueBytes.inc({ venue: venue.slug }, receivedBytes);
      refuseTooMany(payload, venue);
      this.refusals.succeeded(host);
      return { payload, receivedAtMs: clock.nowMs() - ageMs, ageMs };
    } catch (error) {
      // A round that gives up aborts its calls with the failure of another call: this one says nothing about the venue.
      if (signal?.aborted) throw error;
      const status = error instanceof CallError && error.status !== null ? error.status : 0;
      const pause = venue.pauseAfterStatus?.[status] ?? DEFAULT_PAUSES[status];
      if (error instanceof CallError && pause !== undefined) {
        const seconds = Math.min(error.retryAfterSeconds ?? pause, MAX_PAUSE_SECONDS);
        for (const [, budget] of budgets) budget.pauseFor(seconds * 1000);
      }
      throw this.refusals.failed(host, error);
    }
  }

  #budgetsOf(request: VenueRequest): [string, RequestBudget][] {
    const first = this.budgets.keys().next().value ?? '';
    const names = request.budget === undefined ? [first] : [request.budget].flat();
    return names.map((name) => {
      const budget = this.budgets.get(name);
      if (!budget) throw new Error(`${this.#options.venue.slug} has no budget "${name}"`);
      return [name, budget];
    });
  }

  #url(request: VenueRequest): string {
    const base = hostAddress(this.#options.venue, request.host ?? 'rest', this.#options.simUrl);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    if (request.timestampParameter)
      query.set(request.timestampParameter, String(this.#options.clock.nowMs()));
    const text = query.toString();
    return `${base}${request.path}${text === '' ? '' : `?${text}`}`;
  }
}

/** The address of one of the venue's hosts, real or simulated. */
export function hostAddress(venue: Venue, host: string, simUrl: string | null): string {
  const real = venue.hosts[host];
  if (real === undefined) throw new Error(`${venue.slug} has no host "${host}"`);
  if (simUrl === null) return real;
  const base = real.startsWith('ws') ? simUrl.replace(/^http/, 'ws') : simUrl;
  return `${base}/${venue.slug}/${host}`;
}

/** Throws what a 429 would, for a venue that says "too many requests" with a code in the body of an HTTP 200. */
function refuseTooMany(payload: unknown, { tooManyCodes }: Venue): void {
  if (!tooManyCodes || !isRow(payload)) return;
  for (const field of tooManyCodes.fields) {
    const code = String(payload[field]);
    if (tooManyCodes.codes.includes(code))
      throw new CallError('status', `${field} ${code}: too many requests`, TOO_MANY_REQUESTS);
  }
}

/** True for failures that an immediate retry often cures. A refusal (4xx, or a code for it in a 5xx) is not one of them. */
function isTransient(error: unknown, { refusalCodes = [] }: Venue): boolean {
  if (!(error instanceof CallError)) return false;
  const code = /"code" ?: ?"?(-?\d+)/.exec(error.message)?.[1];
  if (code !== undefined && refusalCodes.includes(code)) return false;
  return (
    error.failure === 'network' ||
    error.failure === 'not-json' ||
    (error.status !== null && error.status >= 500)
  );
}
