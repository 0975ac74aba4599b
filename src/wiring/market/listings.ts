import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { DAY_MS, SECOND_MS } from '../../base/times.ts';
import { ListingCalendar, type Published } from '../../engines/listings/calendar.ts';
import { ListingWatch } from '../../engines/listings/watch.ts';
import { loadReadNotices } from '../../history/listings/notices.ts';
import { loadListings, loadSpan, type Publication, savePublication } from '../../history/listings/store.ts';
import type { Freezer } from '../../market/freeze.ts';
import { splitMultiplier } from '../../market/identity.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Part, PartContext } from '../part.ts';

export interface ListingsPart extends Part {
  source: TableSource;
  published: () => Published;
  /** Stores and publishes all that has been seen, as of the given time. */
  publish(asOfMs: number): Promise<void>;
}

/** Venues show no notice for longer than this, so what was read earlier need not be remembered. */
const NOTICES_REMEMBERED_MS = 180 * DAY_MS;

/** Watches lists and notices for listings and delistings, and publishes the calendar again and again. */
export async function listingsPart(
  context: PartContext,
  identities: Pick<Freezer, 'identities'>,
): Promise<ListingsPart> {
  const { storage, clock, log, metrics, settings, engineLease } = context;
  const watch = new ListingWatch();
  watch.restore(
    await loadListings(storage),
    await loadReadNotices(storage, clock.nowMs() - NOTICES_REMEMBERED_MS),
  );
  context.observe((venue, batch, receivedAtMs) => {
    const { exchange } = venue.facts;
    try {
      if (batch.contractList) watch.takeList(exchange, batch.contractList, receivedAtMs);
      for (const { outcome } of watch.takeNotices(exchange, batch.announcements, receivedAtMs))
        metrics.listingNotices.inc({ exchange, outcome });
    } catch (error) {
      // A list or notice that nobody thought of must not cost the venue its prices.
      log.error({ err: error, exchange }, 'list or notices not read for the calendar');
    }
  });

  const publishNow = async (asOfMs: number) => {
    for (const episode of watch.book.published) {
      const { exchange, symbol, state } = episode;
      if (state.venueSymbol === null || !splitMultiplier(symbol)) continue;
      const identity = identities.identities.get(`${exchange}/${state.venueSymbol}`);
      if (identity) watch.book.rename(exchange, state.venueSymbol, symbol, identity.coin);
    }
    if (!engineLease.isHeld()) return;
    if (unsure) {
      const isStored = (await loadSpan(storage))?.lastAsOfMs === unsure.span.lastAsOfMs;
      if (isStored) watch.commit(unsure);
      unsure = null;
    }
    const publication = watch.stage(asOfMs);
    if (!publication) return;
    // Stored first: nobody must be told of a time before which a row could still be inserted. A connection that is cut
    // while it is being stored does not tell whether it was.
    unsure = publication;
    await savePublication(storage, publication, engineLease.fence());
    unsure = null;
    watch.commit(publication);
    metrics.listingRows.set(watch.book.published.length);
    metrics.listingAsOf.set(asOfMs / SECOND_MS);
  };
  let unsure: Publication | null = null;
  let publishing: Promise<void> = Promise.resolve();
  let task: RepeatingTask | null = null;
  const publish = (asOfMs: number): Promise<void> => {
    const next = publishing.then(() => publishNow(asOfMs));
    publishing = next.catch(() => undefined);
    return next;
  };

  const published = () => ({ span: watch.span, episodes: watch.book.published });
  return {
    published,
    source: new ListingCalendar(published),
    publish,
    start: () => {
      task = startRepeatingTask({
        name: 'publish listings',
        everyMs: settings.snapshotSeconds * SECOND_MS,
        clock,
        log,
        run: async () => {
          await publish(clock.nowMs());
          return undefined;
        },
      });
    },
    stop: async () => {
      await task?.stop();
      await publishing;
    },
  };
}
