import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { type SettlementSource, walkSettlements } from '../../history/settlements/fetching/walk.ts';
import { failureText } from '../../venues/health.ts';
import { LakeError, type LakeFile, type ManifestDay } from '../files/manifest.ts';
import { filePrints } from '../files/print-rows.ts';
import type { LakeStore } from '../files/store.ts';

interface Difference {
  venueSymbol: string;
  minute: number;
  /** Null: it is not in the lake. */
  oursPct: number | null;
  /** Null: the venue does not have it. */
  venuePct: number | null;
}

/** A sample of the prints of one venue beside what the venue itself answers now. */
export interface VenueComparison {
  exchange: string;
  compared: number;
  /** The contracts that the venue lists now. Prints of others cannot be compared. */
  listed: ReadonlySet<string>;
  differences: Difference[];
  /** Why nothing could be compared; null if something was. */
  reason: string | null;
}

/** Whether the lake says something that the venue does not. A print that only the venue has is fetched later. */
export function isContradicted({ differences }: VenueComparison): boolean {
  return differences.some(({ oursPct }) => oursPct !== null);
}

interface CompareOptions {
  store: LakeStore;
  days: readonly ManifestDay[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
  signal: AbortSignal;
}

/** A row can be known up to here: clocks differ by less than a day. */
export function latestKnownMs(clock: Pick<Clock, 'nowMs'>): number {
  return clock.nowMs() + DAY_MS;
}

/** The newest files, which every venue still has. */
const SAMPLE_DAYS = 3;
const CONTRACTS_PER_VENUE = 3;
/** Twenty thousand contracts that pay every hour have half as many. */
const MOST_SAMPLED = 3_000_000;
/** Rates that differ by less are the same: venues round differently in different calls. */
const SAME_PCT = 1e-9;

type Rates = Map<number, number>;

/** Compares a few contracts of each venue over the newest days. */
export class SampleComparison {
  readonly #options: CompareOptions;
  /** By venue and then by venue symbol; of the newest files. */
  readonly #sample = new Map<string, Map<string, Rates>>();
  #sampled = 0;
  readonly #fromMs: number;
  readonly #toMs: number;

  private constructor(options: CompareOptions, sampled: readonly ManifestDay[]) {
    this.#options = options;
    this.#fromMs = Date.parse(sampled[0]?.day ?? '');
    this.#toMs = Date.parse(sampled.at(-1)?.day ?? '') + DAY_MS - MINUTE_MS;
  }

  static async read(options: CompareOptions): Promise<SampleComparison> {
    const sampled = options.days.slice(-SAMPLE_DAYS);
    const comparison = new SampleComparison(options, sampled);
    for (const file of sampled.flatMap(({ files }) => files.filter(({ dataset }) => dataset === 'prints')))
      await comparison.#add(file);
    return comparison;
  }

  get exchanges(): string[] {
    return [...this.#sample.keys()].sort();
  }

  async compare(source: SettlementSource): Promise<VenueComparison> {
    const { exchange } = source.venue.facts;
    const listed = new Set(source.contracts.keys());
    const found: VenueComparison = { exchange, compared: 0, listed, differences: [], reason: null };
    const own = this.#sample.get(exchange) ?? new Map<string, Rates>();
    // By chance, so that nobody can know which prints are compared.
    const chosen = [...own]
      .filter(([venueSymbol]) => listed.has(venueSymbol))
      .map((contract) => ({ contract, place: Math.random() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, CONTRACTS_PER_VENUE)
      .map(({ contract }) => contract);
    if (chosen.length === 0) found.reason = 'the venue lists none of its contracts now';
    for (const [venueSymbol, ours] of chosen) {
      try {
        const theirs = await this.#fetched(source, venueSymbol);
        if (theirs.size > 0) compareRates(venueSymbol, ours, theirs, found);
        else found.reason = 'the venue has no prints of these days any more';
      } catch (error) {
        if (this.#options.signal.aborted) throw error;
        found.reason = `the venue did not answer: ${failureText(error)}`;
      }
    }
    if (found.compared > 0) found.reason = null;
    return found;
  }

  async #add(file: LakeFile): Promise<void> {
    const { store, clock } = this.#options;
    for await (const { names, minutes, ratesPct } of filePrints(store, file, latestKnownMs(clock))) {
      this.#sampled += minutes.length;
      if (this.#sampled > MOST_SAMPLED)
        throw new LakeError(`${file.path} has more prints than all venues have in ${SAMPLE_DAYS} days`);
      const venue = this.#sample.get(names.exchange) ?? new Map<string, Rates>();
      this.#sample.set(names.exchange, venue);
      const rates = venue.get(names.venueSymbol) ?? new Map<number, number>();
      venue.set(names.venueSymbol, rates);
      // A later file has the last word of a corrected print. Late prints of earlier days are not compared.
      for (const [i, minute] of minutes.entries())
        if (minute * MINUTE_MS >= this.#fromMs) rates.set(minute, ratesPct[i] as number);
    }
  }

  async #fetched(source: SettlementSource, venueSymbol: string): Promise<Rates> {
    const contract = source.contracts.get(venueSymbol);
    const rates: Rates = new Map();
    if (!contract) return rates;
    const window = { fromMs: this.#fromMs, toMs: this.#toMs };
    const walk = { ...this.#options, source, priority: PRIORITY.backfill };
    for await (const { prints } of walkSettlements(contract, window, walk))
      for (const { minute, ratePct } of prints)
        if (minute * MINUTE_MS >= this.#fromMs && minute * MINUTE_MS <= this.#toMs)
          rates.set(minute, ratePct);
    return rates;
  }
}

function compareRates(venueSymbol: string, ours: Rates, theirs: Rates, found: VenueComparison): void {
  for (const minute of new Set([...ours.keys(), ...theirs.keys()])) {
    const [oursPct, venuePct] = [ours.get(minute) ?? null, theirs.get(minute) ?? null];
    found.compared++;
    const isSame = oursPct !== null && venuePct !== null && Math.abs(oursPct - venuePct) <= SAME_PCT;
    if (!isSame) found.differences.push({ venueSymbol, minute, oursPct, venuePct });
  }
}
