import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { PRIORITY } from '../../../base/request-budget.ts';
import { DAY_MS, MINUTE_MS } from '../../../base/times.ts';
import { failureText } from '../../../venues/health.ts';
import type { Contract } from '../../../venues/observations.ts';
import type { ContractNames, HeldContract } from '../directory.ts';
import type { SettlementKeeper } from '../keeper.ts';
import type { Print } from '../merge.ts';
import { type SettlementSource, walkSettlements } from './walk.ts';

interface BackfillOptions {
  source: SettlementSource;
  keeper: SettlementKeeper;
  namesOf: (contract: Contract) => ContractNames;
  /** How many days of history to fetch. */
  days: number;
  /** Restricts the contracts; all by default. */
  wants?: (names: ContractNames) => boolean;
  /** A contract is skipped after this many failures in a row; by default it is retried for ever, with backoff. */
  giveUpAfterFailures?: number;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export interface BackfillProgress {
  exchange: string;
  contracts: number;
  contractsDone: number;
  /** Prints stored by this run. */
  prints: number;
  /** Contract-days wanted, and those still to be fetched. */
  daysWanted: number;
  daysLeft: number;
  failures: number;
}

const FIRST_CHUNK_DAYS = 32;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 10 * MINUTE_MS;
/** How often to check for contracts before the venue's first contract list has arrived. */
const LIST_CHECK_MS = 500;

interface Work {
  chunkDays: number;
  failuresInARow: number;
  retryAtMs: number;
}

/** Backfills one venue's contracts: the newest chunk of every contract before the next older chunk of any. */
export class VenueBackfill {
  readonly #options: BackfillOptions;
  readonly #work = new Map<string, Work>();
  readonly #busy = new Set<string>();
  /** With numbered pages every walk starts at the newest page, so one walk must fetch the whole history. */
  #hasNumberedPages = false;
  #prints = 0;
  #failures = 0;
  #lastLogged = { failure: '', atMs: Number.NEGATIVE_INFINITY, suppressed: 0 };

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  progress(): BackfillProgress {
    const { source, clock } = this.#options;
    const all = this.#wanted();
    const progress: BackfillProgress = {
      exchange: source.venue.facts.exchange,
      contracts: all.length,
      contractsDone: 0,
      prints: this.#prints,
      daysWanted: 0,
      daysLeft: 0,
      failures: this.#failures,
    };
    for (const contract of all) {
      const targetMs = this.#targetMs(contract);
      const leftMs = this.#leftMs(contract, targetMs);
      progress.daysWanted += Math.max(0, clock.nowMs() - targetMs) / DAY_MS;
      progress.daysLeft += leftMs / DAY_MS;
      if (leftMs === 0) progress.contractsDone++;
    }
    return progress;
  }

  /** True when every contract is complete or given up. */
  get isDone(): boolean {
    return (
      this.#busy.size === 0 &&
      this.#wanted().every((contract) => this.#leftOf(contract) === 0 || this.#isGivenUp(contract))
    );
  }

  /** Fetches one chunk of the contract with the shortest history. Returns how long to wait before the next step. */
  async step(signal: AbortSignal): Promise<number> {
    const { clock, metrics, source } = this.#options;
    const contract = this.#next();
    if (!contract) return this.#waitMs();
    const { venueSymbol } = contract;
    const work = this.#workOf(venueSymbol);
    this.#busy.add(venueSymbol);
    const labels = { exchange: source.venue.facts.exchange, purpose: 'backfill' };
    try {
      await this.#walk(contract, work, signal);
      work.failuresInARow = 0;
      metrics.settlementWalks.inc({ ...labels, outcome: 'good' });
    } catch (error) {
      if (signal.aborted) return 0;
      this.#failures++;
      work.failuresInARow++;
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (work.failuresInARow - 1), LONGEST_BACKOFF_MS);
      work.retryAtMs = clock.nowMs() + backoffMs;
      metrics.settlementWalks.inc({ ...labels, outcome: 'failed' });
      this.#logFailure({ ...labels, symbol: venueSymbol, failure: failureText(error), backoffMs });
    } finally {
      this.#busy.delete(venueSymbol);
    }
    return 0;
  }

