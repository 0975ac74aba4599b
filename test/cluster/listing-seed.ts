import { Universe } from '../../sim/contracts.ts';
import type { VenueProfile } from '../../sim/venue-profile.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { simOf, venueOf } from '../history/keeping.ts';

/** Days of the venues' time that pass while a test runs: recent, because history and listings of long ago are not read. */
export interface Stretch {
  venues: readonly string[];
  coins: number;
  startsDaysAgo: number;
  days: number;
}

export const KILLS_STRETCH: Stretch = {
  venues: ['binance', 'okx', 'gate', 'hyperliquid', 'bybit'],
  coins: 12,
  startsDaysAgo: 12,
  days: 7,
};
export const OUTAGE_STRETCH: Stretch = {
  venues: ['gate', 'hyperliquid', 'binance', 'okx', 'bybit'],
  coins: 12,
  startsDaysAgo: 20,
  days: 14,
};

export interface Market {
  /** Of the simulator. */
  seed: number;
  startMs: number;
  endMs: number;
}

/** States no times of listings, so only the difference of two lists shows one. */
const WITHOUT_TIMES = 'hyperliquid';
/** More than any date needs. */
const MAX_SEED = 100;

/**
 * The market of a stretch on a date: the first seed with which both a venue that states times of listings and one that does
 * not open a contract. With a fixed seed none does on some dates.
 */
export function marketOn(stretch: Stretch, nowMs: number): Market {
  const startMs = Math.floor(nowMs / DAY_MS - stretch.startsDaysAgo) * DAY_MS;
  const endMs = startMs + stretch.days * DAY_MS;
  for (let seed = 1; seed <= MAX_SEED; seed++) {
    const universe = new Universe(seed, stretch.coins);
    const market = { seed, startMs, endMs };
    const opening = stretch.venues.filter((slug) => openedIn(universe, [slug], market).length > 0);
    if (opening.includes(WITHOUT_TIMES) && opening.length > 1) return market;
  }
  throw new Error('no seed lists a contract');
}

/** What trades at the end and did not at the start: exchange and venue symbol. */
export function openedIn(universe: Universe, slugs: readonly string[], { startMs, endMs }: Market): string[] {
  return slugs.flatMap((slug) => {
    const { profile } = simOf(slug);
    const before = openSymbols(universe, profile, startMs);
    const opened = [...openSymbols(universe, profile, endMs)].filter((symbol) => !before.has(symbol));
    return opened.map((symbol) => `${venueOf(slug).facts.exchange} ${symbol}`);
  });
}

/** The contracts that the venue lists as trading at that time. */
function openSymbols(universe: Universe, profile: VenueProfile, atMs: number): Set<string> {
  return new Set(
    universe
      .at(profile, atMs)
      .filter(
        ({ listedAtMs, delistsAtMs }) => listedAtMs <= atMs && (delistsAtMs === null || delistsAtMs > atMs),
      )
      .map(({ venueSymbol }) => venueSymbol),
  );
}
