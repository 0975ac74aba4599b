import type { Venue } from '../venues/venue.ts';
import type { Freezer } from './freeze.ts';
import type { LatestMarket } from './latest.ts';

/** A venue's quarantined values by reason: impossible values since the start, and present price outliers. */
export function quarantineOf(
  market: LatestMarket,
  /** Null if another process compares the prices. */
  freezer: Freezer | null,
  venue: Venue,
): Record<string, number> {
  const reasons = market.quarantined(venue);
  const outliers = freezer?.outlierCounts.get(venue.facts.exchange) ?? 0;
  return outliers === 0 ? reasons : { ...reasons, 'price off the median of its ticker': outliers };
}
