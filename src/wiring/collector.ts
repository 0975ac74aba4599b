import { FramePublisher } from '../cluster/frame-publisher.ts';
import { PortOutlet } from '../cluster/port-feed.ts';
import { PostgresOutlet } from '../cluster/postgres-feed.ts';
import { ReportSaving } from '../history/reports/saving.ts';
import { allReports } from '../history/reports/store.ts';
import type { StoredFrame } from '../market/frame-store.ts';
import { ALWAYS_HELD } from '../storage/engine-lease.ts';
import type { VenueReport } from '../venues/health.ts';
import type { Foundation } from './foundation.ts';
import { type Collecting, openCollecting } from './market/collecting.ts';
import { openWriters, type Writers } from './market/writers.ts';
import { CollectorRole } from './roles/collector.ts';

/** The side that collects and computes: venues, market, history, engines. */
export interface Collector {
  collecting: Collecting;
  writers: Writers;
  /** Empty while this process stands by. */
  reports(): VenueReport[];
  /** Starts watching the venues, if this process is the active collector. */
  start(): void;
  /** Resolves when everything that was received is stored. */
  stop(): Promise<void>;
}

/** `send` hands frames to the serving side of the same process; null where other processes read them from the database. */
export async function openCollector(
  foundation: Foundation,
  send: ((frames: readonly StoredFrame[]) => void) | null,
): Promise<Collector> {
  const { shared, archive, log, clockWatch, venues, storage } = foundation;
  await using opening = new AsyncDisposableStack();
  const prepare = async () => {
    await writers.resume();
    await resumeAvailability(collecting, foundation);
  };
  const role = shared ? new CollectorRole({ ...foundation, shared, beforeActive: prepare }) : null;
  const engineLease = role?.engineLease ?? ALWAYS_HELD;
  const outlet = shared
    ? new PostgresOutlet(archive, () => (engineLease.isHeld() ? engineLease.fence() : null), send)
    : new PortOutlet(send ?? (() => undefined), archive);
  const publisher = new FramePublisher(outlet, archive);
  const writers = openWriters(publisher, foundation);
  clockWatch.onStep(({ byMs, nowMs }) => {
    writers.clockStepped(byMs, nowMs);
    if (byMs > 0 || !engineLease.isHeld()) return;
    archive
      .deleteAfter(nowMs)
      .catch((error: unknown) => log.error({ err: error }, 'could not delete snapshots from the future'));
  });

  opening.defer(() => role?.leave());
  const collecting = await openCollecting({ ...foundation, writers, engineLease });
  opening.defer(async () => {
    await collecting.stop();
    await publisher.stop();
    await collecting.history.keeper.close();
  });
  const saving = new ReportSaving({
    storage,
    log,
    engineLease,
    reports: () =>
      venues.map((venue) => ({
        report: collecting.reportOf(venue),
        ...collecting.availability.recordOf(venue.slug),
      })),
  });
  if (role) await role.join(collecting);
  else {
    await prepare();
    await collecting.activate();
  }
  opening.defer(() => saving.stop());
  const opened = opening.move();
  return {
    collecting,
    writers,
    reports: () => (collecting.isActive() ? venues.map(collecting.reportOf) : []),
    start: () => {
      collecting.start();
      saving.start();
    },
    stop: () => opened.disposeAsync(),
  };
}

/** Goes on with the minutes and days that an earlier process recorded. */
async function resumeAvailability({ availability }: Collecting, { storage, log }: Foundation): Promise<void> {
  const { readable, unreadable } = await allReports(storage);
  for (const [slug, record] of readable) availability.resume(slug, record);
  if (unreadable.length > 0)
    log.warn({ venues: unreadable }, 'the last reports are unreadable; the availability starts anew');
}
