import type { Venue } from '../venues/venue.ts';
import { unknownExchange } from './access/refusals.ts';
import type { OperationContext } from './operation.ts';

/** Throws for a venue name that is not served in exactly this spelling. */
export function checkExchanges(context: OperationContext, ...lists: (readonly string[] | undefined)[]): void {
  const served = namesOf(context.data.venues);
  for (const list of lists)
    for (const name of list ?? []) if (!served.includes(name)) throw unknownExchange(name, served);
}

const knownNames = new WeakMap<readonly Venue[], readonly string[]>();

/** The list of venues does not change, and every filter by venue needs the names. */
function namesOf(venues: readonly Venue[]): readonly string[] {
  let names = knownNames.get(venues);
  if (!names) {
    names = venues.map(({ facts }) => facts.exchange);
    knownNames.set(venues, names);
  }
  return names;
}
