import { DAY_MS, isoTime } from '../src/base/times.ts';
import type { SimContract, Universe } from './contracts.ts';
import { dateAt, type PlannedDate } from './schedule.ts';
import type { VenueProfile } from './venue-profile.ts';

export interface SimNotice {
  id: string;
  kind: 'listing' | 'delisting' | 'other';
  title: string;
  body: string;
  publishedAtMs: number;
  /** Null for notices about something else. */
  contract: SimContract | null;
}

/** From a contract's first listing to its last notice. */
const REACH_BACK_MS = 26 * 7 * DAY_MS;

function minuteText(timeMs: number): string {
  return `${isoTime(timeMs).slice(0, 16).replace('T', ' ')} (UTC)`;
}

interface Wording {
  title: string;
  body: string;
}

type Words = (exchange: string, name: string, timeMs: number, leverage: number) => Wording;

const LISTING: Words = (exchange, name, timeMs, leverage) => ({
  title: `${exchange} Will Launch ${name} Perpetual Contract With up to ${leverage}x Leverage`,
  body: `${exchange} Futures will launch the ${name} perpetual contract at ${minuteText(timeMs)}.`,
});
const LISTING_LATE: Words = (exchange, name, timeMs) => ({
  title: `${name} Perpetual Contract Now Live on ${exchange}`,
  body: `Trading of the ${name} perpetual contract started at ${minuteText(timeMs)}.`,
});
const LISTING_MOVED: Words = (exchange, name, timeMs) => ({
  title: `${exchange} Postpones the Launch of the ${name} Perpetual Contract`,
  body: `The ${name} perpetual contract will now open for trading at ${minuteText(timeMs)}.`,
});
const DELISTING: Words = (exchange, name, timeMs) => ({
  title: `${exchange} Will Delist ${name} Perpetual Contract`,
  body: `${exchange} Futures will close all positions and settle the ${name} perpetual contract at ${minuteText(timeMs)}. The contract will be delisted after the settlement.`,
});
const DELISTING_MOVED: Words = (exchange, name, timeMs) => ({
  title: `${exchange} Postpones the Delisting of the ${name} Perpetual Contract`,
  body: `All positions in the ${name} perpetual contract will now be settled at ${minuteText(timeMs)}.`,
});

function notice(
  profile: VenueProfile,
  contract: SimContract,
  kind: 'listing' | 'delisting',
  what: string,
  words: Words,
  publishedAtMs: number,
  timeMs: number,
): SimNotice {
  const { venueSymbol, life, maxLeverage } = contract;
  return {
    id: `${profile.slug}-${venueSymbol}-${life?.number ?? 0}-${what}`,
    kind,
    ...words(profile.exchange, venueSymbol, timeMs, maxLeverage),
    publishedAtMs,
    contract,
  };
}

/** The notice of a date, and another if the date is moved afterwards. */
function noticesOf(
  profile: VenueProfile,
  contract: SimContract,
  kind: 'listing' | 'delisting',
  date: PlannedDate,
): SimNotice[] {
  const { noticeAtMs, movedAtMs, finalAtMs } = date;
  if (noticeAtMs === null) return [];
  const usual = kind === 'listing' ? LISTING : DELISTING;
  const words = kind === 'listing' && noticeAtMs > finalAtMs ? LISTING_LATE : usual;
  const first = notice(profile, contract, kind, kind, words, noticeAtMs, dateAt(date, noticeAtMs));
  if (movedAtMs === null || movedAtMs <= noticeAtMs) return [first];
  const movedWords = kind === 'listing' ? LISTING_MOVED : DELISTING_MOVED;
  return [first, notice(profile, contract, kind, `${kind}-moved`, movedWords, movedAtMs, finalAtMs)];
}

/** Notices of the listing schedule, with one a week about something that is not a perpetual. */
export function noticesBetween(
  universe: Universe,
  profile: VenueProfile,
  fromMs: number,
  toMs: number,
): SimNotice[] {
  const notices: SimNotice[] = [];
  for (const contract of universe.scheduled(profile, fromMs - REACH_BACK_MS, toMs + 14 * DAY_MS)) {
    if (!contract.life) continue;
    notices.push(...noticesOf(profile, contract, 'listing', contract.life.listing));
    notices.push(...noticesOf(profile, contract, 'delisting', contract.life.delisting));
  }
  for (let week = Math.floor(fromMs / (7 * DAY_MS)); week * 7 * DAY_MS <= toMs; week++) {
    notices.push({
      id: `${profile.slug}-earn-${week}`,
      kind: 'other',
      title: `${profile.exchange} Earn: Enjoy up to 9.9% APR With Flexible Products`,
      body: 'Subscribe to flexible savings products during the promotion period.',
      publishedAtMs: week * 7 * DAY_MS + DAY_MS,
      contract: null,
    });
  }
  return notices
    .filter((one) => one.publishedAtMs >= fromMs && one.publishedAtMs <= toMs)
    .sort((a, b) => a.publishedAtMs - b.publishedAtMs);
}
