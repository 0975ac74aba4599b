import type { VenueStatus } from '../../doors/web/pages/venue-status.ts';
import type { VenueReport } from '../../venues/health.ts';
import type { Availability } from './availability.ts';

/** The public part of a venue's health: without request weights and addresses. */
export function venueStatus(
  reports: readonly (VenueReport & { availability: Availability })[],
): VenueStatus[] {
  const sum = (counts: Record<string, number>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return reports.map((report) => {
    const { pct, watchedMinutes } = report.availability;
    return {
      exchange: report.exchange,
      contracts: report.contracts,
      lastGoodAtMs: report.lastGoodAtMs,
      failing: report.sources
        .filter((source) => source.failuresInARow > 0)
        .map((source) => ({ name: source.name, cause: source.lastFailure ?? 'failing' })),
      keptOut: sum(report.rejected) + sum(report.quarantined),
      availabilityPct: pct,
      watchedMinutes,
    };
  });
}
