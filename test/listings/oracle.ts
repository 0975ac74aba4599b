import type { SimContract } from '../../sim/contracts.ts';
import { dateAt, type PlannedDate, type SimLife } from '../../sim/schedule.ts';
import type { ListingFacts } from '../../sim/venue-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import type { ListingKind, ListingSource } from '../../src/history/listings/model.ts';
import { listingFactsOf } from './listing-facts.ts';

export interface TrueRow {
  symbol: string;
  kind: ListingKind;
  source: ListingSource;
  effectiveAtMs: number | null;
  status: string | null;
  /** The observation that first showed it. */
  foundAtMs: number;
}

/** What one source shows about one listing or delisting. */
interface Knowledge {
  source: ListingSource;
  foundAtMs: number;
  dateMs: number | null;
  /** When the lists show that it happened; null if the lists are too far apart to date it. */
  observedAtMs: number | null;
  doneAtMs: number | null;
}

/** The times of all successful polls up to now. */
export interface Polls {
  lists: readonly number[];
  notices: readonly number[];
}

const NEAR_MS = HOUR_MS;
const NEW_MS = 30 * DAY_MS;
const OLD_NOTICE_MS = 45 * DAY_MS;

/** How many of the ascending times are before the given one. */
const countBefore = (times: readonly number[], beforeMs: number): number => {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < beforeMs) low = middle + 1;
    else high = middle;
  }
  return low;
};
const firstFrom = (times: readonly number[], fromMs: number, beforeMs = Infinity): number | null => {
  const found = times[countBefore(times, fromMs)];
  return found !== undefined && found < beforeMs ? found : null;
};
const lastBefore = (times: readonly number[], beforeMs: number) =>
  times[countBefore(times, beforeMs) - 1] ?? null;
const isNear = (times: readonly number[], atMs: number) => {
  const before = lastBefore(times, atMs);
  return before !== null && atMs - before <= NEAR_MS;
};

function listingByList(
  facts: Required<ListingFacts>,
  { listing, delisting }: SimLife,
  lists: readonly number[],
): Knowledge | null {
  const shownAtMs = listing.shownAtMs ?? listing.finalAtMs;
  const aheadAt = facts.isListedBeforeOpening ? firstFrom(lists, shownAtMs, listing.finalAtMs) : null;
  const openAt = firstFrom(lists, listing.finalAtMs, delisting.finalAtMs);
  const statedMs = facts.listingTime === 'day' ? startOfDay(listing.finalAtMs) : listing.finalAtMs;
  const isNewAtOpen = openAt !== null && facts.listingTime !== 'none' && openAt - statedMs < NEW_MS;
  const foundAtMs = aheadAt ?? (isNewAtOpen ? openAt : null);
  if (foundAtMs === null) return null;
  const lastAt = lastBefore(lists, delisting.finalAtMs) ?? foundAtMs;
  const observedAtMs =
    facts.listingTime !== 'exact' && openAt !== null && aheadAt !== null && isNear(lists, openAt)
      ? openAt
      : null;
  return {
    source: 'instruments',
    foundAtMs,
    dateMs: facts.listingTime === 'exact' ? dateAt(listing, lastAt) : null,
    observedAtMs,
    doneAtMs: openAt === null ? null : (observedAtMs ?? (facts.listingTime === 'none' ? openAt : statedMs)),
  };
}

function delistingByList(
  facts: Required<ListingFacts>,
  { listing, delisting }: SimLife,
  lists: readonly number[],
): Knowledge | null {
  if (facts.ending === 'none' || delisting.shownAtMs === null) return null;
  const foundAtMs = firstFrom(lists, Math.max(delisting.shownAtMs, listing.finalAtMs), delisting.finalAtMs);
  if (foundAtMs === null) return null;
  const lastAt = lastBefore(lists, delisting.finalAtMs) ?? foundAtMs;
  return {
    source: 'instruments',
    foundAtMs,
    dateMs: facts.ending === 'time' ? dateAt(delisting, lastAt) : null,
    observedAtMs: null,
    // A marked contract that is missing from two lists is delisted.
    doneAtMs: facts.ending === 'mark' ? confirmedGone(lists, delisting.finalAtMs) : null,
  };
}

function confirmedGone(lists: readonly number[], goneAtMs: number): number | null {
  const missingAt = firstFrom(lists, goneAtMs);
  return missingAt === null ? null : firstFrom(lists, missingAt + 1);
}

