import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { PRIORITY } from '../../../base/request-budget.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, nextFullHourMs, SECOND_MS } from '../../../base/times.ts';
import { failureText } from '../../../venues/health.ts';
import type { Contract } from '../../../venues/observations.ts';
import type { ContractNames, HeldContract } from '../directory.ts';
import type { QueuedGap } from '../gaps.ts';
import type { SettlementKeeper } from '../keeper.ts';
import type { Print } from '../merge.ts';
import { type SettlementSource, walkAll, walkSettlements } from './walk.ts';

interface ReconcileOptions {
  source: SettlementSource;
  keeper: SettlementKeeper;
  namesOf: (contract: Contract) => ContractNames;
  /** The contract's current settlement interval; null when the venue does not report it. */
  intervalMsOf: (venueSymbol: string) => number | null;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Venues publish a print some seconds after the settlement. */
const PUBLISHED_AFTER_MS = 30 * SECOND_MS;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 30 * MINUTE_MS;
const UNKNOWN_INTERVAL_MS = HOUR_MS;
/** Fetched again together with every new print, to catch late and corrected prints. */
const OVERLAP_INTERVALS = 2;

interface Schedule {
  nextAtMs: number;
  missesInARow: number;
}

/** Fetches the prints of a venue's contracts soon after each settlement, the most traded contracts first. */
export class VenueReconcile {
  readonly #options: ReconcileOptions;
  readonly #schedules = new Map<string, Schedule>();
  readonly #busy = new Set<string>();

  constructor(options: ReconcileOptions) {
    this.#options = options;
  }

  /** Contracts whose next print should be published by now. Those without a walked range are left to the backfill. */
  due(): Contract[] {
    const { source, clock } = this.#options;
    const byVolume = [...source.contracts.values()]
      .filter((contract) => this.#isWatched(contract))
      .map((contract) => ({ contract, volume: source.volumeOf(contract.venueSymbol) }))
      .sort((a, b) => b.volume - a.volume);
    return byVolume
      .filter(
        ({ contract }) => this.#nextAtMs(contract) <= clock.nowMs() && !this.#busy.has(contract.venueSymbol),
      )
      .map(({ contract }) => contract);
  }

  /** Fetches all due contracts with one call, if the venue has such a call. Contracts missing from its reply stay due. */
  async settleAll(contracts: readonly Contract[], signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#options;
    if (!source.venue.settlementsOfAll || contracts.length < 2) return;
    const toMs = clock.nowMs();
    const fromMs = toMs - UNKNOWN_INTERVAL_MS;
    await this.#counted('bulk', signal, async () => {
      const found = await walkAll(
        { fromMs, toMs },
        { ...this.#options, priority: PRIORITY.settlement, signal },
      );
      const stored = contracts.map(async (contract) => {
        const prints = found.get(contract.venueSymbol);
        const walkedToMs = this.#held(contract)?.walkedToMs ?? 0;
        // The reply must join the walked range without a gap; other contracts are fetched one by one.
        if (!prints || prints.length === 0 || walkedToMs < fromMs - (this.#intervalMs(contract) ?? 0)) return;
        const walked = {
          fromMs: walkedToMs,
          toMs: Math.max(...prints.map((print) => print.minute)) * MINUTE_MS,
        };
        await this.#store(contract, prints, walked.toMs > walked.fromMs ? walked : null);
        this.#planNext(contract, toMs);
      });
      await Promise.all(stored);
    });
  }

  /** Fetches everything since the contract's last print. */
  async settle(contract: Contract, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const held = this.#held(contract);
    const toMs = clock.nowMs();
    const overlapMs = OVERLAP_INTERVALS * (this.#intervalMs(contract) ?? UNKNOWN_INTERVAL_MS);
    const fromMs = Math.min(held?.walkedToMs ?? toMs, held?.lastPrintMs ?? toMs) - overlapMs;
    this.#busy.add(contract.venueSymbol);
    const isGood = await this.#counted('settlement', signal, async () => {
      await this.#store(contract, await this.#walked(contract, fromMs, toMs, signal), { fromMs, toMs });
    });
    this.#busy.delete(contract.venueSymbol);
    if (isGood) this.#planNext(contract, toMs);
    else this.#retryLater(contract, toMs);
  }

  /** Tries to fetch the missing prints of a gap. */
  async fill(gap: QueuedGap, contract: Contract, signal: AbortSignal): Promise<void> {
    const { keeper, clock } = this.#options;
    await this.#counted('gap', signal, async () => {
      const fromMs = (gap.afterMinute + 1) * MINUTE_MS;
      const toMs = (gap.beforeMinute - 1) * MINUTE_MS;
      await this.#store(contract, await this.#walked(contract, fromMs, toMs, signal), null);
      await keeper.gaps.countTry(gap, clock.nowMs());
    });
  }

