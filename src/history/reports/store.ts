import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0126-venue-reports.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AvailabilityRecord } from '../../venues/availability.ts';
import { parseDays } from '../../venues/availability-days.ts';
import type { VenueReport } from '../../venues/health.ts';
import { parseVenueReport } from '../../venues/parse-report.ts';

/** The last report of a venue, which the active collector saves every few seconds. */
export interface SavedReport extends AvailabilityRecord {
  report: VenueReport;
}

export async function saveReports(
  { db }: Storage,
  reports: readonly SavedReport[],
  fence: Fence | null,
): Promise<void> {
  if (reports.length === 0) return;
  await db.transaction().execute(async (trx) => {
    if (fence) await checkFence(trx, fence);
    await trx
      .insertInto('venue_reports')
      .values(
        reports.map(({ report, minutes, days }) => ({
          slug: report.slug,
          report: JSON.stringify(report),
          minutes,
          days,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet((row) => ({
          report: row.ref('excluded.report'),
          minutes: row.ref('excluded.minutes'),
          days: row.ref('excluded.days'),
        })),
      )
      .execute();
  });
}

interface AllReports {
  /** By slug. */
  readable: Map<string, SavedReport>;
  /** Slugs whose report cannot be parsed: another version wrote it. */
  unreadable: string[];
}

export async function allReports({ db }: Storage): Promise<AllReports> {
  const all: AllReports = { readable: new Map(), unreadable: [] };
  for (const { slug, report, minutes, days } of await db.selectFrom('venue_reports').selectAll().execute()) {
    const parsed = parsedOrNull(parseVenueReport, jsonOf(report));
    const isReadable = parsed && /^[01]*$/.test(minutes) && parseDays(days) !== null;
    if (isReadable) all.readable.set(slug, { report: parsed, minutes, days });
    else all.unreadable.push(slug);
  }
  return all;
}
