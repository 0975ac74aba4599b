import { count, fieldsOf, listOf, text, tupleOf } from '../src/base/parsing.ts';
import { MINUTE_MS } from '../src/base/times.ts';
import type { Universe } from './contracts.ts';
import { quoteAt } from './market.ts';
import type { SimVenue } from './venue.ts';

const parseContracts = listOf(tupleOf(text, text));
const parseMinutes = listOf(count);

/**
 * The mark prices of some contracts, `[venue, venue symbol]`, at some minutes: a list per contract, with null where it was
 * not listed.
 */
export function pastPrices(
  question: unknown,
  universe: Universe,
  venues: readonly SimVenue[],
): (number | null)[][] {
  const fields = fieldsOf(question);
  const contracts = parseContracts(fields.contracts, 'contracts');
  const minutes = parseMinutes(fields.minutes, 'minutes');
  const nowMs = Math.max(0, ...minutes) * MINUTE_MS;
  const listed = new Map(
    venues.flatMap(({ profile }) =>
      universe
        .at(profile, nowMs)
        .map((contract) => [`${contract.venue}/${contract.venueSymbol}`, contract] as const),
    ),
  );
  return contracts.map(([venue, venueSymbol]) => {
    const contract = listed.get(`${venue}/${venueSymbol}`);
    return minutes.map((minute) =>
      contract && minute * MINUTE_MS >= contract.listedAtMs
        ? quoteAt(contract, minute * MINUTE_MS).markPrice
        : null,
    );
  });
}
