import type { Venue } from '../venues/venue.ts';
import type { Freezer } from './freeze.ts';
import type { LatestMarket } from './latest.ts';

/** What is kept out of a venue's good rows, by reason: impossible values since the start, and misfit prices now. */
export function quarantineOf(
  market: LatestMarket,
  /** Null where prices are compared by another process. */
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
