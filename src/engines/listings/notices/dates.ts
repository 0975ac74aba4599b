import type { ListingKind } from '../../../history/listings/model.ts';
import type { Clause } from './clauses.ts';
import type { NamedContract } from './symbols.ts';
import { PERPETUAL, SPOT, type TimeRole } from './words.ts';

/** Which times count for what, best first. A time that only stands there counts when no better one does. */
const WANTED: Readonly<Record<ListingKind, readonly TimeRole[]>> = {
  listing: ['start', 'plain'],
  delisting: ['end', 'settle', 'plain'],
};
/** Said of something on the way: the end of new positions, deposits, auctions. */
const ON_THE_WAY: readonly TimeRole[] = ['restrict', 'aside'];

const FORMER =
  /\b(?:original(?:ly)?|previous(?:ly)?|earlier|initial(?:ly)?|instead of|from|formerly|old)\b[^;]{0,60}$/i;
const HEADING_LENGTH = 100;

interface Said {
  atMs: number | null;
  roles: readonly TimeRole[];
}

/** The one moment that a notice gives for a contract; null when it gives none, or several. */
export function dateOf(
  kind: ListingKind,
  contract: NamedContract,
  all: readonly NamedContract[],
  clauses: readonly Clause[],
  isPostponed: boolean,
): number | null {
  const { own, common } = timesFor(contract, all, clauses, isPostponed);
  const said = all.length === 1 ? [...own, ...common] : own.length > 0 ? own : common;
  for (const role of WANTED[kind]) {
    // A day without an hour, as titles have it, does not contradict the moment in the text.
    const times = said.filter((one) => one.roles.includes(role) && one.atMs !== null);
    const moments = new Set(times.map((one) => one.atMs));
    const [only] = moments;
    if (only !== undefined) return moments.size === 1 ? only : null;
  }
  return null;
}

/** Times said of this contract, and times said of all. A short line with contracts and no time heads what follows. */
function timesFor(
  contract: NamedContract,
  all: readonly NamedContract[],
  clauses: readonly Clause[],
  isPostponed: boolean,
): { own: Said[]; common: Said[] } {
  const own: Said[] = [];
  const common: Said[] = [];
  let heading: readonly NamedContract[] = [];
  for (const { text, lead, contracts, time, roles } of clauses) {
    const listed = contracts.filter((named) => all.some((one) => isSame(one, named)));
    if (!time) {
      if (listed.length > 0 && listed.length < all.length && text.length < HEADING_LENGTH) heading = listed;
      continue;
    }
    if (SPOT.test(text) && !PERPETUAL.test(text)) continue;
    if (roles.some((role) => ON_THE_WAY.includes(role))) continue;
    if (isPostponed && FORMER.test(lead)) continue;
    const subjects: readonly NamedContract[] = listed.length > 0 ? listed : heading;
    const said = { atMs: time.atMs, roles };
    if (subjects.length === 0) common.push(said);
    else if (subjects.some((named) => isSame(named, contract))) own.push(said);
  }
  return { own, common };
}

function isSame(a: NamedContract, b: NamedContract): boolean {
  return a.base === b.base && (a.quote === b.quote || a.quote === null || b.quote === null);
}
