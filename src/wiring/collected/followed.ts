import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { type AuditReport, parseReport } from '../../engines/audit/report.ts';
import { PairCharts } from '../../engines/backtest/running/pair-charts.ts';
import { ListingCalendar } from '../../engines/listings/calendar.ts';
import { FollowedListings } from '../../engines/listings/followed.ts';
import { AUDIT_REPORT } from '../../history/audit/model.ts';
import { AuditStore } from '../../history/audit/store.ts';
import { allReports, type SavedReport } from '../../history/reports/store.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { readSplits } from '../../market/coins/split-keeper.ts';
import type { SplitTicker } from '../../market/coins/stored-splits.ts';
import type { TableSource } from '../../market/timeline.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { availabilityOf } from '../../venues/availability.ts';
import { silentReport } from '../../venues/health.ts';
import type { Foundation } from '../foundation.ts';
import type { CollectedData } from './collected.ts';

/** Reads what the collector stores, again and again. Requests never reach the collector. */
export async function followCollected(foundation: Foundation): Promise<Omit<CollectedData, 'jobs'>> {
  const { storage, clock, log, metrics, settings } = foundation;
  const audits = new AuditStore(storage);
  const listings = new FollowedListings(storage);
  let reports = new Map<string, SavedReport>();
  let unreadableReports: readonly string[] = [];
  let audit: AuditReport | null = null;
  let tickers: readonly SplitTicker[] = [];
  await using opening = new AsyncDisposableStack();
  const history = await SettlementKeeper.open({ storage, clock, log, metrics, isReader: true });
  opening.defer(() => history.close());
  const charts = new PairCharts({
    ...{ storage, log, windowDays: settings.backtestDays, folder: settings.dataDir },
  });
  opening.defer(() => charts.close());

  const readReports = async () => {
    const { readable, unreadable } = await allReports(storage);
    reports = readable;
    const added = unreadable.filter((slug) => !unreadableReports.includes(slug));
    if (added.length > 0)
      log.warn({ venues: added }, 'reports of venues are unreadable; their status is unknown');
    unreadableReports = unreadable;
  };
  const readings: [name: string, everySeconds: number, read: () => Promise<void>][] = [
    ['read new listings', 2, () => listings.refresh()],
    ['read new history', 2, () => history.refresh()],
    ['read the reports of venues', 5, readReports],
    [
      'read the report of the audit',
      10,
      async () => {
        audit = parseReport((await audits.loadDocument(AUDIT_REPORT))?.value) ?? audit;
      },
    ],
    [
      'read which tickers are two coins',
      10,
      async () => {
        tickers = (await readSplits(storage, log))?.tickers ?? tickers;
      },
    ],
  ];
  for (const [name, everySeconds, read] of readings) {
    const tryToRead = async () => {
      try {
        await read();
      } catch (error) {
        // What was read last stays until the database is back.
        if (!isStorageUnavailable(error)) throw error;
      }
      return undefined;
    };
    await tryToRead();
    const everyMs = everySeconds * SECOND_MS;
    const task: RepeatingTask = startRepeatingTask({
      ...{ name, everyMs, firstDelayMs: everyMs, clock, log },
      run: tryToRead,
    });
    opening.defer(() => task.stop());
  }
  const opened = opening.move();
  return {
    listings: calendarOf(listings),
    history,
    reportOf: (venue) => reports.get(venue.slug)?.report ?? silentReport(venue),
    availabilityOf: (venue) => availabilityOf(reports.get(venue.slug) ?? { minutes: '', days: '' }),
    pair: (name) => charts.pair(name),
    audit: () => audit,
    splitTickers: () => tickers,
    stop: () => opened.disposeAsync(),
  };
}

/** A cursor may name a calendar that another process has read already. */
function calendarOf(followed: FollowedListings): TableSource {
  const calendar = new ListingCalendar(() => followed);
  const isNew = (asOfMs: number) => asOfMs > (followed.span?.lastAsOfMs ?? 0);
  return {
    at: (delaySeconds, nowMs) => calendar.at(delaySeconds, nowMs),
    exactly: (asOfMs) => calendar.exactly(asOfMs),
    after: (asOfMs, delaySeconds, nowMs) => calendar.after(asOfMs, delaySeconds, nowMs),
    fetch: async (asOfMs) => {
      if (!isNew(asOfMs)) return false;
      await followed.refresh();
      return !isNew(asOfMs);
    },
  };
}
