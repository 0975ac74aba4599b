import { DAY_MS, HOUR_MS } from '../src/base/times.ts';

/** A date in a contract's life: how the venue first plans it, moves it, and announces it. */
export interface PlannedDate {
  /** When the instrument list first shows it; null: the list never shows it in advance. */
  shownAtMs: number | null;
  plannedAtMs: number;
  /** When the venue moves the date; null: it never does. */
  movedAtMs: number | null;
  /** When it happens. */
  finalAtMs: number;
  /** When the notice is published: before the list shows the date, after it, or never. */
  noticeAtMs: number | null;
}

/** One listing of a contract, from its start to its end; a contract that is listed again has two. */
export interface SimLife {
  /** Distinguishes the lives of one contract. */
  number: number;
  listing: PlannedDate;
  delisting: PlannedDate;
}

/** The date as the venue states it at a given time. */
export function dateAt(date: PlannedDate, atMs: number): number {
  return date.movedAtMs !== null && atMs < date.movedAtMs ? date.plannedAtMs : date.finalAtMs;
}

type Draw = (what: string) => number;

const hours = (share: number, from: number, to: number) => (from + Math.floor(share * (to - from))) * HOUR_MS;
const UNANNOUNCED_LIFE_MS = 84 * DAY_MS;

/** The lives of a contract that is first listed at the given time; their events are random. */
export function livesFrom(listedAtMs: number, draw: Draw): SimLife[] {
  const first = lifeFrom(1, listedAtMs, draw);
  const isBack = first.delisting.shownAtMs !== null && draw('comes back') < 0.35;
  if (!isBack) return [first];
  const againAtMs = first.delisting.finalAtMs + hours(draw('away'), 5 * 24, 20 * 24);
  return [first, lifeFrom(2, againAtMs, (what) => draw(`again ${what}`))];
}

function lifeFrom(number: number, listedAtMs: number, draw: Draw): SimLife {
  const listing = movedListing(listedAtMs, draw);
  if (draw('ends') >= 0.66) {
    const endsAtMs = listing.finalAtMs + UNANNOUNCED_LIFE_MS;
    const silent = {
      shownAtMs: null,
      plannedAtMs: endsAtMs,
      movedAtMs: null,
      finalAtMs: endsAtMs,
      noticeAtMs: null,
    };
    return { number, listing, delisting: silent };
  }
  const endsAtMs = listing.finalAtMs + (14 + Math.floor(draw('life') * 49)) * DAY_MS;
  return { number, listing, delisting: movedDelisting(endsAtMs, draw) };
}

function movedListing(plannedAtMs: number, draw: Draw): PlannedDate {
  const shownAtMs = plannedAtMs - (1 + Math.floor(draw('ahead') * 40)) * HOUR_MS;
  const isMoved = draw('listing moves') < 0.25 && plannedAtMs - shownAtMs > 4 * HOUR_MS;
  const movedAtMs = isMoved ? plannedAtMs - 2 * HOUR_MS : null;
  const finalAtMs = isMoved ? plannedAtMs + hours(draw('listing moves by'), 6, 72) : plannedAtMs;
  const noticeAtMs = noticeTime(draw('listing notice'), shownAtMs, {
    beforeMs: hours(draw('listing notice span'), 2, 40),
    lateAtMs: finalAtMs + hours(draw('listing notice span'), 1, 20),
  });
  return { shownAtMs, plannedAtMs, movedAtMs, finalAtMs, noticeAtMs };
}

function movedDelisting(plannedAtMs: number, draw: Draw): PlannedDate {
  const shownAtMs = plannedAtMs - 4 * DAY_MS;
  const isMoved = draw('delisting moves') < 0.25;
  const movedAtMs = isMoved ? plannedAtMs - DAY_MS : null;
  const finalAtMs = isMoved ? plannedAtMs + hours(draw('delisting moves by'), 3 * 24, 8 * 24) : plannedAtMs;
  const noticeAtMs = noticeTime(draw('delisting notice'), shownAtMs, {
    beforeMs: hours(draw('delisting notice span'), 2, 48),
    lateAtMs: shownAtMs + hours(draw('delisting notice span'), 6, 30),
  });
  return { shownAtMs, plannedAtMs, movedAtMs, finalAtMs, noticeAtMs };
}

/** Half of the notices are published before the venue's lists show the date, some with them, some later, some never. */
function noticeTime(
  share: number,
  shownAtMs: number,
  { beforeMs, lateAtMs }: { beforeMs: number; lateAtMs: number },
): number | null {
  if (share < 0.5) return shownAtMs - beforeMs;
  if (share < 0.7) return shownAtMs;
  return share < 0.85 ? lateAtMs : null;
}
