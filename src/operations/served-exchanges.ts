import { perSnapshot } from '../base/per-snapshot.ts';
import type { Venue } from '../venues/venue.ts';
import { unknownExchange } from './access/refusals.ts';
import type { OperationContext } from './operation.ts';

/** Throws for a venue name that is not served in exactly this spelling. */
export function checkExchanges(context: OperationContext, ...lists: (readonly string[] | undefined)[]): void {
  const served = namesOf(context.data.venues);
  for (const list of lists)
    for (const name of list ?? []) if (!served.includes(name)) throw unknownExchange(name, served);
}

/** The list of venues does not change, and every filter by venue needs the names. */
const namesOf = perSnapshot((venues: readonly Venue[]): readonly string[] =>
  venues.map(({ facts }) => facts.exchange),
);
