import type { VenueStatus } from '../../doors/web/pages/venues/venue-status.ts';
import { FAULT_WORDS, isRateFault } from '../../engines/audit/faults.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import type { Availability } from '../../venues/availability.ts';
import type { VenueReport } from '../../venues/health.ts';

/** The public part of a venue's health: without request weights and addresses. */
export function venueStatus(
  reports: readonly (VenueReport & { availability: Availability })[],
  audit: AuditReport | null,
): VenueStatus[] {
  const sum = (counts: Record<string, number>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return reports.map((report) => {
    const { pct, watchedMinutes, days } = report.availability;
    return {
      exchange: report.exchange,
      ...(report.hasEnded ? { hasEnded: true } : {}),
      ...(report.refusesAddress ? { refusesAddress: true } : {}),
      contracts: report.contracts,
      lastGoodAtMs: report.lastGoodAtMs,
      failing: [
        ...auditFindings(audit, report.exchange),
        ...report.sources
          .filter((source) => source.failuresInARow > 0)
          .map((source) => ({ name: source.name, cause: source.lastFailure ?? 'failing' })),
      ],
      ...(report.chosenSides ? { chosenSides: report.chosenSides } : {}),
      keptOut: sum(report.rejected) + sum(report.quarantined),
      availabilityPct: pct,
      watchedMinutes,
      days,
    };
  });
}

/** Each alarm of the audit, with whether rows are left out because of it. */
function auditFindings(audit: AuditReport | null, exchange: string): VenueStatus['failing'] {
  const alarms = audit?.venues.find((venue) => venue.exchange === exchange)?.alarms ?? [];
  return alarms.map(({ fault, evidence }) => {
    const isWithheld =
      audit?.withholding === 'all' ||
      (audit?.withholding === 'rates' && (isRateFault(fault) || fault === 'frozen_row'));
    const withheld = fault === 'frozen_row' ? 'these rows are withheld' : 'its rows are withheld';
    return {
      name: 'accuracy',
      cause: `${FAULT_WORDS[fault].finding} (${evidence})${isWithheld ? `; ${withheld}` : ''}`,
    };
  });
}
