import type { VenueReport } from '../venues/health.ts';
import { table } from './flags.ts';

/** One line per venue, then a line for every failure and every reason for which rows were left out. */
export function venuesText(reports: readonly VenueReport[], nowMs: number): string {
  const rows = reports.map((venue) => [
    venue.exchange,
    reachable(venue),
    String(venue.contracts),
    venue.lastGoodAtMs === null ? '-' : `${Math.max(0, Math.round((nowMs - venue.lastGoodAtMs) / 1000))} s`,
    String(sum(venue.rejected)),
    String(sum(venue.quarantined)),
    String(venue.callsPerMinute),
    venue.budgets
      .map((budget) => `${budget.name} ${budget.usedPerMinute}/${Math.round(budget.limitPerMinute)}`)
      .join(', '),
  ]);
  const titles = [
    'venue',
    'reachable',
    'contracts',
    'age',
    'bad rows',
    'quarantined',
    'calls/min',
    'weight/min of limit',
  ];
  return [table(titles, rows), ...reports.flatMap(notes)].join('\n');
}

function reachable(venue: VenueReport): string {
  if (venue.hasEnded) return 'ended';
  if (venue.refusesAddress) return 'refuses this address';
  if (venue.lastGoodAtMs === null) return 'no';
  return venue.sources.some((source) => source.failuresInARow > 0) ? 'in part' : 'yes';
}

function notes(venue: VenueReport): string[] {
  const counted = (counts: Record<string, number>, what: string) =>
    Object.entries(counts).map(([reason, count]) => `${venue.exchange}: ${count} rows ${what}: ${reason}`);
  return [
    ...venue.sources
      .filter((source) => source.lastFailure !== null)
      .map((source) => `${venue.exchange} ${source.name}: ${source.lastFailure}`),
    ...counted(venue.rejected, 'rejected as bad'),
    ...counted(venue.quarantined, 'quarantined'),
    ...counted(venue.ignored, 'ignored'),
  ];
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
