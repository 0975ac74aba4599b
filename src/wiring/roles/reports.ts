import type { VenueReport } from '../../venues/health.ts';
import { parseVenueReport } from '../../venues/parse-report.ts';
import { isRow } from '../../venues/reading.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Collecting } from '../market/collecting.ts';
import type { ClusterLink } from './link.ts';

/** The last report of a venue, which its owner saves in Redis every two seconds. */
export interface SavedReport {
  report: VenueReport;
  /** One character a minute, oldest first: 1 if the venue was available, else 0. */
  minutes: string;
}

/** Null if the text is not a report: another version wrote it, or another program. */
export function parseSavedReport(text: unknown): SavedReport | null {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return null;
  }
  if (!isRow(value) || typeof value.minutes !== 'string' || !/^[01]*$/.test(value.minutes)) return null;
  const report = parseVenueReport(value.report);
  return report && { report, minutes: value.minutes };
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
  // A failed save is not repeated: the next reports follow two seconds later.
  await redis.command(['HSET', channels.reports, ...fields]).catch(() => undefined);
}

/** `unreadable` if there is a report that cannot be parsed; null if there is none, or Redis is unavailable. */
export async function lastReport(
  { redis, channels }: ClusterLink,
  slug: string,
): Promise<SavedReport | 'unreadable' | null> {
  const text = await redis.command(['HGET', channels.reports, slug]).catch(() => null);
  return typeof text === 'string' ? (parseSavedReport(text) ?? 'unreadable') : null;
}

export interface AllReports {
  /** By slug. */
  readable: Map<string, SavedReport>;
  /** Slugs whose report cannot be parsed. */
  unreadable: string[];
}

/** Null while Redis is unavailable. */
export async function allReports({ redis, channels }: ClusterLink): Promise<AllReports | null> {
  const reply = await redis.command(['HGETALL', channels.reports]).catch(() => null);
  return Array.isArray(reply) ? parseAllReports(reply) : null;
}

/** From Redis's reply: slug and report in turn. */
export function parseAllReports(reply: readonly unknown[]): AllReports {
  const all: AllReports = { readable: new Map(), unreadable: [] };
  for (let i = 0; i + 1 < reply.length; i += 2) {
    const slug = String(reply[i]);
    const saved = parseSavedReport(reply[i + 1]);
    if (saved) all.readable.set(slug, saved);
    else all.unreadable.push(slug);
  }
  return all;
}
