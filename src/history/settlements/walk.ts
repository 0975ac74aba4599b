import type { Clock } from '../../base/clock.ts';
import { CallError } from '../../base/http-client.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Priority } from '../../base/request-budget.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { failureText } from '../../venues/health.ts';
import type { Contract, Settlement } from '../../venues/observations.ts';
import { BadReply } from '../../venues/reading.ts';
import type { Ask, SettlementPage, SettlementWindow, Venue } from '../../venues/venue.ts';
import type { Print } from './merge.ts';
import { settlementMinute } from './times.ts';

/** A venue whose prints can be asked for. */
export interface SettlementSource {
  readonly venue: Venue;
  /** What it lists now. */
  readonly contracts: ReadonlyMap<string, Contract>;
  asker(priority: Priority, signal: AbortSignal): Ask;
  volumeOf(venueSymbol: string): number;
}

export interface WalkOptions {
  source: SettlementSource;
  priority: Priority;
  signal: AbortSignal;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export interface WalkedPage {
  prints: Print[];
  /** What is left to be asked for after this page. */
  next: SettlementWindow | null;
}

const MOST_PAGES = 5000;
const TRIES_PER_PAGE = 6;
const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = 30 * SECOND_MS;
/** The steepest cap is 4 % an hour, and no interval is longer than a day. */
const IMPOSSIBLE_RATE_PCT = 4 * 24;
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;

/** Walks a contract's prints page by page, by what each page says is left. A failing page is tried again, not skipped. */
export async function* walkSettlements(
  contract: Contract,
  window: SettlementWindow,
  options: WalkOptions,
): AsyncGenerator<WalkedPage, void, SettlementWindow | undefined> {
  const { source } = options;
  let left: SettlementWindow | null = rounded(window);
  for (let pages = 0; left !== null; pages++) {
    if (pages >= MOST_PAGES) throw new BadReply(`the history of ${contract.venueSymbol} does not end`);
    const asked: SettlementWindow = left;
    const page: SettlementPage = await patiently(options, (ask) =>
      source.venue.settlements(contract, asked, { ask, contracts: source.contracts }),
    );
    if (page.next && isSame(page.next, asked))
      throw new BadReply(`a page of ${contract.venueSymbol} leads to itself`);
    countRejected(page, options);
    const own = page.settlements.filter((print) => print.venueSymbol === contract.venueSymbol);
    // The caller may widen what is left, when the venue turns out to number its pages.
    const widened: SettlementWindow | undefined = yield { prints: goodPrints(own, options), next: page.next };
    left = page.next === null ? null : widened ? rounded(widened) : page.next;
  }
}

/** Prints of all contracts in a short window, by venue symbol. */
export async function walkAll(window: SettlementWindow, options: WalkOptions): Promise<Map<string, Print[]>> {
  const { source } = options;
  const found = new Map<string, Print[]>();
  let left: SettlementWindow | null = window;
  for (let pages = 0; left !== null && source.venue.settlementsOfAll; pages++) {
    if (pages >= MOST_PAGES) throw new BadReply('the list of settled prints does not end');
    const asked: SettlementWindow = left;
    const ofAll = source.venue.settlementsOfAll;
    const page: SettlementPage = await patiently(options, (ask) =>
      ofAll(asked, { ask, contracts: source.contracts }),
    );
    if (page.next && isSame(page.next, asked)) throw new BadReply('a page of settled prints leads to itself');
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

/** Some venues take whole seconds: a window that starts between two would leave a rest that never ends. */
function rounded(window: SettlementWindow): SettlementWindow {
  return { ...window, fromMs: Math.floor(window.fromMs / MINUTE_MS) * MINUTE_MS };
}

async function patiently<T>(options: WalkOptions, call: (ask: Ask) => Promise<T>): Promise<T> {
  const { source, priority, signal, clock, log } = options;
  for (let tries = 1; ; tries++) {
    try {
      return await call(source.asker(priority, signal));
    } catch (error) {
      if (signal.aborted || tries >= TRIES_PER_PAGE || isFinal(error)) throw error;
      const pauseMs = pauseAfter(error, tries);
      log.debug(
        { venue: source.venue.slug, failure: failureText(error), pauseMs },
        'a page of prints failed',
      );
      await clock.sleep(pauseMs, signal);
      signal.throwIfAborted();
    }
  }
}

/** A refusal other than "too many" will be the same the next time. */
function isFinal(error: unknown): boolean {
  if (error instanceof BadReply) return false;
  if (!(error instanceof CallError)) return true;
  const { status } = error;
  return status !== null && status >= 400 && status < 500 && ![408, 418, 425, 429].includes(status);
}

function pauseAfter(error: unknown, tries: number): number {
  const asked = error instanceof CallError ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0;
  const backoffMs = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.75 + Math.random() * 0.5);
  return Math.min(Math.max(asked, backoffMs), LONGEST_PAUSE_MS);
}

function isSame(a: SettlementWindow, b: SettlementWindow): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs && a.cursor === b.cursor;
}

function countRejected(page: SettlementPage, { source, metrics }: WalkOptions): void {
  for (const { reason } of page.rejected) metrics.venueRowsRejected.inc({ venue: source.venue.slug, reason });
}

/** Rounded to their settlement; what cannot be a print is left out and counted. */
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
