import type { Metrics } from '../../base/metrics.ts';
import { hasEnded } from '../ended.ts';
import type { SourceHealth, VenueHealth } from '../health.ts';
import type { Batch } from '../observations.ts';
import type { Venue } from '../venue.ts';
import type { VenueCaller } from './caller.ts';

/** The health of a venue's polls and streams, and the rows that were not used since the start, by reason. */
export class HealthRecord {
  readonly #venue: Venue;
  readonly #metrics: Metrics;
  readonly #sources = new Map<string, SourceHealth>();
  readonly #rejected = new Map<string, number>();
  readonly #ignored = new Map<string, number>();

  constructor(venue: Venue, metrics: Metrics) {
    this.#venue = venue;
    this.#metrics = metrics;
  }

  /** The record of one poll or stream, which its runner updates. */
  source(name: string): SourceHealth {
    let source = this.#sources.get(name);
    if (!source) {
      source = { name, lastGoodAtMs: null, failuresInARow: 0, lastFailure: null };
      this.#sources.set(name, source);
    }
    return source;
  }

  /** When any source last delivered good data. */
  get lastGoodAtMs(): number | null {
    let newestMs: number | null = null;
    for (const { lastGoodAtMs } of this.#sources.values())
      if (lastGoodAtMs !== null && (newestMs === null || lastGoodAtMs > newestMs)) newestMs = lastGoodAtMs;
    return newestMs;
  }

  resetSources(): void {
    for (const source of this.#sources.values())
      Object.assign(source, { lastGoodAtMs: null, failuresInARow: 0, lastFailure: null });
  }

  countRows({ rejected, ignored }: Batch): void {
    const { slug } = this.#venue;
    for (const { reason } of rejected) {
      this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
      this.#metrics.venueRowsRejected.inc({ venue: slug, reason });
    }
    for (const [reason, count] of ignored) {
      this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + count);
      this.#metrics.venueRowsIgnored.inc({ venue: slug, reason }, count);
    }
  }

  report(caller: VenueCaller, contracts: number, nowMs: number): VenueHealth {
    const { facts, slug, polls, streams } = this.#venue;
    const sources = [...polls, ...streams].map((source) => this.source(source.name));
    return {
      exchange: facts.exchange,
      slug,
      ...(hasEnded(facts, nowMs) ? { hasEnded: true } : {}),
      ...(caller.refusals.refusesAll ? { refusesAddress: true } : {}),
      contracts,
      lastGoodAtMs: this.lastGoodAtMs,
      sources: sources.map((source) => ({ ...source })),
      rejected: Object.fromEntries(this.#rejected),
      ignored: Object.fromEntries(this.#ignored),
      callsPerMinute: caller.callsPerMinute,
      budgets: [...caller.budgets].map(([name, budget]) => ({
        name,
        spent: budget.spentWeight(),
        capacity: budget.capacity,
        windowSeconds: budget.windowSeconds,
        usedPerMinute: caller.weightPerMinute(name).used,
        limitPerMinute: caller.weightPerMinute(name).limit,
      })),
    };
  }
}
