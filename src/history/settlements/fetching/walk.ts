import type { Clock } from '../../../base/clock.ts';
import { CallError } from '../../../base/http/http-client.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import type { Priority } from '../../../base/request-budget.ts';
import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';
import { failureText } from '../../../venues/health.ts';
import type { Contract, Settlement } from '../../../venues/observations.ts';
import { BadReply } from '../../../venues/reading.ts';
import type { SendRequest, SettlementPage, SettlementWindow, Venue } from '../../../venues/venue.ts';
import type { Print } from '../merge.ts';
import { settlementMinute } from '../times.ts';

/** A venue whose settled prints can be fetched. */
export interface SettlementSource {
  readonly venue: Venue;
  /** The contracts that the venue lists now, by venue symbol. */
  readonly contracts: ReadonlyMap<string, Contract>;
  sender(priority: Priority, signal: AbortSignal): SendRequest;
  volumeOf(venueSymbol: string): number;
}

interface WalkOptions {
  source: SettlementSource;
  priority: Priority;
  signal: AbortSignal;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

interface WalkedPage {
  prints: Print[];
  /** The window still to be fetched after this page; null after the last page. */
  next: SettlementWindow | null;
}

const MOST_PAGES = 5000;
const TRIES_PER_PAGE = 6;
const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = 30 * SECOND_MS;
/** No interval is longer than a day. Caps of the past are not known, so this bound is wider than those of today. */
const IMPOSSIBLE_RATE_PCT = 4 * 24;
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;

/** Fetches a contract's prints page by page; each page returns the window that is left. Failed pages are retried, never skipped. */
export async function* walkSettlements(
  contract: Contract,
  window: SettlementWindow,
  options: WalkOptions,
): AsyncGenerator<WalkedPage, void, SettlementWindow | undefined> {
  const { source } = options;
  let left: SettlementWindow | null = rounded(window);
  for (let pages = 0; left !== null; pages++) {
    if (pages >= MOST_PAGES)
      throw new BadReply(`settlement history of ${contract.venueSymbol} has more than ${MOST_PAGES} pages`);
    const current: SettlementWindow = left;
    const page: SettlementPage = await withRetries(options, (send) =>
      source.venue.settlements(contract, current, { send, contracts: source.contracts }),
    );
    if (page.next && isSame(page.next, current))
      throw new BadReply(`a settlement page of ${contract.venueSymbol} names itself as the next one`);
    countRejected(page, options);
    const own = page.settlements.filter((print) => print.venueSymbol === contract.venueSymbol);
    // The caller may widen the window when the venue turns out to number its pages.
    const widened: SettlementWindow | undefined = yield { prints: goodPrints(own, options), next: page.next };
    left = page.next === null ? null : widened ? rounded(widened) : page.next;
  }
}

/** Fetches the prints of all contracts in a short window, by venue symbol. */
export async function walkAll(window: SettlementWindow, options: WalkOptions): Promise<Map<string, Print[]>> {
  const { source } = options;
  const found = new Map<string, Print[]>();
  let left: SettlementWindow | null = window;
  for (let pages = 0; left !== null && source.venue.settlementsOfAll; pages++) {
    if (pages >= MOST_PAGES)
      throw new BadReply(`the list of settled prints has more than ${MOST_PAGES} pages`);
    const current: SettlementWindow = left;
    const ofAll = source.venue.settlementsOfAll;
    const page: SettlementPage = await withRetries(options, (send) =>
      ofAll(current, { send, contracts: source.contracts }),
    );
    if (page.next && isSame(page.next, current))
      throw new BadReply('a page of settled prints names itself as the next one');
    countRejected(page, options);
    for (const settlement of page.settlements) {
      const prints = found.get(settlement.venueSymbol) ?? [];
      prints.push(...goodPrints([settlement], options));
      found.set(settlement.venueSymbol, prints);
    }
    left = page.next;
  }
  return found;
}

/** Some venues accept whole seconds only: a window that starts between two seconds would never become empty. */
function rounded(window: SettlementWindow): SettlementWindow {
  return { ...window, fromMs: Math.floor(window.fromMs / MINUTE_MS) * MINUTE_MS };
}

async function withRetries<T>(options: WalkOptions, call: (send: SendRequest) => Promise<T>): Promise<T> {
  const { source, priority, signal, clock, log } = options;
  for (let tries = 1; ; tries++) {
    try {
      return await call(source.sender(priority, signal));
    } catch (error) {
      if (signal.aborted || tries >= TRIES_PER_PAGE || isFinal(error)) throw error;
      const pauseMs = pauseAfter(error, tries);
      log.debug(
        { venue: source.venue.slug, failure: failureText(error), pauseMs },
        'settlement page failed, will retry',
      );
      await clock.sleep(pauseMs, signal);
      signal.throwIfAborted();
    }
  }
}

/** A 4xx other than a rate limit or a timeout would be the same on a retry. */
function isFinal(error: unknown): boolean {
  if (error instanceof BadReply) return false;
  if (!(error instanceof CallError)) return true;
  const { status } = error;
  return status !== null && status >= 400 && status < 500 && ![408, 418, 425, 429].includes(status);
}

function pauseAfter(error: unknown, tries: number): number {
  const retryAfterMs = error instanceof CallError ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0;
  const backoffMs = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.75 + Math.random() * 0.5);
  return Math.min(Math.max(retryAfterMs, backoffMs), LONGEST_PAUSE_MS);
}

function isSame(a: SettlementWindow, b: SettlementWindow): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs && a.cursor === b.cursor;
}

function countRejected(page: SettlementPage, { source, metrics }: WalkOptions): void {
  for (const { reason } of page.rejected) metrics.venueRowsRejected.inc({ venue: source.venue.slug, reason });
}

/** Prints at their scheduled minute. Impossible ones are left out and counted. */
function goodPrints(
  settlements: readonly Settlement[],
  { source, clock, metrics, log }: WalkOptions,
): Print[] {
  const prints: Print[] = [];
  for (const { settledAtMs, ratePct, venueSymbol } of settlements) {
    const fault =
      Math.abs(ratePct) > IMPOSSIBLE_RATE_PCT
        ? 'settled rate above 4 % an hour'
        : settledAtMs > clock.nowMs() + CLOCK_TOLERANCE_MS
          ? 'settled in the future'
          : null;
    if (fault === null) prints.push({ minute: settlementMinute(settledAtMs), ratePct });
    else {
      metrics.rowsQuarantined.inc({ venue: source.venue.slug, reason: fault });
      log.warn({ venue: source.venue.slug, symbol: venueSymbol, ratePct, settledAtMs, fault }, 'quarantined');
    }
  }
  return prints;
}
