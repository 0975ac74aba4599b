import { BadReply } from './reading.ts';
import type { Venue } from './venue.ts';

/** How one poll or stream of a venue is doing. */
export interface SourceHealth {
  name: string;
  lastGoodAtMs: number | null;
  failuresInARow: number;
  lastFailure: string | null;
}

export interface VenueHealth {
  exchange: string;
  slug: string;
  contracts: number;
  /** When any data of the venue last came in good order. */
  lastGoodAtMs: number | null;
  sources: SourceHealth[];
  /** Rows skipped since the start, by reason. */
  rejected: Record<string, number>;
  ignored: Record<string, number>;
  callsPerMinute: number;
  /** Weight spent in the running window and in the last minute, beside what we allow ourselves. */
  budgets: {
    name: string;
    spent: number;
    capacity: number;
    windowSeconds: number;
    usedPerMinute: number;
    limitPerMinute: number;
  }[];
}

/** A venue's health with what the market kept out of its good rows, by reason: what operators see. */
export interface VenueReport extends VenueHealth {
  quarantined: Record<string, number>;
}

/** Of a venue about which nobody has said anything yet. */
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

/** The cause of a failure in words for logs, `venues check` and the start-up message. */
export function failureText(error: unknown): string {
  if (error instanceof BadReply) return `unexpected reply: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Every source of the venue has given data once, or is known to fail; without a contract list none can. */
export function hasSpoken(venue: VenueHealth): boolean {
  const isFailing = (source: SourceHealth) => source.failuresInARow > 0;
  if (venue.contracts === 0) return venue.sources.some(isFailing);
  return venue.sources.every((source) => source.lastGoodAtMs !== null || isFailing(source));
}