function byDiff(
  kind: ListingKind,
  { listing, delisting }: SimLife,
  lists: readonly number[],
): Knowledge | null {
  const openAt = firstFrom(lists, listing.finalAtMs, delisting.finalAtMs);
  if (openAt === null) return null;
  if (kind === 'listing') {
    if (lastBefore(lists, openAt) === null) return null;
    const observedAtMs = isNear(lists, openAt) ? openAt : null;
    return { source: 'diff', foundAtMs: openAt, dateMs: null, observedAtMs, doneAtMs: openAt };
  }
  const missingAt = firstFrom(lists, delisting.finalAtMs);
  const confirmedAt = confirmedGone(lists, delisting.finalAtMs);
  if (missingAt === null || confirmedAt === null) return null;
  const observedAtMs = isNear(lists, missingAt) ? missingAt : null;
  return {
    source: 'diff',
    foundAtMs: confirmedAt,
    dateMs: null,
    observedAtMs,
    doneAtMs: observedAtMs ?? confirmedAt,
  };
}

function byNotice(
  facts: Required<ListingFacts>,
  kind: ListingKind,
  date: PlannedDate,
  polls: readonly number[],
): Knowledge | null {
  if (facts.notices === 'none' || date.noticeAtMs === null) return null;
  const isLate = kind === 'listing' && date.noticeAtMs > date.finalAtMs;
  const isMovedLater = date.movedAtMs !== null && date.movedAtMs > date.noticeAtMs;
  const published = [
    { atMs: date.noticeAtMs, dateMs: dateAt(date, date.noticeAtMs) },
    ...(isMovedLater && date.movedAtMs !== null ? [{ atMs: date.movedAtMs, dateMs: date.finalAtMs }] : []),
  ];
  const readings: Knowledge[] = [];
  for (const { atMs, dateMs: written } of published) {
    const readAt = firstFrom(polls, atMs);
    if (readAt === null || readAt - atMs > facts.noticeDays * DAY_MS) continue;
    const dateMs = facts.notices === 'titles' ? null : written;
    if (readAt - atMs > OLD_NOTICE_MS || readAt - (dateMs ?? atMs) > NEW_MS) continue;
    readings.push({
      source: 'announcement',
      foundAtMs: readings[0]?.foundAtMs ?? readAt,
      dateMs,
      observedAtMs: null,
      doneAtMs: isLate ? Math.min(dateMs ?? atMs, readAt) : null,
    });
  }
  return readings.at(-1) ?? null;
}

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

const ORDER: readonly ListingSource[] = ['instruments', 'diff', 'announcement'];

/** Combines the sources: the earliest one found it, the most reliable one gives the time. */
function combined(all: readonly (Knowledge | null)[]): Knowledge | null {
  const known = all.filter((one) => one !== null);
  const by = (source: ListingSource) => known.find((one) => one.source === source) ?? null;
  const first = known.toSorted(
    (a, b) => a.foundAtMs - b.foundAtMs || ORDER.indexOf(a.source) - ORDER.indexOf(b.source),
  )[0];
  if (!first) return null;
  const observed = by('instruments')?.observedAtMs ?? by('diff')?.observedAtMs ?? null;
  const done = known.flatMap((one) => (one.doneAtMs === null ? [] : [one.doneAtMs]));
  return {
    source: first.source,
    foundAtMs: first.foundAtMs,
    dateMs: by('instruments')?.dateMs ?? by('announcement')?.dateMs ?? observed,
    observedAtMs: observed,
    doneAtMs: done.length === 0 ? null : Math.min(...done),
  };
}

