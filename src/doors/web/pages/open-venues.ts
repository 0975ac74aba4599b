import type { Entrance } from '../../../operations/access/entrance.ts';
import { hasEnded } from '../../../venues/ended.ts';
import type { Venue } from '../../../venues/venue.ts';

interface OpenVenues {
  /** How many had ended when the list was made. */
  endedCount: number;
  venues: readonly Venue[];
}

const known = new WeakMap<readonly Venue[], OpenVenues>();

/** The venues that have not ended. It is the same list until one ends, so that what is made of it can be remembered. */
export function openVenues({ data, clock }: Pick<Entrance, 'data' | 'clock'>): readonly Venue[] {
  const nowMs = clock.nowMs();
  const venues = data.venues.filter(({ facts }) => !hasEnded(facts, nowMs));
  const endedCount = data.venues.length - venues.length;
  const before = known.get(data.venues);
  if (before?.endedCount === endedCount) return before.venues;
  known.set(data.venues, { endedCount, venues });
  return venues;
}

/** Orders names as people do: without regard to case. */
export const byName = new Intl.Collator('en', { sensitivity: 'base' }).compare;