  /** Logs the same failure at most once a minute: one cause often fails a thousand contracts. */
  #logFailure(failed: { failure: string; symbol: string; backoffMs: number }): void {
    const { clock, log } = this.#options;
    const { failure } = failed;
    const nowMs = clock.nowMs();
    if (failure === this.#lastLogged.failure && nowMs - this.#lastLogged.atMs < MINUTE_MS) {
      this.#lastLogged.suppressed++;
      return;
    }
    log.warn({ ...failed, suppressedBefore: this.#lastLogged.suppressed }, 'backfill failed');
    this.#lastLogged = { failure, atMs: nowMs, suppressed: 0 };
  }

  async #walk(contract: Contract, work: Work, signal: AbortSignal): Promise<void> {
    const { source, keeper, clock } = this.#options;
    const names = this.#options.namesOf(contract);
    const toMs = this.#held(contract)?.walkedFromMs ?? clock.nowMs();
    const targetMs = this.#targetMs(contract);
    const isWholeHistory = this.#hasNumberedPages || source.venue.settlementsComeWhole === true;
    const fromMs = isWholeHistory ? targetMs : Math.max(targetMs, toMs - work.chunkDays * DAY_MS);
    const store = async (prints: readonly Print[], walked: { fromMs: number; toMs: number }) => {
      const outcome = await keeper.submit({ names, prints, walked, onConflict: 'replace' });
      this.#prints += outcome.added.length;
    };
    const walk = walkSettlements(
      contract,
      { fromMs, toMs },
      { ...this.#options, priority: PRIORITY.backfill, signal },
    );
    let gathered: Print[] = [];
    let gatheredToMs = toMs;
    let [pages, reachedMs] = [0, fromMs];
    for (let step = await walk.next(); !step.done; pages++) {
      const { prints, next } = step.value;
      gathered.push(...prints);
      if (next?.cursor === undefined) {
        step = await walk.next();
        continue;
      }
      // Numbered pages run from the newest to the oldest, so the range behind this page is complete.
      this.#hasNumberedPages = true;
      reachedMs = targetMs;
      await store(gathered, { fromMs: next.toMs + 1, toMs: gatheredToMs });
      gathered = [];
      gatheredToMs = next.toMs + 1;
      step = await walk.next({ ...next, fromMs: targetMs });
    }
    await store(gathered, { fromMs: Math.min(reachedMs, gatheredToMs), toMs: gatheredToMs });
    // A chunk that fitted into one page can be larger next time.
    work.chunkDays = pages <= 1 ? work.chunkDays * 2 : Math.max(FIRST_CHUNK_DAYS, work.chunkDays / 2);
  }

  #wanted(): Contract[] {
    const { source, wants, namesOf } = this.#options;
    return [...source.contracts.values()].filter(
      (contract) =>
        contract.status !== 'preopen' &&
        contract.status !== 'delisted' &&
        (wants === undefined || wants(namesOf(contract))),
    );
  }

  #held({ venueSymbol }: Contract): HeldContract | undefined {
    return this.#options.keeper.directory.find(this.#options.source.venue.facts.exchange, venueSymbol);
  }

  #targetMs({ listedAtMs }: Contract): number {
    const { clock, days } = this.#options;
    return Math.max(clock.nowMs() - days * DAY_MS, Math.min(listedAtMs ?? 0, clock.nowMs()));
  }

  #leftMs(contract: Contract, targetMs: number): number {
    const walkedFromMs = this.#held(contract)?.walkedFromMs ?? null;
    if (walkedFromMs === null) return Math.max(1, this.#options.clock.nowMs() - targetMs);
    return Math.max(0, walkedFromMs - targetMs);
  }

  #leftOf(contract: Contract): number {
    return this.#leftMs(contract, this.#targetMs(contract));
  }

  #isGivenUp({ venueSymbol }: Contract): boolean {
    const { giveUpAfterFailures = Number.POSITIVE_INFINITY } = this.#options;
    return this.#workOf(venueSymbol).failuresInARow >= giveUpAfterFailures;
  }

  #workOf(venueSymbol: string): Work {
    let work = this.#work.get(venueSymbol);
    if (!work) {
      work = { chunkDays: FIRST_CHUNK_DAYS, failuresInARow: 0, retryAtMs: 0 };
      this.#work.set(venueSymbol, work);
    }
    return work;
  }

  /** The contract with the shortest stored history; the higher volume breaks ties. */
  #next(): Contract | null {
    const { clock, source } = this.#options;
    let best: { contract: Contract; depthDays: number; volume: number } | null = null;
    for (const contract of this.#wanted()) {
      const { venueSymbol } = contract;
      if (this.#busy.has(venueSymbol) || this.#workOf(venueSymbol).retryAtMs > clock.nowMs()) continue;
      if (this.#leftOf(contract) === 0 || this.#isGivenUp(contract)) continue;
      const walkedFromMs = this.#held(contract)?.walkedFromMs ?? null;
      // Whole days: a few seconds' difference in depth must not put a contract before a more traded one.
      const depthDays = walkedFromMs === null ? -1 : Math.floor((clock.nowMs() - walkedFromMs) / DAY_MS);
      const volume = source.volumeOf(venueSymbol);
      if (!best || depthDays < best.depthDays || (depthDays === best.depthDays && volume > best.volume))
        best = { contract, depthDays, volume };
    }
    return best?.contract ?? null;
  }

  #waitMs(): number {
    const { clock, source } = this.#options;
    if (source.contracts.size === 0) return LIST_CHECK_MS;
    const nowMs = clock.nowMs();
    const waits = [...this.#work.values()]
      .map((work) => work.retryAtMs - nowMs)
      .filter((waitMs) => waitMs > 0);
    return Math.min(MINUTE_MS, ...waits);
  }
}
