import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { LatestMarket } from '../market/latest.ts';
import type { Settings } from '../settings.ts';
import type { Fence } from '../storage/fences.ts';
import type { Storage } from '../storage/storage.ts';
import type { Collector } from '../venues/collector.ts';
import type { Batch, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';

/** Sees every good batch of every venue, after the market has taken it. */
export type BatchObserver = (
  venue: Venue,
  batch: Batch,
  receivedAtMs: number,
  contracts: ReadonlyMap<string, Contract>,
) => void;

/** Of several processes only one may publish at a time. */
export interface EngineLease {
  isHeld(): boolean;
  /** The number to write under; null when there are no other processes. */
  fence(): Fence | null;
}

/** A process on its own may always publish. */
export const ALONE: EngineLease = { isHeld: () => true, fence: () => null };

/** What a part of the service (history, spreads, listings, ...) is built from. */
export interface PartContext {
  settings: Settings;
  storage: Storage;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  baseUrl: string;
  venues: readonly Venue[];
  market: LatestMarket;
  /** One per venue, in the same order. */
  collectors: readonly Collector[];
  observe(observer: BatchObserver): void;
  engineLease: EngineLease;
}

/** Something that works in the background while the service runs. */
export interface Part {
  /** Called when collecting starts. */
  start(): void;
  /** Called before the collectors and the storage go away. */
  stop(): Promise<void>;
}
