import type { Clock } from '../../base/clock.ts';
import { createHttpClient, type HttpClient } from '../../base/http/http-client.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import type { LatestMarket } from '../../market/latest.ts';
import type { Storage } from '../../storage/storage.ts';
import { VenueCaller } from '../../venues/collecting/caller.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { BackfillProgress } from './fetching/backfill.ts';
import { VenueHistory } from './fetching/venue-history.ts';
import { SettlementKeeper } from './keeper.ts';
import type { Print } from './merge.ts';
import type { RollingSums } from './sums.ts';

type HistoryCollector = Pick<Collector, 'venue' | 'contracts'> & { caller: Pick<VenueCaller, 'sender'> };

interface SettlementHistoryOptions {
  storage: Storage;
  collectors: readonly HistoryCollector[];
  market: LatestMarket;
  /** The coin of a contract by its key; undefined while this process does not know it. */
  coinOf: (key: string) => string | undefined;
  /** How many days of history to fetch. */
  days: number;
  /** A simulator that is called without rate limits. Null: the callers of the collectors are used, within their limits. */
  unpacedSimUrl: string | null;
  load: Pick<LoadMonitor, 'sheds'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const REFRESH_EVERY_MS = 5 * SECOND_MS;

/** Stores every settled print: backfills histories, fetches new prints, fills gaps. */
export class SettlementHistory {
  readonly keeper: SettlementKeeper;
  readonly #options: SettlementHistoryOptions;
  readonly #http: HttpClient | null;
  readonly #venues: readonly VenueHistory[];
  readonly #stopping = new AbortController();
  readonly #tasks: RepeatingTask[] = [];
  #isWatching = false;
  #naming: Promise<void> = Promise.resolve();
  #ending: Promise<unknown> = Promise.resolve();

  private constructor(options: SettlementHistoryOptions, keeper: SettlementKeeper) {
    this.#options = options;
    this.keeper = keeper;
    this.#http = options.unpacedSimUrl === null ? null : createHttpClient();
    this.#venues = options.collectors.map(
      (collector) => new VenueHistory({ ...options, collector, caller: this.#callerOf(collector), keeper }),
    );
  }

  static async open(options: SettlementHistoryOptions): Promise<SettlementHistory> {
    return new SettlementHistory(options, await SettlementKeeper.open(options));
  }

  /** Starts to read what was stored, and to fill gaps while venues are watched. */
  start(): void {
    const { clock, log } = this.#options;
    const task = (name: string, everyMs: number, run: () => Promise<undefined>) =>
      this.#tasks.push(startRepeatingTask({ name, everyMs, clock, log, run }));
    task('fill gaps of history', MINUTE_MS, () => this.#fillGaps());
    task('read new history', REFRESH_EVERY_MS, async () => {
      await this.keeper.refresh();
      this.#report();
      return undefined;
    });
  }

  /** Starts fetching and backfilling the prints of the venues. */
  startVenues(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWatching = true;
    for (const venue of this.#venues) venue.start();
  }

  /** Does not wait for pending writes. They are idempotent, so they may finish after another process took over. */
  stopVenues(): void {
    this.#isWatching = false;
    this.#ending = Promise.all([this.#ending, ...this.#venues.map((venue) => venue.stop())]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.keeper.abortWaitingWrites();
    this.stopVenues();
    await this.#ending;
    await Promise.all(this.#tasks.map((task) => task.stop()));
    await this.#naming;
    await this.#http?.close();
  }

  /** The sums of settled prints and the newest print as of the snapshot. Also stores the coins of its contracts. */
  settledFigures({ contracts, asOfMs }: FrozenMarket): ReadonlyMap<string, RollingSums> {
    const names = contracts.map(({ exchange, venueSymbol, symbol, coin, isInverse }) => ({
      exchange,
      venueSymbol,
      symbol,
      coin,
      isInverse,
      listedAtMs: null,
    }));
    this.#naming = this.#naming
      .then(() => this.keeper.updateNames(names))
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not save the names of contracts'),
      );
    return this.keeper.sums.at(asOfMs);
  }

  progress(): BackfillProgress[] {
    return this.#venues.map((venue) => venue.progress());
  }

  /** Whether the backfill of every listed contract is complete. */
  isBackfilled(): boolean {
    return this.#venues.every((venue) => venue.isBackfilled);
  }

  /** Stores all prints of a listed contract in a range, which were not fetched from its venue. */
  async storePrints(
    slug: string,
    venueSymbol: string,
    prints: readonly Print[],
    walked: { fromMs: number; toMs: number },
  ): Promise<void> {
    await this.#venueOf(slug)?.storePrints(venueSymbol, prints, walked);
  }

  async #fillGaps(): Promise<undefined> {
    const { load, clock, metrics } = this.#options;
    const { signal } = this.#stopping;
    const { directory, gaps } = this.keeper;
    // The active collector fills them.
    if (!this.#isWatching || load.sheds('backfill')) return;
    const byId = new Map(directory.all().map((contract) => [contract.id, contract]));
    for (const gap of await gaps.due(clock.nowMs())) {
      if (signal.aborted) return;
      const held = byId.get(gap.contractId);
      const venue = this.#venues.find((one) => one.venue.facts.exchange === held?.exchange);
      if (!this.#isWatching) return;
      if (venue && held) await venue.fill(gap, held.venueSymbol, signal);
      else await gaps.countTry(gap, clock.nowMs());
    }
    metrics.settlementGaps.reset();
    for (const [exchange, count] of await gaps.countByExchange())
      metrics.settlementGaps.set({ exchange }, count);
  }

  #report(): void {
    const { backfillContracts, backfillDaysLeft } = this.#options.metrics;
    for (const venue of this.#venues) {
      const { exchange, contracts, contractsDone, daysLeft } = venue.progress();
      backfillContracts.set({ exchange, state: 'done' }, contractsDone);
      backfillContracts.set({ exchange, state: 'left' }, contracts - contractsDone);
      backfillDaysLeft.set({ exchange }, Math.round(daysLeft));
    }
  }

  #venueOf(slug: string): VenueHistory | undefined {
    return this.#venues.find(({ venue }) => venue.slug === slug);
  }

  #callerOf({ venue, caller }: HistoryCollector): Pick<VenueCaller, 'sender'> {
    if (this.#http === null) return caller;
    const { clock, metrics, unpacedSimUrl } = this.#options;
    return new VenueCaller({
      venue,
      http: this.#http,
      clock,
      metrics,
      simUrl: unpacedSimUrl,
      isPaced: false,
    });
  }
}
