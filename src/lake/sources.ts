import type { Log } from '../base/log.ts';
import { DAY_MS } from '../base/times.ts';
import type { SettlementKeeper } from '../history/settlements/keeper.ts';
import type { Storage } from '../storage/storage.ts';
import type { LakeSource, LakeTable } from './dataset.ts';
import { CONTRACTS, ContractsSource } from './datasets/contracts.ts';
import { DEPTH, DepthSource } from './datasets/depth.ts';
import { FORECASTS, ForecastsSource } from './datasets/forecasts.ts';
import { LISTINGS, ListingsSource } from './datasets/listings.ts';
import { OPEN_INTEREST, OpenInterestSource } from './datasets/open-interest.ts';
import { PRINTS, PrintsSource } from './datasets/prints.ts';
import { RUNNING, RunningSource } from './datasets/running.ts';

/** Every dataset. */
export const LAKE_TABLES: readonly LakeTable[] = [
  PRINTS,
  RUNNING,
  OPEN_INTEREST,
  DEPTH,
  CONTRACTS,
  LISTINGS,
  FORECASTS,
];

export function lakeSources(storage: Storage, keeper: SettlementKeeper, log: Log): readonly LakeSource[] {
  return [
    new PrintsSource(storage, keeper),
    new RunningSource(storage, log),
    new OpenInterestSource(storage, log),
    new DepthSource(storage),
    new ContractsSource(keeper),
    new ListingsSource(storage),
    new ForecastsSource(storage, keeper.directory),
  ];
}

/** The day of the oldest stored print, with which a lake starts; null if there is none. */
export function firstPrintDayMs({ directory }: SettlementKeeper): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const { heldSinceMs } of directory.all()) first = Math.min(first, heldSinceMs ?? first);
  return Number.isFinite(first) ? Math.floor(first / DAY_MS) * DAY_MS : null;
}
