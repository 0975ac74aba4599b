import { printable } from '../base/printable.ts';
import type { ChosenSides } from './counting/sides.ts';
import { BadReply } from './reading.ts';
import type { Venue } from './venue.ts';

/** The health of one poll or stream. */
export interface SourceHealth {
  name: string;
  lastGoodAtMs: number | null;
  failuresInARow: number;
  lastFailure: string | null;
}

export interface VenueHealth {
  exchange: string;
  slug: string;
  /** The venue has ended and is not called. */
  hasEnded?: true;
  /** The venue refuses callers from this address (HTTP 403 or 451) and is called seldom. */
  refusesAddress?: true;
  contracts: number;
  /** When any source of the venue last delivered good data. */
  lastGoodAtMs: number | null;
  sources: SourceHealth[];
  /** Rows skipped since the start, by reason. */
  rejected: Record<string, number>;
  ignored: Record<string, number>;
  callsPerMinute: number;
  /** Weight spent in the running window and in the last minute, with the limits of both. */
  budgets: {
    name: string;
    spent: number;
    capacity: number;
    windowSeconds: number;
    usedPerMinute: number;
    limitPerMinute: number;
  }[];
}

/** When a venue was last heard; pages ask for it far more often than for all of its health. */
export type VenueTimes = Pick<VenueHealth, 'exchange' | 'hasEnded' | 'lastGoodAtMs'>;

/** A venue's health with its quarantined values by reason, as operators see it. */
export interface VenueReport extends VenueHealth {
  quarantined: Record<string, number>;
  /** What the operator decided about the counts of the venue. */
  chosenSides?: ChosenSides;
}

/** The report of a venue before any process has reported on it. */
export function silentReport({ slug, facts }: Pick<Venue, 'slug' | 'facts'>): VenueReport {
  return {
    exchange: facts.exchange,
    slug,
    contracts: 0,
    lastGoodAtMs: null,
    sources: [],
    rejected: {},
    ignored: {},
    callsPerMinute: 0,
    budgets: [],
    quarantined: {},
  };
}

/** The cause of a failure, for logs, `venues check` and the start-up message. */
export function failureText(error: unknown): string {
  if (error instanceof BadReply) return printable(`unexpected reply: ${error.message}`);
  return printable(error instanceof Error ? error.message : String(error));
}

/**
 * True once every source of the venue has delivered rows that could be used or has failed, or the venue has ended. No
 * source but a contract list delivers before the lists: see Collector.
 */
export function hasSpoken(venue: VenueHealth): boolean {
  if (venue.hasEnded) return true;
  const isFailing = (source: SourceHealth) => source.failuresInARow > 0;
  if (venue.contracts === 0) return venue.sources.some(isFailing);
  return venue.sources.every((source) => source.lastGoodAtMs !== null || isFailing(source));
}
