import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { HttpClient } from '../../base/http/http-client.ts';
import { Jobs } from '../../base/jobs.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { RequestBudget } from '../../base/request-budget.ts';
import { OrderBooks } from '../../engines/depth/order-books.ts';
import { DEPTH_TABLE } from '../../engines/depth/table.ts';
import type { FrameArchive } from '../../market/frame-store.ts';
import { MarketIntake } from '../../market/intake.ts';
import { VenueMemory } from '../../market/knowledge/venue-memory.ts';
import { LatestMarket } from '../../market/latest.ts';
import { quarantineOf } from '../../market/quarantine.ts';
import { decodeTable } from '../../market/tables/table-codec.ts';
import type { Settings } from '../../settings.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { VenueAvailability } from '../../venues/availability.ts';
import { Collector, type CollectorOptions } from '../../venues/collecting/collector.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { VenueReport, VenueTimes } from '../../venues/health.ts';
import { type Batch, emptyBatch } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import type { BatchObserver, PartContext } from '../part.ts';
import { type Engine, openEngine } from './engine.ts';
import { type HistoryPart, historyPart } from './history.ts';
import { SidesKeeper } from './sides.ts';
import type { Writers } from './writers.ts';

interface CollectingOptions {
  settings: Settings;
  storage: Storage;
  archive: Pick<FrameArchive, 'loadThese'>;
  clock: Clock;
  clockWatch: ClockWatch;
  load: LoadMonitor;
  log: Log;
  metrics: Metrics;
  venues: readonly Venue[];
  http: HttpClient;
  writers: Writers;
  engineLease: EngineLease;
}

/** Watches the venues and runs the engine, while this process is the active collector. */
export interface Collecting {
  context: PartContext;
  history: HistoryPart;
  availability: VenueAvailability;
  collectorOptions(venue: Venue): CollectorOptions;
  isActive(): boolean;
  /** Recalls what was known of the venues, opens the engine, and starts both if collecting has started. */
  activate(): Promise<void>;
  /** Stops both, after another process has become active. */
  deactivate(): Promise<void>;
  /** Null while this process is not active. */
  engine(): Engine | null;
  reportOf(venue: Venue): VenueReport;
  timesOf(venue: Venue): VenueTimes;
  /** Starts the venues and the engine if this process is active. */
  start(): void;
  stop(): Promise<void>;
}

