import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0126-venue-reports.ts';
import type { Storage } from '../../storage/storage.ts';
import type { VenueReport } from '../../venues/health.ts';
import { parseVenueReport } from '../../venues/parse-report.ts';

/** The last report of a venue, which the active collector saves every few seconds. */
export interface SavedReport {
  report: VenueReport;
  /** One character a minute, oldest first: 1 if the venue was available, else 0. */
  minutes: string;
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
        reports.map(({ report, minutes }) => ({
          slug: report.slug,
          report: JSON.stringify(report),
          minutes,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet((row) => ({
          report: row.ref('excluded.report'),
          minutes: row.ref('excluded.minutes'),
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
  for (const { slug, report, minutes } of await db.selectFrom('venue_reports').selectAll().execute()) {
    const parsed = parsedOrNull(parseVenueReport, jsonOf(report));
    if (parsed && /^[01]*$/.test(minutes)) all.readable.set(slug, { report: parsed, minutes });
    else all.unreadable.push(slug);
  }
  return all;
}
