import type { Venue } from '../venues/venue.ts';
import { INTEREST_FAULTS } from './figures.ts';
import type { Freezer } from './freeze.ts';
import type { LatestMarket } from './latest.ts';

/** A venue's quarantined values by reason: impossible values since the start, and present ones that only a comparison shows. */
export function quarantineOf(
  market: LatestMarket,
  /** Null if another process compares the prices. */
  freezer: Freezer | null,
  venue: Venue,
): Record<string, number> {
  const reasons = market.quarantined(venue);
  const outliers = freezer?.outlierCounts.get(venue.facts.exchange) ?? 0;
  if (outliers > 0) reasons['price off the median of its ticker'] = outliers;
  for (const { slug, fault } of freezer?.withheldInterests.values() ?? []) {
    const reason = INTEREST_FAULTS[fault];
    if (slug === venue.slug) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
