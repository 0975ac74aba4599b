import type { Venue } from '../../../../venues/venue.ts';
import { openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';

type VenueGroup = Venue['facts']['kind'];

export function groupOf(sent: PageContext['sent']): VenueGroup | null {
  const [named] = sent.get('group') ?? [];
  return named === 'cex' || named === 'dex' ? named : null;
}

/** The names of the venues that have not ended, of one group or of all. */
export function venuesIn({ entrance }: Pick<PageContext, 'entrance'>, group: VenueGroup | null): string[] {
  return openVenues(entrance)
    .filter(({ facts }) => group === null || facts.kind === group)
    .map(({ facts }) => facts.exchange);
}
