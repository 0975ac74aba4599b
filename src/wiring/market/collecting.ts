import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { HttpClient } from '../../base/http/http-client.ts';
import { Jobs } from '../../base/jobs.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { MarketIntake, type VenueKnowledge } from '../../market/intake.ts';
import { LatestMarket } from '../../market/latest.ts';
import { quarantineOf } from '../../market/quarantine.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../../storage/storage.ts';
import { Collector, type CollectorOptions } from '../../venues/collecting/collector.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { VenueReport, VenueTimes } from '../../venues/health.ts';
import { type Batch, emptyBatch } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import type { BatchObserver, EngineLease, PartContext } from '../part.ts';
import { booksPart } from '../samples/books.ts';
import { type AvailabilityPart, availabilityPart } from './availability.ts';
import { type Engine, openEngine } from './engine.ts';
import { type HistoryPart, historyPart } from './history.ts';
import type { Series } from './series.ts';
import { venueMemory } from './venue-memory.ts';

export interface CollectingOptions {
  settings: Settings;
  storage: Storage;
  clock: Clock;
  clockWatch: ClockWatch;
  load: LoadMonitor;
  log: Log;
  metrics: Metrics;
  baseUrl: string;
  venues: readonly Venue[];
  http: HttpClient;
  series: Series;
  engineLease: EngineLease;
  /** Called with every batch of the venues that this process watches. */
  onObserved?: (venue: Venue, batch: Batch, receivedAtMs: number) => void;
  /** The report of a venue that another process watches. */
  reportFromElsewhere?: (slug: string) => VenueReport | undefined;
}

/** Watches venues and runs the engine. Each venue, and the engine, starts and stops separately as leases come and go. */
export interface Collecting {
  context: PartContext;
  history: HistoryPart;
  availability: AvailabilityPart;
  collectorOptions(venue: Venue): CollectorOptions;
  isWatched(slug: string): boolean;
  /** Resolves when what was known of the venue before is recalled; the venue starts then. */
  watch(slug: string): Promise<void>;
  unwatch(slug: string): Promise<void>;
  /** Null while another process runs it. */
  engine(): Engine | null;
  openEngine(): Promise<void>;
  closeEngine(): Promise<void>;
  /** Accepts a batch of a venue that another process watches. */
  take(venue: Venue, batch: Batch, receivedAtMs: number): void;
  learn(venue: Venue, knowledge: VenueKnowledge): void;
  knowledgeOf(venue: Venue): VenueKnowledge;
  reportOf(venue: Venue): VenueReport;
  timesOf(venue: Venue): VenueTimes;
  /** Starts the venues that are watched so far, and the engine if it is open. */
  start(): void;
  stop(): Promise<void>;
}

