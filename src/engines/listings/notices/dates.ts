import type { ListingKind } from '../../../history/listings/model.ts';
import type { Clause } from './clauses.ts';
import type { NamedContract } from './symbols.ts';
import { PERPETUAL, SPOT, type TimeRole } from './words.ts';

/** Roles of a time that date a listing or delisting, best first. `plain` counts only if nothing better is there. */
const WANTED: Readonly<Record<ListingKind, readonly TimeRole[]>> = {
  listing: ['start', 'plain'],
  delisting: ['end', 'settle', 'plain'],
};
/** Times of other steps: the end of new positions, deposits, auctions. */
const OTHER_STEPS: readonly TimeRole[] = ['restrict', 'aside'];

const FORMER =
  /\b(?:original(?:ly)?|previous(?:ly)?|earlier|initial(?:ly)?|instead of|from|formerly|old)\b[^;]{0,60}$/i;
const HEADING_LENGTH = 100;

interface StatedTime {
  atMs: number | null;
  roles: readonly TimeRole[];
}

/** The time that a notice states for a contract; null when it states none, or several. */
export function dateOf(
  kind: ListingKind,
  contract: NamedContract,
  all: readonly NamedContract[],
  clauses: readonly Clause[],
  isPostponed: boolean,
): number | null {
  const { own, common } = timesFor(contract, all, clauses, isPostponed);
  const stated = all.length === 1 ? [...own, ...common] : own.length > 0 ? own : common;
  for (const role of WANTED[kind]) {
    // A day without an hour, as in titles, does not contradict the exact time in the text.
    const exact = stated.filter((one) => one.roles.includes(role) && one.atMs !== null);
    const times = new Set(exact.map((one) => one.atMs));
    const [only] = times;
    if (only !== undefined) return times.size === 1 ? only : null;
  }
  return null;
}

/**
 * Times stated for this contract, and times stated for all contracts. A short line with contracts but no time is a
 * heading for the lines after it.
 */
function timesFor(
  contract: NamedContract,
  all: readonly NamedContract[],
  clauses: readonly Clause[],
  isPostponed: boolean,
): { own: StatedTime[]; common: StatedTime[] } {
  const own: StatedTime[] = [];
  const common: StatedTime[] = [];
  let heading: readonly NamedContract[] = [];
  for (const { text, lead, contracts, time, roles } of clauses) {
    const listed = contracts.filter((named) => all.some((one) => isSame(one, named)));
    if (!time) {
      if (listed.length > 0 && listed.length < all.length && text.length < HEADING_LENGTH) heading = listed;
      continue;
    }
    if (SPOT.test(text) && !PERPETUAL.test(text)) continue;
    if (roles.some((role) => OTHER_STEPS.includes(role))) continue;
    if (isPostponed && FORMER.test(lead)) continue;
    const subjects: readonly NamedContract[] = listed.length > 0 ? listed : heading;
    const stated = { atMs: time.atMs, roles };
    if (subjects.length === 0) common.push(stated);
    else if (subjects.some((named) => isSame(named, contract))) own.push(stated);
  }
  return { own, common };
}

function isSame(a: NamedContract, b: NamedContract): boolean {
  return a.base === b.base && (a.quote === b.quote || a.quote === null || b.quote === null);
}
