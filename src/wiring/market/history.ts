import { inTurns } from '../../base/async/in-turns.ts';
import { nextTurn } from '../../base/async/next-turn.ts';
import { createHttpClient, type HttpClient } from '../../base/http/http-client.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { SettledFigures } from '../../engines/funding/table.ts';
import { type ContractNames, keyOf } from '../../history/settlements/directory.ts';
import { type BackfillProgress, VenueBackfill } from '../../history/settlements/fetching/backfill.ts';
import { VenueReconcile } from '../../history/settlements/fetching/reconcile.ts';
import type { SettlementSource } from '../../history/settlements/fetching/walk.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import type { Print } from '../../history/settlements/merge.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import type { Identity } from '../../market/identity.ts';
import { scheduleOf } from '../../market/interval.ts';
import { VenueCaller } from '../../venues/collecting/caller.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { Contract } from '../../venues/observations.ts';
import type { Part, PartContext } from '../part.ts';

export interface HistoryPart extends Part {
  keeper: SettlementKeeper;
  /** The sums of settled prints and the newest print as of the snapshot. Also stores the coins of its contracts, for history. */
  settledFigures(market: FrozenMarket): Promise<ReadonlyMap<string, SettledFigures>>;
  progress(): BackfillProgress[];
  /** Whether the backfill of every listed contract is complete. */
  isBackfilled(): boolean;
  /** Stores all prints of a listed contract in a range, which were not fetched from its venue. */
  storePrints(
    slug: string,
    venueSymbol: string,
    prints: readonly Print[],
    walked: { fromMs: number; toMs: number },
  ): Promise<void>;
  /** Starts the work that does not depend on which venues this process watches. */
  startShared(): void;
  /** Starts fetching and backfilling the prints of a venue. */
  startVenue(slug: string): void;
  stopVenue(slug: string): void;
}

const NO_CONTRACTS: ReadonlyMap<string, Contract> = new Map();
/** How long a backfill that overload has stopped waits before it looks again. */
const SHED_PAUSE_MS = 5 * SECOND_MS;
const LIVE_EVERY_MS = 5 * SECOND_MS;
const LIVE_WORKERS = 4;
const BACKFILL_WORKERS = 3;
const REFRESH_EVERY_MS = 5 * SECOND_MS;

interface VenueHistory {
  source: SettlementSource;
  namesOf: (contract: Contract) => ContractNames;
  reconcile: VenueReconcile;
  backfill: VenueBackfill;
}

interface Watching {
  stopping: AbortController;
  loops: Promise<void>[];
}