  async #walked(contract: Contract, fromMs: number, toMs: number, signal: AbortSignal): Promise<Print[]> {
    const prints: Print[] = [];
    const walk = walkSettlements(
      contract,
      { fromMs, toMs },
      { ...this.#options, priority: PRIORITY.settlement, signal },
    );
    for await (const page of walk) prints.push(...page.prints);
    return prints;
  }

  async #store(
    contract: Contract,
    prints: readonly Print[],
    walked: { fromMs: number; toMs: number } | null,
  ): Promise<void> {
    const { keeper, namesOf, clock, metrics, source } = this.#options;
    const outcome = await keeper.submit({ names: namesOf(contract), prints, walked, onConflict: 'replace' });
    const newest = outcome.added.at(-1);
    if (newest) {
      const lagSeconds = (clock.nowMs() - newest.minute * MINUTE_MS) / SECOND_MS;
      metrics.settlementLagSeconds.set({ exchange: source.venue.facts.exchange }, lagSeconds);
    }
  }

  async #counted(purpose: string, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    const { metrics, log, source } = this.#options;
    const labels = { exchange: source.venue.facts.exchange, purpose };
    try {
      await work();
      metrics.settlementWalks.inc({ ...labels, outcome: 'good' });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      metrics.settlementWalks.inc({ ...labels, outcome: 'failed' });
      log.warn({ ...labels, failure: failureText(error) }, 'fetching settled prints failed');
      return false;
    }
  }

  /** A delisted contract is watched for one more day, to get its last print. */
  #isWatched(contract: Contract): boolean {
    const held = this.#held(contract);
    if (held?.walkedToMs == null) return false;
    const lastMs = held.lastPrintMs ?? held.walkedToMs;
    return contract.status !== 'delisted' || this.#options.clock.nowMs() - lastMs < DAY_MS;
  }

  #held({ venueSymbol }: Contract): HeldContract | undefined {
    return this.#options.keeper.directory.find(this.#options.source.venue.facts.exchange, venueSymbol);
  }

  #intervalMs({ venueSymbol }: Contract): number | null {
    return this.#options.intervalMsOf(venueSymbol);
  }

  #scheduleOf(contract: Contract): Schedule {
    let schedule = this.#schedules.get(contract.venueSymbol);
    if (!schedule) {
      schedule = { nextAtMs: this.#expectedMs(contract), missesInARow: 0 };
      this.#schedules.set(contract.venueSymbol, schedule);
    }
    return schedule;
  }

  /** A contract whose interval became shorter since the fetch was planned is due earlier; a planned retry stays. */
  #nextAtMs(contract: Contract): number {
    const { nextAtMs, missesInARow } = this.#scheduleOf(contract);
    return missesInARow > 0 ? nextAtMs : Math.min(nextAtMs, this.#expectedMs(contract));
  }

  /** When the print after the last stored one should be published. */
  #expectedMs(contract: Contract): number {
    const held = this.#held(contract);
    // Before its first print, a contract may settle at any full hour; the fetched range ends between two of them.
    if (held?.lastPrintMs == null) return nextFullHourMs(held?.walkedToMs ?? 0) + PUBLISHED_AFTER_MS;
    return held.lastPrintMs + (this.#intervalMs(contract) ?? UNKNOWN_INTERVAL_MS) + PUBLISHED_AFTER_MS;
  }

  #planNext(contract: Contract, fetchedAtMs: number): void {
    const schedule = this.#scheduleOf(contract);
    const expectedMs = this.#expectedMs(contract);
    if (expectedMs > fetchedAtMs) {
      schedule.nextAtMs = expectedMs;
      schedule.missesInARow = 0;
    } else this.#retryLater(contract, fetchedAtMs);
  }

  #retryLater(contract: Contract, nowMs: number): void {
    const schedule = this.#scheduleOf(contract);
    schedule.nextAtMs = nowMs + Math.min(FIRST_RETRY_MS * 2 ** schedule.missesInARow, LONGEST_RETRY_MS);
    schedule.missesInARow++;
  }
}
