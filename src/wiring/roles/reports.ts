import type { VenueReport } from '../../venues/health.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Collecting } from '../market/collecting.ts';
import type { ClusterLink } from './link.ts';

/** How a venue is doing, as its owner last told it. */
export interface SavedReport {
  report: VenueReport;
  /** 1 for each minute in which it was available, oldest first. */
  minutes: string;
}

export async function saveReports(
  { redis, channels }: ClusterLink,
  collecting: Collecting,
  venues: readonly Venue[],
): Promise<void> {
  if (venues.length === 0 || !redis.isUp) return;
  const fields = venues.flatMap((venue) => {
    const saved: SavedReport = {
      report: collecting.reportOf(venue),
      minutes: collecting.availability.minutesOf(venue.slug),
    };
    return [venue.slug, JSON.stringify(saved)];
  });
  // The next ones come in a moment.
  await redis.command(['HSET', channels.reports, ...fields]).catch(() => undefined);
}

export async function lastReport(
  { redis, channels }: ClusterLink,
  slug: string,
): Promise<SavedReport | null> {
  const text = await redis.command(['HGET', channels.reports, slug]).catch(() => null);
  return typeof text === 'string' ? (JSON.parse(text) as SavedReport) : null;
}

/** By slug; null while Redis is away. */
export async function allReports({ redis, channels }: ClusterLink): Promise<Map<string, SavedReport> | null> {
  const flat = await redis.command(['HGETALL', channels.reports]).catch(() => null);
  if (!Array.isArray(flat)) return null;
  const reports = new Map<string, SavedReport>();
  for (let i = 0; i + 1 < flat.length; i += 2)
    reports.set(String(flat[i]), JSON.parse(String(flat[i + 1])) as SavedReport);
  return reports;
}