export async function openCollecting(options: CollectingOptions): Promise<Collecting> {
  const { settings, clock, log, metrics, venues, http, writers } = options;
  const market = new LatestMarket(metrics, log);
  const intake = new MarketIntake(market);
  const sides = new SidesKeeper(options);
  let isActive = false;
  const observers: BatchObserver[] = [];
  let engineObservers: BatchObserver[] = [];
  let engine: Engine | null = null;
  let isStarted = false;
  let isStopped = false;

  options.clockWatch.onStep(({ byMs, nowMs }) => intake.shiftTimes(byMs, nowMs));
  const accept = (venue: Venue, batch: Batch, receivedAtMs: number) => {
    if (!isActive) return;
    intake.accept(venue, batch, receivedAtMs);
    const contracts = intake.contractsOf(venue);
    for (const observer of observers) observer(venue, batch, receivedAtMs, contracts);
    for (const observer of engineObservers) observer(venue, batch, receivedAtMs, contracts);
  };
  const sharedBudgets = new Map<string, RequestBudget>();
  const collectorOptions = (venue: Venue): CollectorOptions => ({
    venue,
    http,
    clock,
    log,
    metrics,
    simUrl: settings.venuesUrl,
    sharedBudgets,
    accept,
    chosenSides: (from) => sides.of(from),
    volumeOf: (from, venueSymbol) => market.volumeOf(from, venueSymbol),
  });
  const collectors = venues.map((venue) => new Collector(collectorOptions(venue)));
  const collectorOf = (slug: string) => collectors.find(({ venue }) => venue.slug === slug);
  const context: PartContext = {
    ...options,
    market,
    collectors,
    sides,
    jobs: new Jobs(clock),
    observe: (observer) => observers.push(observer),
  };
  const history = await historyPart(context, () => engine?.freezer.identities ?? new Map());
  const books = new OrderBooks(context);
  context.observe((venue, batch, receivedAtMs) => books.take(venue, batch, receivedAtMs));
  options.clockWatch.onStep(({ byMs }) => books.shiftTimes(byMs));

  const reportOf = (venue: Venue): VenueReport => {
    const health = (collectorOf(venue.slug) as Collector).health();
    const chosen = sides.of(venue);
    return {
      ...health,
      quarantined: quarantineOf(market, engine?.freezer ?? null, venue),
      ...(Object.keys(chosen).length > 0 ? { chosenSides: chosen } : {}),
    };
  };
  const timesOf = (venue: Venue): VenueTimes => {
    const { slug, facts } = venue;
    const { lastGoodAtMs } = collectorOf(slug) as Collector;
    return {
      exchange: facts.exchange,
      lastGoodAtMs,
      ...(hasEnded(facts, clock.nowMs()) ? { hasEnded: true } : {}),
    };
  };
  const availability = new VenueAvailability({
    clock,
    log,
    health: () =>
      isActive ? venues.filter(({ facts }) => !hasEnded(facts, clock.nowMs())).map(reportOf) : [],
  });
  const memory = new VenueMemory({
    ...options,
    watched: () => (isActive ? venues : []),
    knowledgeOf: (venue) => intake.knowledgeOf(venue),
  });
  const recall = async (venue: Venue) => {
    const known = await memory.recall(venue);
    if (!known) return;
    intake.learn(venue, known, clock.nowMs());
    if (known.isYoung) collectorOf(venue.slug)?.remember(known.parts);
  };
  const recallBooks = async () => {
    const asOfMs = writers.depth.newestAsOfMs;
    if (asOfMs === null) return;
    try {
      const [stored] = await options.archive.loadThese([{ series: DEPTH_TABLE.name, asOfMs }]);
      const table = stored && decodeTable(stored.frame, DEPTH_TABLE);
      if (table) books.recall(table);
    } catch (error) {
      log.warn({ err: error }, 'the stored order books are unreadable; they are fetched anew');
    }
  };
  /** Passes the recalled contract lists to the observers of the engine. */
  const replayLists = (venue: Venue) => {
    for (const { part, contracts, atMs } of intake.knowledgeOf(venue).parts) {
      const batch = { ...emptyBatch(), contractList: { part, contracts: [...contracts] } };
      for (const observer of engineObservers) observer(venue, batch, atMs, intake.contractsOf(venue));
    }
  };
  const startVenues = () => {
    for (const collector of collectors) collector.start();
    history.startVenues();
    engine?.start();
  };
  return {
    context,
    history,
    availability,
    collectorOptions,
    reportOf,
    timesOf,
    isActive: () => isActive,
    engine: () => engine,
    activate: async () => {
      if (isActive || isStopped) return;
      await sides.read();
      await Promise.all(venues.map(recall));
      await recallBooks();
      const observed: BatchObserver[] = [];
      engine = await openEngine(
        { ...context, observe: (observer) => observed.push(observer) },
        { writers, history, books, health: () => venues.map(reportOf) },
      );
      engineObservers = observed;
      for (const venue of venues) replayLists(venue);
      isActive = true;
      if (isStarted) startVenues();
    },
    deactivate: async () => {
      if (!isActive) return;
      isActive = false;
      const closing = engine;
      engine = null;
      engineObservers = [];
      history.stopVenues();
      await Promise.all(collectors.map((collector) => collector.stop()));
      await closing?.stop();
      for (const venue of venues) intake.forget(venue);
    },
    start: () => {
      isStarted = true;
      history.start();
      if (isActive) startVenues();
      books.start();
      sides.start();
      availability.start();
      memory.start();
    },
    stop: async () => {
      isStarted = false;
      isStopped = true;
      await availability.stop();
      await sides.stop();
      await books.stop();
      await engine?.stop();
      await history.stop();
      await Promise.all(collectors.map((collector) => collector.stop()));
      await memory.stop();
    },
  };
}
