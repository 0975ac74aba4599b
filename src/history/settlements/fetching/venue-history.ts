import type { Clock } from '../../../base/clock.ts';
import type { LoadMonitor } from '../../../base/load.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { HOUR_MS, SECOND_MS } from '../../../base/times.ts';
import { scheduleOf } from '../../../market/interval.ts';
import type { LatestMarket } from '../../../market/latest.ts';
import type { VenueCaller } from '../../../venues/collecting/caller.ts';
import type { Collector } from '../../../venues/collecting/collector.ts';
import { hasEnded } from '../../../venues/ended.ts';
import type { Contract } from '../../../venues/observations.ts';
import type { Venue } from '../../../venues/venue.ts';
import { type ContractNames, keyOf } from '../directory.ts';
import type { QueuedGap } from '../gaps.ts';
import type { SettlementKeeper } from '../keeper.ts';
import type { Print } from '../merge.ts';
import { type BackfillProgress, VenueBackfill } from './backfill.ts';
import { VenueReconcile } from './reconcile.ts';
import type { SettlementSource } from './walk.ts';

interface VenueHistoryOptions {
  collector: Pick<Collector, 'venue' | 'contracts'>;
  /** Sends the calls for prints. */
  caller: Pick<VenueCaller, 'sender'>;
  keeper: SettlementKeeper;
  market: LatestMarket;
  /** The coin of a contract by its key; undefined while this process does not know it. */
  coinOf: (key: string) => string | undefined;
  /** How many days of history to fetch. */
  days: number;
  load: Pick<LoadMonitor, 'sheds'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const NO_CONTRACTS: ReadonlyMap<string, Contract> = new Map();
/** How long a backfill that overload has stopped waits before it looks again. */
const SHED_PAUSE_MS = 5 * SECOND_MS;
const LIVE_EVERY_MS = 5 * SECOND_MS;
const LIVE_WORKERS = 4;
const BACKFILL_WORKERS = 3;

/** The settled prints of one venue: fetches new ones, and walks back through its history. */
export class VenueHistory {
  readonly #options: VenueHistoryOptions;
  readonly #source: SettlementSource;
  readonly #reconcile: VenueReconcile;
  readonly #backfill: VenueBackfill;
  /** Null while this process does not watch the venue. */
  #watching: { stopping: AbortController; loops: Promise<unknown> } | null = null;

  constructor(options: VenueHistoryOptions) {
    const { collector, caller, market, keeper, clock, log, metrics, days } = options;
    const { venue } = collector;
    this.#options = options;
    this.#source = {
      venue,
      get contracts() {
        return hasNothingToFetch(venue, clock.nowMs()) ? NO_CONTRACTS : collector.contracts;
      },
      sender: (priority, signal) => caller.sender(priority, signal),
      volumeOf: (venueSymbol) => market.volumeOf(venue, venueSymbol),
    };
    const namesOf = (contract: Contract) => this.#namesOf(contract);
    const common = { source: this.#source, keeper, namesOf, clock, log, metrics };
    const intervalMsOf = (venueSymbol: string) => this.#intervalMsOf(venueSymbol);
    this.#reconcile = new VenueReconcile({ ...common, intervalMsOf });
    this.#backfill = new VenueBackfill({ ...common, days });
  }

  get venue(): Venue {
    return this.#source.venue;
  }

  get isBackfilled(): boolean {
    const { contracts } = this.#source;
    if (hasNothingToFetch(this.venue, this.#options.clock.nowMs())) return true;
    return contracts.size > 0 && this.#backfill.isDone;
  }

  progress(): BackfillProgress {
    return this.#backfill.progress();
  }

  start(): void {
    if (this.#watching) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const loops = [this.#settleLive(signal)];
    for (let i = 0; i < BACKFILL_WORKERS; i++) loops.push(this.#walkBack(signal));
    this.#watching = { stopping, loops: Promise.all(loops) };
  }

  /** Resolves when pending writes are done. They are idempotent, so another process may take over before. */
  async stop(): Promise<void> {
    const watching = this.#watching;
    this.#watching = null;
    watching?.stopping.abort();
    await watching?.loops;
  }

  /** Looks for a missing print again. A contract that is not listed has no history: the try counts towards giving up. */
  async fill(gap: QueuedGap, venueSymbol: string, signal: AbortSignal): Promise<void> {
    const contract = this.#source.contracts.get(venueSymbol);
    if (contract) await this.#reconcile.fill(gap, contract, signal);
    else await this.#options.keeper.gaps.countTry(gap, this.#options.clock.nowMs());
  }

  /** Stores all prints of a listed contract in a range, which were not fetched from the venue. */
  async storePrints(
    venueSymbol: string,
    prints: readonly Print[],
    walked: { fromMs: number; toMs: number },
  ): Promise<void> {
    const { keeper, market } = this.#options;
    const state = market.stateOf(this.venue, venueSymbol);
    if (!state || this.venue.facts.noHistory !== undefined) return;
    await keeper.submit({ names: this.#namesOf(state.contract), prints, walked, onConflict: 'replace' });
  }

  async #settleLive(signal: AbortSignal): Promise<void> {
    const reconcile = this.#reconcile;
    while (!signal.aborted) {
      if (this.venue.settlementsOfAll) await reconcile.settleAll(reconcile.due(), signal);
      const queue = reconcile.due();
      const worker = async () => {
        for (let contract = queue.shift(); contract && !signal.aborted; contract = queue.shift())
          await reconcile.settle(contract, signal);
      };
      await Promise.all(Array.from({ length: LIVE_WORKERS }, worker));
      await this.#options.clock.sleep(LIVE_EVERY_MS, signal);
    }
  }

  async #walkBack(signal: AbortSignal): Promise<void> {
    const { load, clock } = this.#options;
    while (!signal.aborted) {
      if (load.sheds('backfill')) {
        await clock.sleep(SHED_PAUSE_MS, signal);
        continue;
      }
      const waitMs = await this.#backfill.step(signal);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  }

  #namesOf(contract: Contract): ContractNames {
    const { keeper, market, coinOf } = this.#options;
    const { exchange } = this.venue.facts;
    const { venueSymbol, base, quote, isInverse, listedAtMs } = contract;
    const held = keeper.directory.find(exchange, venueSymbol);
    return {
      exchange,
      venueSymbol,
      symbol: `${base}-${quote}`,
      coin: coinOf(keyOf(exchange, venueSymbol)) ?? held?.coin ?? base,
      isInverse,
      listedAtMs,
      volume24hUsdt: market.stateOf(this.venue, venueSymbol)?.volume24hUsdt ?? null,
    };
  }

  #intervalMsOf(venueSymbol: string): number | null {
    const state = this.#options.market.stateOf(this.venue, venueSymbol);
    const stated = state ? scheduleOf(state, this.#options.clock.nowMs()).intervalHours : null;
    const hours = this.venue.printIntervalHours ?? stated;
    return hours === null ? null : hours * HOUR_MS;
  }
}

/** A venue that publishes no prints, or has ended, perhaps while this process ran. */
function hasNothingToFetch({ facts }: Venue, nowMs: number): boolean {
  return facts.noHistory !== undefined || hasEnded(facts, nowMs);
}
