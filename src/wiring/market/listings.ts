import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { DAY_MS, SECOND_MS } from '../../base/times.ts';
import { ListingCalendar, type Published } from '../../engines/listings/calendar.ts';
import { HeldLists } from '../../engines/listings/held-lists.ts';
import { ListingWatch } from '../../engines/listings/watch.ts';
import { loadReadNotices } from '../../history/listings/notices.ts';
import { redateListings } from '../../history/listings/redate.ts';
import { loadListings, loadSpan, type Publication, savePublication } from '../../history/listings/store.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Part, PartContext } from '../part.ts';

export interface ListingsPart extends Part {
  source: TableSource;
  published: () => Published;
  /** Stores and publishes everything observed so far, as of the given time. */
  publish(asOfMs: number): Promise<void>;
}

/** No venue shows a notice for longer than this, so older ones need not be remembered. */
const NOTICES_REMEMBERED_MS = 180 * DAY_MS;

/** Watches contract lists and notices for listings and delistings, and publishes the calendar periodically. */
export async function listingsPart(
  context: PartContext,
  identities: Pick<Freezer, 'identities'>,
): Promise<ListingsPart> {
  const { storage, clock, log, metrics, settings, engineLease } = context;
  const everyMs = settings.snapshotSeconds * SECOND_MS;
  const job = context.jobs.job('listings', everyMs);
  const loaded = async () => {
    const restored = new ListingWatch();
    restored.restore(
      await loadListings(storage),
      await loadReadNotices(storage, clock.nowMs() - NOTICES_REMEMBERED_MS),
    );
    // Lists from the future would make the lists of now look outdated.
    restored.shiftTimes(0, clock.nowMs());
    return restored;
  };
  let watch = await loaded();
  const held = new HeldLists((exchange, isOff) => {
    metrics.venueClockOff.set({ exchange }, isOff ? 1 : 0);
    if (isOff)
      log.warn({ exchange }, 'the clock of the venue is off: its lists and notices make no listings');
    else log.info({ exchange }, 'the clock of the venue is right again');
  });
  context.observe((venue, batch, receivedAtMs) =>
    held.take(venue.facts.exchange, batch, receivedAtMs, clock.monotonicMs()),
  );
  const readHeld = () => {
    for (const { exchange, list, notices, atMs } of held.release(clock.monotonicMs()))
      try {
        if (list) watch.takeList(exchange, list, atMs);
        for (const { outcome } of watch.takeNotices(exchange, notices, atMs))
          metrics.listingNotices.inc({ exchange, outcome });
      } catch (error) {
        // An unexpected list or notice must not stop the calendar of the other venues.
        log.error({ err: error, exchange }, 'could not read a contract list or notice for the calendar');
      }
  };

  const ended = context.collectors.flatMap(({ venue: { facts } }) =>
    facts.endedAt ? [{ exchange: facts.exchange, endedAtMs: facts.endedAt.value }] : [],
  );
  const publishNow = async (asOfMs: number) => {
    readHeld();
    for (const { exchange, endedAtMs } of ended)
      if (asOfMs >= endedAtMs) watch.endVenue(exchange, endedAtMs, asOfMs);
    for (const episode of watch.book.published) {
      const { exchange, symbol, state } = episode;
      if (state.venueSymbol === null) continue;
      const identity = identities.identities.get(`${exchange}/${state.venueSymbol}`);
      if (identity) watch.book.renameCoin(exchange, state.venueSymbol, symbol, identity.coin);
    }
    if (!engineLease.isHeld()) return;
    if (unconfirmed) {
      const isStored = (await loadSpan(storage))?.lastAsOfMs === unconfirmed.span.lastAsOfMs;
      if (isStored) watch.commit(unconfirmed);
      unconfirmed = null;
    }
    const publication = watch.stage(asOfMs);
    if (!publication) return;
    // Stored before it is published, so that no row is ever inserted before a published time. If the connection breaks
    // during the commit, the next call looks up whether the publication was stored.
    unconfirmed = publication;
    await savePublication(storage, publication, engineLease.fence());
    unconfirmed = null;
    watch.commit(publication);
    metrics.listingRows.set(watch.book.published.length);
  };
  let unconfirmed: Publication | null = null;
  let publishing: Promise<void> = Promise.resolve();
  let task: RepeatingTask | null = null;
  const publish = (asOfMs: number): Promise<void> => {
    const next = publishing.then(() => publishNow(asOfMs));
    publishing = next.catch(() => undefined);
    return next;
  };

  const redate = async (wrongFromMs: number, nowMs: number) => {
    if (!engineLease.isHeld() || (watch.span?.lastAsOfMs ?? 0) < wrongFromMs) return;
    unconfirmed = null;
    await redateListings(storage, { wrongFromMs, nowMs }, engineLease.fence());
    watch = await loaded();
  };
  const unsubscribe = context.clockWatch.onStep(({ byMs, nowMs, wrongFromMs }) => {
    watch.shiftTimes(byMs, nowMs);
    held.shiftTimes(byMs, nowMs);
    if (wrongFromMs === null) return;
    publishing = publishing
      .then(() => redate(wrongFromMs, nowMs))
      .catch((error: unknown) =>
        log.error({ err: error }, 'could not correct the listings that a wrong clock has dated'),
      );
  });

  const published = () => ({ span: watch.span, episodes: watch.book.published });
  return {
    published,
    source: new ListingCalendar(published),
    publish,
    start: () => {
      job.start();
      task = startRepeatingTask({
        name: 'publish listings',
        everyMs,
        clock,
        log,
        run: async () => {
          context.clockWatch.check();
          await publish(clock.nowMs());
          job.finished();
          return undefined;
        },
      });
    },
    stop: async () => {
      unsubscribe();
      await task?.stop();
      job.stop();
      await publishing;
    },
  };
}
