import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { failureText } from '../../venues/health.ts';
import type { Contract } from '../../venues/observations.ts';
import type { ContractNames, HeldContract } from './directory.ts';
import type { SettlementKeeper } from './keeper.ts';
import type { Print } from './merge.ts';
import { type SettlementSource, walkSettlements } from './walk.ts';

export interface BackfillOptions {
  source: SettlementSource;
  keeper: SettlementKeeper;
  namesOf: (contract: Contract) => ContractNames;
  /** How deep the history is wanted. */
  days: number;
  /** Only contracts that pass; all by default. */
  wants?: (names: ContractNames) => boolean;
  /** A contract that fails so often in a row is left alone; by default it is tried for ever, ever less often. */
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
  /** Contract-days wanted, and those still to be walked. */
  daysWanted: number;
  daysLeft: number;
  failures: number;
}

const FIRST_CHUNK_DAYS = 32;
const FIRST_REST_MS = 5_000;
/** Before a venue has told its contracts there is nothing to walk. */
const LIST_AWAITED_MS = 500;
const LONGEST_REST_MS = 10 * MINUTE_MS;

interface Work {
  chunkDays: number;
  failuresInARow: number;
  restsUntilMs: number;
}

/** Walks the histories of one venue's contracts back, the newest stretch of all of them before the next older one. */
export class VenueBackfill {
  readonly #options: BackfillOptions;
  readonly #work = new Map<string, Work>();
  readonly #busy = new Set<string>();
  /** Such a venue starts every walk at its newest page, so one walk must go all the way. */
  #numbersPages = false;
  #prints = 0;
  #failures = 0;
  #told = { failure: '', atMs: Number.NEGATIVE_INFINITY, untold: 0 };

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

  /** Whether anything is left that may be asked for now or later. */
  get isDone(): boolean {
    return (
      this.#busy.size === 0 &&
      this.#wanted().every((contract) => this.#leftOf(contract) === 0 || this.#isGivenUp(contract))
    );
  }

  /** Walks one stretch of the contract that is least deep. Returns how long to wait when nothing can be done now. */
  async step(signal: AbortSignal): Promise<number> {
    const { clock, metrics, source } = this.#options;
    const contract = this.#next();
    if (!contract) return this.#restMs();
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
      const restMs = Math.min(FIRST_REST_MS * 2 ** (work.failuresInARow - 1), LONGEST_REST_MS);
      work.restsUntilMs = clock.nowMs() + restMs;
      metrics.settlementWalks.inc({ ...labels, outcome: 'failed' });
      this.#tell({ ...labels, symbol: venueSymbol, failure: failureText(error), restMs });
    } finally {
      this.#busy.delete(venueSymbol);
    }
    return 0;
  }

  /** Once a minute for the same failure: what stops one contract often stops a thousand. */
  #tell(failed: { failure: string; symbol: string; restMs: number }): void {
    const { clock, log } = this.#options;
    const { failure } = failed;
    const nowMs = clock.nowMs();
    if (failure === this.#told.failure && nowMs - this.#told.atMs < MINUTE_MS) {
      this.#told.untold++;
      return;
    }
    log.warn({ ...failed, untoldBefore: this.#told.untold }, 'backfill failed');
    this.#told = { failure, atMs: nowMs, untold: 0 };
  }

  async #walk(contract: Contract, work: Work, signal: AbortSignal): Promise<void> {
    const { source, keeper, clock } = this.#options;
    const names = this.#options.namesOf(contract);
    const toMs = this.#held(contract)?.walkedFromMs ?? clock.nowMs();
    const targetMs = this.#targetMs(contract);
    const goesAllTheWay = this.#numbersPages || source.venue.settlementsComeWhole === true;
    const fromMs = goesAllTheWay ? targetMs : Math.max(targetMs, toMs - work.chunkDays * DAY_MS);
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
      // Numbered pages go from the newest to the oldest, so what they have passed is complete.
      this.#numbersPages = true;
      reachedMs = targetMs;
      await store(gathered, { fromMs: next.toMs + 1, toMs: gatheredToMs });
      gathered = [];
      gatheredToMs = next.toMs + 1;
      step = await walk.next({ ...next, fromMs: targetMs });
    }
    await store(gathered, { fromMs: Math.min(reachedMs, gatheredToMs), toMs: gatheredToMs });
    // A stretch that fitted one page can be longer the next time.
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
      work = { chunkDays: FIRST_CHUNK_DAYS, failuresInARow: 0, restsUntilMs: 0 };
      this.#work.set(venueSymbol, work);
    }
    return work;
  }

  /** The contract whose held stretch is the shortest; among equals the most traded one. */
  #next(): Contract | null {
    const { clock, source } = this.#options;
    let best: { contract: Contract; depthMs: number; volume: number } | null = null;
    for (const contract of this.#wanted()) {
      const { venueSymbol } = contract;
      if (this.#busy.has(venueSymbol) || this.#workOf(venueSymbol).restsUntilMs > clock.nowMs()) continue;
      if (this.#leftOf(contract) === 0 || this.#isGivenUp(contract)) continue;
      const walkedFromMs = this.#held(contract)?.walkedFromMs ?? null;
      // Whole days, so that contracts walked a moment earlier are not all taken before the more traded ones.
      const depthMs = walkedFromMs === null ? -1 : Math.floor((clock.nowMs() - walkedFromMs) / DAY_MS);
      const volume = source.volumeOf(venueSymbol);
      if (!best || depthMs < best.depthMs || (depthMs === best.depthMs && volume > best.volume))
        best = { contract, depthMs, volume };
    }
    return best?.contract ?? null;
  }

  #restMs(): number {
    const { clock, source } = this.#options;
    if (source.contracts.size === 0) return LIST_AWAITED_MS;
    const nowMs = clock.nowMs();
    const rests = [...this.#work.values()]
      .map((work) => work.restsUntilMs - nowMs)
      .filter((restMs) => restMs > 0);
    return Math.min(MINUTE_MS, ...rests);
  }
}
