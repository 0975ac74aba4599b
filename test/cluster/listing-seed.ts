import { Universe } from '../../sim/contracts.ts';
import type { VenueProfile } from '../../sim/venue-profile.ts';
import { simOf } from '../history/keeping.ts';

/** More than any date needs. */
const MAX_SEED = 100;

/** The first seed with which a venue opens a contract between both times: with a fixed seed no venue does on some dates. */
export function seedThatLists(slugs: readonly string[], coins: number, fromMs: number, toMs: number): number {
  for (let seed = 1; seed <= MAX_SEED; seed++) {
    const universe = new Universe(seed, coins);
    const isOpening = slugs.some((slug) => {
      const { profile } = simOf(slug);
      const before = openSymbols(universe, profile, fromMs);
      return [...openSymbols(universe, profile, toMs)].some((symbol) => !before.has(symbol));
    });
    if (isOpening) return seed;
  }
  throw new Error('no seed lists a contract');
}

/** The contracts that the venue lists as trading at that time. */
export function openSymbols(universe: Universe, profile: VenueProfile, atMs: number): Set<string> {
  return new Set(
    universe
      .at(profile, atMs)
      .filter(
        ({ listedAtMs, delistsAtMs }) => listedAtMs <= atMs && (delistsAtMs === null || delistsAtMs > atMs),
      )
      .map(({ venueSymbol }) => venueSymbol),
  );
}