/** Stores every settled print: backfills histories, fetches new prints, fills gaps. */
export async function historyPart(
  context: PartContext,
  /** Identities by contract key; empty while another process runs the engine. */
  identities: () => ReadonlyMap<string, Identity>,
): Promise<HistoryPart> {
  const { storage, clock, log, metrics, settings, market } = context;
  const keeper = await SettlementKeeper.open({ storage, clock, log, metrics });
  const http = isUnpaced(context) ? createHttpClient() : null;
  const stopping = new AbortController();
  const watching = new Map<string, Watching>();
  const tasks: RepeatingTask[] = [];
  let naming: Promise<void> = Promise.resolve();
  let ending: Promise<unknown> = Promise.resolve();

  const venues = context.collectors.map((collector): VenueHistory => {
    const { exchange } = collector.venue.facts;
    const source = sourceOf(collector, context, http);
    const namesOf = (contract: Contract): ContractNames => {
      const key = keyOf(exchange, contract.venueSymbol);
      const held = keeper.directory.find(exchange, contract.venueSymbol);
      return {
        exchange,
        venueSymbol: contract.venueSymbol,
        symbol: `${contract.base}-${contract.quote}`,
        coin: identities().get(key)?.coin ?? held?.coin ?? contract.base,
        isInverse: contract.isInverse,
        listedAtMs: contract.listedAtMs,
        volume24hUsdt: market.stateOf(collector.venue, contract.venueSymbol)?.volume24hUsdt ?? null,
      };
    };
    const common = { source, keeper, namesOf, clock, log, metrics };
    return {
      source,
      namesOf,
      reconcile: new VenueReconcile({
        ...common,
        intervalMsOf: (venueSymbol) => {
          const state = market.stateOf(collector.venue, venueSymbol);
          const stated = state ? scheduleOf(state, clock.nowMs()).intervalHours : null;
          const hours = collector.venue.printIntervalHours ?? stated;
          return hours === null ? null : hours * HOUR_MS;
        },
      }),
      backfill: new VenueBackfill({ ...common, days: settings.historyDays }),
    };
  });

  const settleLive = async ({ source, reconcile }: VenueHistory, signal: AbortSignal) => {
    while (!signal.aborted) {
      // All venues wake up at the same time, and each goes through its contracts.
      await nextTurn();
      if (source.venue.settlementsOfAll) await reconcile.settleAll(reconcile.due(), signal);
      const queue = reconcile.due();
      const worker = async () => {
        for (let contract = queue.shift(); contract && !signal.aborted; contract = queue.shift())
          await reconcile.settle(contract, signal);
      };
      await Promise.all(Array.from({ length: LIVE_WORKERS }, worker));
      await clock.sleep(LIVE_EVERY_MS, signal);
    }
  };

  const walkBack = async ({ backfill }: VenueHistory, signal: AbortSignal) => {
    while (!signal.aborted) {
      if (context.load.sheds('backfill')) {
        await clock.sleep(SHED_PAUSE_MS, signal);
        continue;
      }
      await nextTurn();
      const waitMs = await backfill.step(signal);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  };

  const fillGaps = async (): Promise<undefined> => {
    const { signal } = stopping;
    if (context.load.sheds('backfill')) return;
    const byId = new Map(keeper.directory.all().map((contract) => [contract.id, contract]));
    for (const gap of await keeper.gaps.due(clock.nowMs())) {
      const held = byId.get(gap.contractId);
      const venue = venues.find(({ source }) => source.venue.facts.exchange === held?.exchange);
      const contract = venue?.source.contracts.get(held?.venueSymbol ?? '');
      if (signal.aborted) return;
      // The process that watches the venue fills this gap.
      if (!watching.has(venue?.source.venue.slug ?? '') && watching.size < venues.length) continue;
      // A venue has no history of a delisted contract; each attempt brings the gap closer to being given up.
      if (venue && contract) await venue.reconcile.fill(gap, contract, signal);
      else await keeper.gaps.countTry(gap, clock.nowMs());
    }
    metrics.settlementGaps.reset();
    for (const [exchange, gaps] of await keeper.gaps.countByExchange())
      metrics.settlementGaps.set({ exchange }, gaps);
  };

  const report = async () => {
    for (const { backfill } of venues) {
      // A venue has up to a thousand contracts to look up.
      await nextTurn();
      const { exchange, contracts, contractsDone, daysLeft } = backfill.progress();
      metrics.backfillContracts.set({ exchange, state: 'done' }, contractsDone);
      metrics.backfillContracts.set({ exchange, state: 'left' }, contracts - contractsDone);
      metrics.backfillDaysLeft.set({ exchange }, Math.round(daysLeft));
    }
  };
  const progress = () => venues.map(({ backfill }) => backfill.progress());

  const startVenue = (slug: string) => {
    const venue = venues.find(({ source }) => source.venue.slug === slug);
    if (!venue || watching.has(slug) || stopping.signal.aborted) return;
    // `stop` aborts each of these.
    const leaving = new AbortController();
    const { signal } = leaving;
    const loops = [settleLive(venue, signal)];
    for (let i = 0; i < BACKFILL_WORKERS; i++) loops.push(walkBack(venue, signal));
    watching.set(slug, { stopping: leaving, loops });
  };
  /** Does not wait for pending writes. They are idempotent, so they may finish after another process took over. */
  const stopVenue = (slug: string) => {
    const watched = watching.get(slug);
    watching.delete(slug);
    watched?.stopping.abort();
    ending = Promise.all([ending, ...(watched?.loops ?? [])]);
  };
  const startShared = () => {
    const task = (name: string, everyMs: number, run: () => Promise<undefined>) =>
      tasks.push(startRepeatingTask({ name, everyMs, clock, log, run }));
    task('fill gaps of history', MINUTE_MS, fillGaps);
    task('read new history', REFRESH_EVERY_MS, async () => {
      await keeper.refresh();
      await report();
      return undefined;
    });
  };

  return {
    keeper,
    settledFigures: (frozen) => {
      const names = frozen.contracts.map(({ exchange, venueSymbol, symbol, coin, isInverse }) => ({
        exchange,
        venueSymbol,
        symbol,
        coin,
        isInverse,
        listedAtMs: null,
      }));
      naming = naming
        .then(() => keeper.updateNames(names))
        .catch((error: unknown) => log.error({ err: error }, 'could not save the names of contracts'));
      return inTurns(keeper.sums.steps(frozen.asOfMs));
    },
    storePrints: async (slug, venueSymbol, prints, walked) => {
      const venue = venues.find(({ source }) => source.venue.slug === slug);
      const state = venue && market.stateOf(venue.source.venue, venueSymbol);
      if (!state) return;
      await keeper.submit({ names: venue.namesOf(state.contract), prints, walked, onConflict: 'replace' });
    },
    progress,
    isBackfilled: () =>
      venues
        .filter(({ source }) => !hasEnded(source.venue.facts, clock.nowMs()))
        .every(({ source, backfill }) => source.contracts.size > 0 && backfill.isDone),
    startVenue,
    stopVenue,
    startShared,
    start: () => {
      startShared();
      for (const { source } of venues) startVenue(source.venue.slug);
    },
    stop: async () => {
      stopping.abort();
      keeper.abortWaitingWrites();
      for (const slug of [...watching.keys()]) stopVenue(slug);
      await ending;
      await Promise.all(tasks.map((task) => task.stop()));
      await naming;
      await http?.close();
    },
  };
}

/** Without pacing only with a simulator, and only if HISTORY_PACED is false. */
function isUnpaced({ settings }: PartContext): boolean {
  return settings.venuesUrl !== null && !settings.historyPaced;
}

function sourceOf(collector: Collector, context: PartContext, http: HttpClient | null): SettlementSource {
  const { clock, metrics, settings, market } = context;
  const { venue } = collector;
  const caller =
    http === null
      ? collector.caller
      : new VenueCaller({ venue, http, clock, metrics, simUrl: settings.venuesUrl, isPaced: false });
  return {
    venue,
    get contracts() {
      // Nothing is fetched from a venue that has ended, even if it ended while this process ran.
      return hasEnded(venue.facts, clock.nowMs()) ? NO_CONTRACTS : collector.contracts;
    },
    sender: (priority, signal) => caller.sender(priority, signal),
    volumeOf: (venueSymbol) => market.volumeOf(venue, venueSymbol),
  };
}
