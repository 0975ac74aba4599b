import { SettingError } from '../settings.ts';
import { VENUES } from '../venues/registry.ts';
import type { Venue } from '../venues/venue.ts';

/** The venues of the setting VENUES, by folder name or exchange name; all if it is empty. */
export function chosenVenues(slugs: readonly string[]): readonly Venue[] {
  if (slugs.length === 0) return VENUES;
  return slugs.map((slug) => {
    const venue = VENUES.find((candidate) => candidate.slug === slug || candidate.facts.exchange === slug);
    if (!venue)
      throw new SettingError(
        `there is no venue "${slug}"; choose from ${VENUES.map((known) => known.slug).join(', ')}`,
      );
    return venue;
  });
}