export async function openCollecting(options: CollectingOptions): Promise<Collecting> {
  const { settings, clock, log, metrics, venues, http, series } = options;
  const market = new LatestMarket(metrics, log);
  const intake = new MarketIntake(market);
  const watched = new Set<string>();
  /** Watched venues of which everything that was stored is known: those that may start. */
  const recalled = new Set<string>();
  const observers: BatchObserver[] = [];
  let engineObservers: BatchObserver[] = [];
  let engine: Engine | null = null;
  let isStarted = false;

  options.clockWatch.onStep(({ byMs, nowMs }) => intake.shiftTimes(byMs, nowMs));
  const take = (venue: Venue, batch: Batch, receivedAtMs: number) => {
    intake.accept(venue, batch, receivedAtMs);
    const contracts = intake.contractsOf(venue);
    for (const observer of observers) observer(venue, batch, receivedAtMs, contracts);
    for (const observer of engineObservers) observer(venue, batch, receivedAtMs, contracts);
  };
  const accept = (venue: Venue, batch: Batch, receivedAtMs: number) => {
    if (!watched.has(venue.slug)) return;
    take(venue, batch, receivedAtMs);
    options.onObserved?.(venue, batch, receivedAtMs);
  };
  const collectorOptions = (venue: Venue): CollectorOptions => ({
    venue,
    http,
    clock,
    log,
    metrics,
    simUrl: settings.venuesUrl,
    accept,
    volumeOf: (from, venueSymbol) => market.volumeOf(from, venueSymbol),
  });
  const collectors = venues.map((venue) => new Collector(collectorOptions(venue)));
  const collectorOf = (slug: string) => collectors.find(({ venue }) => venue.slug === slug);
  const context: PartContext = {
    ...options,
    market,
    collectors,
    jobs: new Jobs(clock),
    observe: (observer) => observers.push(observer),
  };
  const history = await historyPart(context, () => engine?.freezer.identities ?? new Map());
  const books = booksPart(context, {
    isWatched: ({ slug }) => watched.has(slug),
    onFetched: (venue, depth, atMs) =>
      options.onObserved?.(venue, { ...emptyBatch(), depths: [depth] }, atMs),
  });

  const reportOf = (venue: Venue): VenueReport => {
    const elsewhere = watched.has(venue.slug) ? undefined : options.reportFromElsewhere?.(venue.slug);
    if (elsewhere) return elsewhere;
    const health = (collectorOf(venue.slug) as Collector).health();
    return { ...health, quarantined: quarantineOf(market, engine?.freezer ?? null, venue) };
  };
  const timesOf = (venue: Venue): VenueTimes => {
    const { slug, facts } = venue;
    if (!watched.has(slug)) return reportOf(venue);
    const { lastGoodAtMs } = collectorOf(slug) as Collector;
    return {
      exchange: facts.exchange,
      lastGoodAtMs,
      ...(hasEnded(facts, clock.nowMs()) ? { hasEnded: true } : {}),
    };
  };
  const availability = availabilityPart({
    clock,
    log,
    health: () =>
      venues.filter(({ slug, facts }) => watched.has(slug) && !hasEnded(facts, clock.nowMs())).map(reportOf),
  });
  /** Passes contract lists that were read before the engine opened to its observers. */
  const replayLists = (venue: Venue, { parts }: VenueKnowledge) => {
    for (const { part, contracts, atMs } of parts) {
      const batch = { ...emptyBatch(), contractList: { part, contracts: [...contracts] } };
      for (const observer of engineObservers) observer(venue, batch, atMs, intake.contractsOf(venue));
    }
  };

  const memory = venueMemory({
    ...options,
    watched: () => venues.filter(({ slug }) => recalled.has(slug)),
    knowledgeOf: (venue) => intake.knowledgeOf(venue),
  });
  const recall = async (venue: Venue) => {
    const known = await memory.recall(venue);
    if (!known || !watched.has(venue.slug)) return;
    intake.learn(venue, known, clock.nowMs());
    if (known.isYoung) collectorOf(venue.slug)?.remember(known.parts);
  };
  const startVenue = (slug: string) => {
    collectorOf(slug)?.start();
    history.startVenue(slug);
  };
  return {
    context,
    history,
    availability,
    collectorOptions,
    // The clock of another machine may be ahead; a value from the future would be held for too long.
    take: (venue, batch, receivedAtMs) => take(venue, batch, Math.min(receivedAtMs, clock.nowMs())),
    reportOf,
    timesOf,
    isWatched: (slug) => watched.has(slug),
    watch: async (slug) => {
      const venue = venues.find((one) => one.slug === slug);
      if (!venue || watched.has(slug)) return;
      watched.add(slug);
      await recall(venue);
      if (!watched.has(slug) || recalled.has(slug)) return;
      recalled.add(slug);
      if (isStarted) startVenue(slug);
    },
    unwatch: async (slug) => {
      if (!watched.delete(slug)) return;
      const wasRecalled = recalled.delete(slug);
      history.stopVenue(slug);
      await collectorOf(slug)?.stop();
      const venue = venues.find((one) => one.slug === slug);
      if (venue && wasRecalled) await memory.save(venue);
      // An open engine keeps the data until the next owner of the venue sends its own.
      if (venue && !engine && !watched.has(slug)) intake.forget(venue);
    },
    engine: () => engine,
    openEngine: async () => {
      const observed: BatchObserver[] = [];
      const opened = await openEngine(
        { ...context, observe: (observer) => observed.push(observer) },
        { series, history, books, health: () => venues.map(reportOf) },
      );
      engineObservers = observed;
      engine = opened;
      for (const venue of venues) replayLists(venue, intake.knowledgeOf(venue));
      if (isStarted) engine.start();
    },
    closeEngine: async () => {
      const closing = engine;
      engine = null;
      engineObservers = [];
      await closing?.stop();
      for (const venue of venues) if (!watched.has(venue.slug)) intake.forget(venue);
    },
    learn: (venue, knowledge) => {
      intake.learn(venue, knowledge, clock.nowMs());
      replayLists(venue, knowledge);
    },
    knowledgeOf: (venue) => intake.knowledgeOf(venue),
    start: () => {
      isStarted = true;
      history.startShared();
      for (const slug of recalled) startVenue(slug);
      engine?.start();
      books.start();
      availability.start();
      memory.start();
    },
    stop: async () => {
      isStarted = false;
      await availability.stop();
      await books.stop();
      await engine?.stop();
      await history.stop();
      await Promise.all(collectors.map((collector) => collector.stop()));
      await memory.stop();
    },
  };
}
