import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '../../../base/times.ts';
import type { SettlementSums } from '../../../history/settlements/sums.ts';
import type { FrozenContract, FrozenMarket } from '../../../market/freeze.ts';
import type { Venue } from '../../../venues/venue.ts';
import type { Notices } from '../notices.ts';
import { type ContractPrints, commonRates, hasEqualDay } from './day-prints.ts';

interface MirrorsOptions {
  notices: Notices;
  sums: Pick<SettlementSums, 'printsAfter'>;
  venues: readonly Venue[];
}

/** One venue with what it is compared by. */
interface VenueDay {
  exchange: string;
  volume24hUsdt: number;
  /** By coin, quote and kind. */
  contracts: ReadonlyMap<string, ContractPrints>;
  common: ReadonlySet<number>;
}

interface Comparison {
  /** Contracts of which both venues have enough prints. */
  judged: number;
  equal: number;
}

/** Prints come once an hour at most. */
const EVERY_MS = 10 * MINUTE_MS;
/** The day that ends with the newest print of both, which may be most of a day old. */
const READ_MS = 2 * DAY_MS;
const LEAST_CONTRACTS = 10;
/** A copy begins at the first share and ends below the second. */
const BEGINS_SHARE = 0.6;
const ENDS_SHARE = 0.5;

/**
 * Finds venues whose settled rates equal those of another venue to the digit. What is found is a notice, so it is stored with the
 * report; while too little is known, a notice stays as it is.
 */
export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #stated: ReadonlyMap<string, string>;
  #judgedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: MirrorsOptions) {
    this.#options = options;
    this.#stated = new Map(
      options.venues.flatMap(({ facts: { exchange, copyOf } }) => (copyOf ? [[exchange, copyOf]] : [])),
    );
  }

  /** The venues that copy, with the one that each copies. */
  get all(): ReadonlyMap<string, string> {
    const copies = this.#options.notices.all.filter(({ kind }) => kind === 'mirrors');
    return new Map(copies.flatMap(({ exchange, of }) => (of === undefined ? [] : [[exchange, of]])));
  }

  /** Compares all venues, every ten minutes. Works in parts: all of it takes most of a second with 12,000 contracts. */
  async judge({ contracts, asOfMs }: Pick<FrozenMarket, 'contracts' | 'asOfMs'>): Promise<void> {
    // A clock that was set back does not stop it.
    if (Math.abs(asOfMs - this.#judgedAtMs) < EVERY_MS) return;
    this.#judgedAtMs = asOfMs;
    const known = this.all;
    const venues: VenueDay[] = [];
    for (const [exchange, own] of Map.groupBy(contracts, (contract) => contract.exchange)) {
      venues.push(this.#dayOf(exchange, own, asOfMs));
      await afterPendingEvents();
    }
    venues.sort((a, b) => b.volume24hUsdt - a.volume24hUsdt);
    for (const venue of venues) {
      await afterPendingEvents();
      // The most traded first, which of several originals is the one to name; a copy is none.
      const found = venues.find((other) => !known.has(other.exchange) && this.#isCopy(venue, other, known));
      const held = known.get(venue.exchange);
      const of = found?.exchange ?? held;
      if (of === undefined) continue;
      const other = venues.find(({ exchange }) => exchange === of);
      const { judged, equal } = other ? compare(venue, other) : { judged: 0, equal: 0 };
      if (judged < LEAST_CONTRACTS) continue;
      const evidence = `${equal} of ${judged} contracts`;
      this.#options.notices.set(
        { exchange: venue.exchange, kind: 'mirrors', field: 'last_rate_pct', of, evidence },
        found !== undefined,
        asOfMs,
      );
    }
  }

  #dayOf(exchange: string, own: readonly FrozenContract[], asOfMs: number): VenueDay {
    const days = new Map<string, ContractPrints>();
    let volume24hUsdt = 0;
    for (const contract of own) {
      volume24hUsdt += contract.volume24hUsdt;
      const name = `${contract.coin} ${contract.quote} ${contract.isInverse}`;
      const prints = this.#options.sums.printsAfter(contract.key, asOfMs - READ_MS);
      if (!contract.isPriceOutlier && prints) days.set(name, prints);
    }
    return { exchange, volume24hUsdt, contracts: days, common: commonRates([...days.values()]) };
  }

  /** Whether the first venue has the rates of the second and is the copy of the two. */
  #isCopy(venue: VenueDay, other: VenueDay, known: ReadonlyMap<string, string>): boolean {
    if (venue === other || !this.#isCopyOfTwo(venue, other, known)) return false;
    const { judged, equal } = compare(venue, other);
    const share = known.get(venue.exchange) === other.exchange ? ENDS_SHARE : BEGINS_SHARE;
    return judged >= LEAST_CONTRACTS && equal >= share * judged;
  }

  /** What the facts state, then what was found before, then the volume. */
  #isCopyOfTwo(venue: VenueDay, other: VenueDay, known: ReadonlyMap<string, string>): boolean {
    for (const copies of [this.#stated, known]) {
      if (copies.get(venue.exchange) === other.exchange) return true;
      if (copies.get(other.exchange) === venue.exchange) return false;
    }
    return venue.volume24hUsdt < other.volume24hUsdt;
  }
}

function compare(a: VenueDay, b: VenueDay): Comparison {
  const [fewer, more] = a.contracts.size <= b.contracts.size ? [a, b] : [b, a];
  const isCommon = (ratePct: number) => a.common.has(ratePct) || b.common.has(ratePct);
  const found = { judged: 0, equal: 0 };
  for (const [name, prints] of fewer.contracts) {
    const others = more.contracts.get(name);
    const isEqual = others ? hasEqualDay(prints, others, isCommon) : null;
    if (isEqual === null) continue;
    found.judged++;
    if (isEqual) found.equal++;
  }
  return found;
}
