import { MINUTE_MS } from '../base/times.ts';
import type { AssetClass } from '../venues/observations.ts';
import type { ContractState } from './contract-state.ts';
import { type DatedIndex, isFresh } from './figures.ts';
import type { Identity } from './identity.ts';
import type { Column } from './tables/table.ts';

/** Whether the market of a contract's underlying is open. Markets of coins never close and have none. */
export const SESSIONS = ['open', 'closed'] as const;
export type Session = (typeof SESSIONS)[number];

/** The column of pairs that says it of their legs. */
export const LEG_CLOSED: Column = {
  name: 'leg_closed',
  type: 'flag',
  nullable: false,
  description:
    'true = the market of the underlying of a leg is closed (session in /funding): its index stands still, and the figures may jump when it opens; false where both are open or unknown',
};

/** An index that has not changed for this long stands still. Those of open markets change within seconds. */
const STILL_AFTER_MS = 15 * MINUTE_MS;
/** If fewer of a venue's indices of coins have changed meanwhile, its indices say nothing. */
const MOVING_SHARE = 0.5;

interface Count {
  all: number;
  moving: number;
}

/**
 * The sessions of contracts on other things than coins, by key: the venue's own flag, else whether the index moves. A
 * contract of which neither is known has none.
 */
export function sessionsOf(
  states: readonly Readonly<ContractState>[],
  identities: ReadonlyMap<string, Pick<Identity, 'assetClass'>>,
  nowMs: number,
): Map<string, Session> {
  const classOf = (state: ContractState): AssetClass =>
    identities.get(state.key)?.assetClass ?? state.contract.assetClass;
  const moves = movesOf(states, classOf, nowMs);
  const sessions = new Map<string, Session>();
  for (const state of states) {
    if (classOf(state) === 'crypto') continue;
    const { marketClosed, indexPrice } = state.figures ?? {};
    if (isFresh(marketClosed, nowMs)) sessions.set(state.key, marketClosed.value ? 'closed' : 'open');
    else if (isFresh(indexPrice, nowMs)) {
      const session = sessionOfIndex(indexPrice, moves(state.venue.slug));
      if (session) sessions.set(state.key, session);
    }
  }
  return sessions;
}

/**
 * After a rest one change is no opening, since a venue may correct an index in the night: the second one is. The first value
 * after a start proves nothing, so until it changes or has stood long enough the session is unknown.
 */
function sessionOfIndex(index: DatedIndex, areOthersMoving: boolean): Session | null {
  const { beforeStoodMs } = index;
  if (!isStill(index)) {
    if (beforeStoodMs === undefined) return null;
    if (beforeStoodMs < STILL_AFTER_MS) return 'open';
  }
  return areOthersMoving ? 'closed' : null;
}

/** Counted up to the last confirmation: while nothing is received nothing is known to stand still. */
function isStill({ sinceMs, atMs }: DatedIndex): boolean {
  return atMs - sinceMs >= STILL_AFTER_MS;
}

/** Whether the indices of coins move at a venue. Of one that has none, those of all venues are taken. */
function movesOf(
  states: readonly Readonly<ContractState>[],
  classOf: (state: ContractState) => AssetClass,
  nowMs: number,
): (slug: string) => boolean {
  const all: Count = { all: 0, moving: 0 };
  const counts = new Map<string, Count>();
  for (const state of states) {
    const index = state.figures?.indexPrice;
    if (!index || classOf(state) !== 'crypto') continue;
    const { slug } = state.venue;
    const own = counts.get(slug) ?? { all: 0, moving: 0 };
    counts.set(slug, own);
    // A venue whose indices of coins are missing now is not one without coins.
    if (!isFresh(index, nowMs)) continue;
    for (const count of [own, all]) {
      count.all++;
      if (!isStill(index)) count.moving++;
    }
  }
  return (slug) => {
    const { all: known, moving } = counts.get(slug) ?? all;
    return known > 0 && moving >= MOVING_SHARE * known;
  };
}
