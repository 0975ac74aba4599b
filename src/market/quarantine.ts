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
  const prefix = `${venue.facts.exchange}/`;
  let outliers = 0;
  for (const [key, identity] of freezer?.identities ?? []) {
    if (identity.isPriceOutlier && key.startsWith(prefix)) outliers++;
  }
  return outliers === 0 ? reasons : { ...reasons, 'price off the median of its ticker': outliers };
}
