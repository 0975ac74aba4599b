import { HOUR_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { figuresAt } from '../../market/figures.ts';
import { isLive } from '../../market/freeze.ts';
import { ROW_MAX_AGE_MS } from '../../market/interval.ts';

interface Row {
  exchange: string;
  ratePct: number;
  volume24hUsdt: number | null;
  markPrice: number | null;
  indexPrice: number | null;
  openInterestUsdt: number | null;
  /** Since when all of them are the same. */
  sinceMs: number;
}

/** The mark or index price of a coin changes every few seconds. */
const STILL_AFTER_MS = 6 * HOUR_MS;
/** If fewer of a venue's rows have moved lately, it is the venue that stands still: its rows leave by their age. */
const MOVING_SHARE = 0.8;
const MOVED_WITHIN_MS = HOUR_MS;

/**
 * Finds rows in which nothing changes while the other rows of the venue move. It is needed where the next settlement
 * is not stated but known, as at venues that settle every hour: there a row that stands still never names a past one.
 */
export class StillRows {
  #rows = new Map<string, Row>();

  /** The keys of the rows that stand still. Call it with every snapshot. */
  find(states: readonly ContractState[], nowMs: number): Set<string> {
    const rows = new Map<string, Row>();
    for (const state of states) {
      const row = rowOf(state, nowMs);
      if (!row) continue;
      const known = this.#rows.get(state.key);
      rows.set(state.key, known && isSame(known, row) ? known : row);
    }
    this.#rows = rows;
    const counts = new Map<string, { all: number; moving: number }>();
    for (const { exchange, sinceMs } of rows.values()) {
      const count = counts.get(exchange) ?? { all: 0, moving: 0 };
      counts.set(exchange, count);
      count.all++;
      if (nowMs - sinceMs <= MOVED_WITHIN_MS) count.moving++;
    }
    const still = new Set<string>();
    for (const [key, { exchange, sinceMs }] of rows) {
      const { all, moving } = counts.get(exchange) ?? { all: 0, moving: 0 };
      if (nowMs - sinceMs >= STILL_AFTER_MS && moving >= MOVING_SHARE * all) still.add(key);
    }
    return still;
  }
}

/** Null: the row cannot be judged. Stocks and commodities have closing hours; without a mark or index price a thin row rests. */
function rowOf(state: ContractState, nowMs: number): Row | null {
  const { ratePct, volume24hUsdt, contract, venue, rateReceivedAtMs } = state;
  if (ratePct === null || contract.assetClass !== 'crypto' || !isLive(state)) return null;
  if (nowMs - rateReceivedAtMs > ROW_MAX_AGE_MS) return null;
  const figures = figuresAt(state.figures, volume24hUsdt, nowMs);
  if (figures.markPrice === null && figures.indexPrice === null) return null;
  return { exchange: venue.facts.exchange, ratePct, volume24hUsdt, ...figures, sinceMs: nowMs };
}

function isSame(a: Row, b: Row): boolean {
  return (
    a.ratePct === b.ratePct &&
    a.markPrice === b.markPrice &&
    a.indexPrice === b.indexPrice &&
    a.volume24hUsdt === b.volume24hUsdt &&
    a.openInterestUsdt === b.openInterestUsdt
  );
}
