import type { JobState } from '../../base/jobs.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import type { SplitTicker } from '../../market/coins/stored-splits.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Availability } from '../../venues/availability.ts';
import type { VenueReport } from '../../venues/health.ts';
import type { Venue } from '../../venues/venue.ts';

/** What the collector makes besides frames. */
export interface CollectedData {
  listings: TableSource;
  history: SettlementKeeper;
  reportOf(venue: Venue): VenueReport;
  availabilityOf(venue: Venue): Availability;
  /** The spreads and cycles of one pair; null if it has no row. */
  pair(name: PairName): Promise<PairView | null>;
  /** The newest report of the audit; null before the first one. */
  audit(): AuditReport | null;
  /** The tickers that are more than one coin. */
  splitTickers(): readonly SplitTicker[];
  /** The periodic jobs of the collector. */
  jobs(): JobState[];
  stop(): Promise<void>;
}
