import type { ListingFacts } from '../../sim/venue-profile.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';

/** What the simulator of a venue publishes about listings and delistings. */
export function listingFactsOf(slug: string): Required<ListingFacts> {
  const sim = SIM_VENUES.find(({ profile }) => profile.slug === slug);
  if (!sim) throw new Error(`no simulator of ${slug}`);
  return {
    isListedBeforeOpening: false,
    listingTime: 'none',
    ending: 'none',
    notices: 'none',
    noticeDays: 60,
    ...sim.profile.listings,
  };
}
