import type { Clock } from '../base/clock.ts';
import type { ClockWatch } from '../base/clock-steps.ts';
import type { Jobs } from '../base/jobs.ts';
import type { LoadMonitor } from '../base/load.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { LatestMarket } from '../market/latest.ts';
import type { Settings } from '../settings.ts';
import type { EngineLease } from '../storage/engine-lease.ts';
import type { Storage } from '../storage/storage.ts';
import type { Collector } from '../venues/collecting/collector.ts';
import type { ChosenSides } from '../venues/counting/sides.ts';
import type { Batch, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';

/** Called with every valid batch of every venue, after the market has accepted it. */
export type BatchObserver = (
  venue: Venue,
  batch: Batch,
  receivedAtMs: number,
  contracts: ReadonlyMap<string, Contract>,
) => void;

/** What the parts (history, spreads, listings, ...) are built from. */
export interface PartContext {
  settings: Settings;
  storage: Storage;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'check' | 'onStep'>;
  load: Pick<LoadMonitor, 'sheds'>;
  /** The periodic jobs of the engine. */
  jobs: Jobs;
  log: Log;
  metrics: Metrics;
  venues: readonly Venue[];
  market: LatestMarket;
  /** One per venue, in the same order. */
  collectors: readonly Collector[];
  /** What operators decided about the counts of venues. */
  sides: { of(venue: Venue): ChosenSides };
  /** Registers an observer of all batches. */
  observe(observer: BatchObserver): void;
  engineLease: EngineLease;
}

/**
 * A component that works in the background. To add one, write a class with `start` and `stop` in the layer of what it does
 * (engines/spreads/publisher.ts is a short example), and build it in market/engine.ts if it computes from all venues, or in
 * market/collecting.ts if it belongs to every process that watches venues. Periodic work uses base/repeating-task.ts, and a
 * job whose result people read reports to `jobs` when it has finished.
 */
export interface Part {
  /** Called once, when collecting starts. */
  start(): void;
  /** Called before the collectors stop and the storage closes; resolves when no work is left. */
  stop(): Promise<void>;
}
