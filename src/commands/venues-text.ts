import type { VenueReport } from '../venues/health.ts';
import { table } from './flags.ts';

/** The reports as people read them: one line a venue, then everything that was left out or failed. */
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
  if (venue.lastGoodAtMs === null) return 'no';
  return venue.sources.some((source) => source.failuresInARow > 0) ? 'in part' : 'yes';
}

function notes(venue: VenueReport): string[] {
  const told = (counts: Record<string, number>, what: string) =>
    Object.entries(counts).map(([reason, count]) => `${venue.exchange}: ${count} rows ${what}: ${reason}`);
  return [
    ...venue.sources
      .filter((source) => source.lastFailure !== null)
      .map((source) => `${venue.exchange} ${source.name}: ${source.lastFailure}`),
    ...told(venue.rejected, 'left out as bad'),
    ...told(venue.quarantined, 'quarantined'),
    ...told(venue.ignored, 'not for us'),
  ];
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
