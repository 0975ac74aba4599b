import { DAY_MS, isoTime } from '../src/base/times.ts';
import type { SimContract, Universe, VenueProfile } from './contracts.ts';

export interface SimNotice {
  id: string;
  kind: 'listing' | 'delisting' | 'other';
  title: string;
  body: string;
  publishedAtMs: number;
  /** Null for notices that are about something else. */
  contract: SimContract | null;
}

/** Scheduled contracts live at most this long after their listing week. */
const REACH_BACK_MS = 13 * 7 * DAY_MS;

function minuteText(timeMs: number): string {
  return `${isoTime(timeMs).slice(0, 16).replace('T', ' ')} (UTC)`;
}

function listingNotice(profile: VenueProfile, contract: SimContract): SimNotice {
  const name = contract.venueSymbol;
  return {
    id: `${profile.slug}-${name}-listing`,
    kind: 'listing',
    title: `${profile.exchange} Will Launch ${name} Perpetual Contract With up to ${contract.maxLeverage}x Leverage`,
    body: `${profile.exchange} Futures will launch the ${name} perpetual contract at ${minuteText(contract.listedAtMs)}.`,
    publishedAtMs: contract.announcedAtMs,
    contract,
  };
}

function delistingNotice(
  profile: VenueProfile,
  contract: SimContract,
  announcedAtMs: number,
  endsAtMs: number,
): SimNotice {
  const name = contract.venueSymbol;
  return {
    id: `${profile.slug}-${name}-delisting`,
    kind: 'delisting',
    title: `${profile.exchange} Will Delist ${name} Perpetual Contract`,
    body: `${profile.exchange} Futures will close all positions and settle the ${name} perpetual contract at ${minuteText(endsAtMs)}. The contract will be delisted after the settlement.`,
    publishedAtMs: announcedAtMs,
    contract,
  };
}

/** Notices of the listing schedule, with one a week about something that is not a perpetual. */
export function noticesBetween(
  universe: Universe,
  profile: VenueProfile,
  fromMs: number,
  toMs: number,
): SimNotice[] {
  const notices: SimNotice[] = [];
  for (const contract of universe.scheduled(profile, fromMs - REACH_BACK_MS, toMs + 7 * DAY_MS)) {
    notices.push(listingNotice(profile, contract));
    if (contract.delistingAnnouncedAtMs !== null && contract.delistsAtMs !== null) {
      notices.push(delistingNotice(profile, contract, contract.delistingAnnouncedAtMs, contract.delistsAtMs));
    }
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
    .filter((notice) => notice.publishedAtMs >= fromMs && notice.publishedAtMs <= toMs)
    .sort((a, b) => a.publishedAtMs - b.publishedAtMs);
}