/** The calendar of one venue that can be known at a time, computed from the simulator's schedule. */
export function expectedRows(
  slug: string,
  contracts: readonly SimContract[],
  sources: readonly ListingSource[],
  polls: Polls,
  nowMs: number,
): TrueRow[] {
  const facts = listingFactsOf(slug);
  const uses = (source: ListingSource) => sources.includes(source);
  const rows: TrueRow[] = [];
  const { lists, notices } = polls;
  const lives = contracts.flatMap(({ life, base, quote }) =>
    life ? [{ life, symbol: `${base}-${quote}` }] : [],
  );
  const listingOf = (life: SimLife) =>
    combined([
      uses('instruments') ? listingByList(facts, life, lists) : null,
      uses('diff') ? byDiff('listing', life, lists) : null,
      uses('announcement') ? byNotice(facts, 'listing', life.listing, notices) : null,
    ]);
  const listedAt = ({ listing, delisting }: SimLife) =>
    firstFrom(
      lists,
      (facts.isListedBeforeOpening ? listing.shownAtMs : null) ?? listing.finalAtMs,
      delisting.finalAtMs,
    );
  /** Together with lists, a delisting notice counts only for a known contract and its current listing. */
  const isAccepted = (notice: Knowledge, life: SimLife, symbol: string) => {
    if (sources.length === 1) return true;
    const same = lives.filter((one) => one.symbol === symbol);
    const knownAt = same.flatMap((one) => [listedAt(one.life), listingOf(one.life)?.foundAtMs ?? null]);
    const later = same.filter((one) => one.life.number > life.number).map((one) => listedAt(one.life));
    const isBefore = (atMs: number | null) => atMs !== null && atMs <= notice.foundAtMs;
    return knownAt.some(isBefore) && !(notice.dateMs === null && later.some(isBefore));
  };
  /** Two notices without times and nothing between them are ambiguous: the second may be a reminder. */
  const isRepeat = (kind: ListingKind, life: SimLife, symbol: string) => {
    const earlier = lives.find((one) => one.symbol === symbol && one.life.number === life.number - 1)?.life;
    if (!earlier || facts.notices !== 'titles' || sources.join() !== 'announcement') return false;
    const before = byNotice(facts, kind, earlier[kind], notices);
    const between =
      kind === 'listing'
        ? byNotice(facts, 'delisting', earlier.delisting, notices)
        : byNotice(facts, 'listing', life.listing, notices);
    return before !== null && between === null;
  };
  /** Likewise two marks without times, if no list shows the opening between them: the second may be the first one's. */
  const isMarkedAgain = (life: SimLife, symbol: string) => {
    const earlier = lives.find((one) => one.symbol === symbol && one.life.number === life.number - 1)?.life;
    if (!earlier || facts.ending !== 'mark' || sources.join() !== 'instruments') return false;
    return delistingByList(facts, earlier, lists) !== null && listingOf(life) === null;
  };
  for (const { life, symbol } of lives) {
    const listing = isRepeat('listing', life, symbol) ? null : listingOf(life);
    const isReminder = isRepeat('delisting', life, symbol);
    const notice =
      uses('announcement') && !isReminder ? byNotice(facts, 'delisting', life.delisting, notices) : null;
    const delisting = combined([
      uses('instruments') && !isMarkedAgain(life, symbol) ? delistingByList(facts, life, lists) : null,
      uses('diff') ? byDiff('delisting', life, lists) : null,
      notice && isAccepted(notice, life, symbol) ? notice : null,
    ]);
    const endMs = delisting ? endOf(delisting) : null;
    if (listing)
      rows.push({ ...shown(symbol, 'listing', listing), status: listingStatus(listing, endMs, nowMs) });
    if (delisting) {
      const isOver = delisting.doneAtMs !== null || (delisting.dateMs !== null && delisting.dateMs <= nowMs);
      rows.push({ ...shown(symbol, 'delisting', delisting), status: isOver ? 'delisted' : 'delisting' });
    }
  }
  return rows;
}

function endOf({ dateMs, observedAtMs, doneAtMs }: Knowledge): number | null {
  const effective = dateMs ?? observedAtMs;
  return effective === null ? doneAtMs : Math.min(effective, doneAtMs ?? Infinity);
}

function shown(symbol: string, kind: ListingKind, known: Knowledge): Omit<TrueRow, 'status'> {
  const { source, foundAtMs, dateMs, observedAtMs } = known;
  return { symbol, kind, source, foundAtMs, effectiveAtMs: dateMs ?? observedAtMs };
}

function listingStatus(known: Knowledge, endMs: number | null, nowMs: number): string | null {
  const effective = known.dateMs ?? known.observedAtMs;
  const isOpen = known.doneAtMs !== null || (effective !== null && effective <= nowMs);
  if (!isOpen) return 'preopen';
  const startMs = effective ?? known.doneAtMs ?? 0;
  if (endMs !== null && endMs >= startMs && endMs <= nowMs) return null;
  return nowMs - startMs < NEW_MS ? 'newly listed' : null;
}
