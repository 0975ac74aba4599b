import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { storedPct } from '../../history/audit/codec.ts';
import {
  AUDIT_DAYS,
  type AuditedSettlement,
  dayOf,
  MINUTES_PER_DAY,
  settlementKey,
} from '../../history/audit/model.ts';
import type { FoundPrint } from '../../history/settlements/recent-prints.ts';
import { PublishedRates, type PublishedRow } from './published-rates.ts';
import { EVIDENCE_DAYS, VenueEvidence } from './verdict.ts';
import { type Place, VenueWindows } from './windows.ts';

/** The print of a contract (`exchange/venueSymbol`) that is at most so many minutes from the given one. */
type FindPrint = (key: string, minute: number, toleranceMinutes: number) => FoundPrint | null;

/** Venues' clocks and prints differ by seconds; settlements are an hour apart or more. */
const PRINT_TOLERANCE_MINUTES = 2;
/** A print that has not come after this long is not waited for any more; it stays missing. */
const GIVE_UP_AFTER_MINUTES = 2 * MINUTES_PER_DAY;

interface Pending {
  settlement: AuditedSettlement;
  place: Place;
}

interface VenueAudit {
  windows: VenueWindows;
  evidence: VenueEvidence;
  /** Settlements that are new or have got their print since they were last saved. */
  unsaved: AuditedSettlement[];
  /** Contracts and minutes held, of the last hours only: a replayed publication must not add a settlement again. */
  recentKeys: Map<string, number>;
}

const RECENT_MINUTES = 120;

/** Compares what was published with what was settled. Pure: the caller passes publications, prints and the time. */
export class Auditor {
  readonly #rates = new PublishedRates();
  readonly #venues = new Map<string, VenueAudit>();
  /** By contract, oldest first. */
  readonly #pending = new Map<string, Pending[]>();
  readonly #findPrint: FindPrint;
  readonly #onCompared: (exchange: string) => void;

  constructor(findPrint: FindPrint, onCompared: (exchange: string) => void = () => {}) {
    this.#findPrint = findPrint;
    this.#onCompared = onCompared;
  }

  get exchanges(): string[] {
    return [...this.#venues.keys()];
  }

  /** Settlements whose print is waited for. */
  get pendingCount(): number {
    let count = 0;
    for (const list of this.#pending.values()) count += list.length;
    return count;
  }

  /** Takes what was published at the given time. `knownAtMs` null: in the past, so delays cannot be told. */
  observe(asOfMs: number, rows: readonly PublishedRow[], knownAtMs: number | null): void {
    this.#rates.observe(asOfMs, rows, (key, exchange, settlement) => {
      const venue = this.#venue(exchange);
      const isHeld = venue.recentKeys.has(settlementKey(settlement));
      if (isHeld) return;
      const rounded: AuditedSettlement = {
        ...settlement,
        publishedPct: storedPct(settlement.publishedPct),
        earlierPct: settlement.earlierPct === null ? null : storedPct(settlement.earlierPct),
      };
      venue.unsaved.push(rounded);
      this.#hold(key, venue, rounded);
      this.#settle(key, exchange, knownAtMs);
    });
  }

  /** Prints of the contract were stored. */
  printsChanged(key: string, nowMs: number): void {
    if (this.#pending.has(key)) this.#settle(key, key.slice(0, key.indexOf('/')), nowMs);
  }

  /** Takes over stored settlements of a venue: the last days first, oldest first, then what is older. */
  restore(exchange: string, settlements: readonly AuditedSettlement[], nowMs: number): void {
    const venue = this.#venue(exchange);
    const nowMinute = nowMs / MINUTE_MS;
    for (const settlement of settlements.toSorted((a, b) => a.minute - b.minute)) {
      const isOpen = settlement.printPct === null && settlement.minute > nowMinute - GIVE_UP_AFTER_MINUTES;
      if (isOpen) this.#hold(`${exchange}/${settlement.venueSymbol}`, venue, settlement);
      else {
        venue.windows.add(settlement);
        if (settlement.minute > nowMinute - EVIDENCE_DAYS * MINUTES_PER_DAY) venue.evidence.add(settlement);
        if (settlement.minute > nowMinute - RECENT_MINUTES)
          venue.recentKeys.set(settlementKey(settlement), settlement.minute);
      }
    }
  }

  /** Looks for the prints of everything that waits: after a start they may be there already. */
  settleRestored(): void {
    for (const key of [...this.#pending.keys()]) this.#settle(key, key.slice(0, key.indexOf('/')), null);
  }

  windows(exchange: string): VenueWindows {
    return this.#venue(exchange).windows;
  }

  evidence(exchange: string): VenueEvidence {
    return this.#venue(exchange).evidence;
  }

  /** What has to be saved, by venue; given back with `putBack` if that fails. */
  takeUnsaved(): Map<string, AuditedSettlement[]> {
    const taken = new Map<string, AuditedSettlement[]>();
    for (const [exchange, venue] of this.#venues) {
      if (venue.unsaved.length > 0) taken.set(exchange, venue.unsaved);
      venue.unsaved = [];
    }
    return taken;
  }

  /** Beyond `most` the oldest are dropped; returns how many. */
  putBack(exchange: string, settlements: readonly AuditedSettlement[], most: number): number {
    const venue = this.#venue(exchange);
    const all = [...settlements, ...venue.unsaved];
    venue.unsaved = all.slice(-most);
    return all.length - venue.unsaved.length;
  }

  /** Drops what no window needs any more. */
  forgetOld(nowMs: number): void {
    const nowMinute = Math.floor(nowMs / MINUTE_MS);
    for (const venue of this.#venues.values()) {
      venue.windows.forgetBefore(dayOf(nowMinute) - AUDIT_DAYS);
      venue.evidence.forgetBefore(nowMinute - GIVE_UP_AFTER_MINUTES);
      for (const [key, minute] of venue.recentKeys)
        if (minute < nowMinute - RECENT_MINUTES) venue.recentKeys.delete(key);
    }
    for (const [key, list] of this.#pending) {
      const waiting = list.filter(({ settlement }) => settlement.minute > nowMinute - GIVE_UP_AFTER_MINUTES);
      if (waiting.length === 0) this.#pending.delete(key);
      else if (waiting.length < list.length) this.#pending.set(key, waiting);
    }
  }

  #hold(key: string, venue: VenueAudit, settlement: AuditedSettlement): void {
    venue.recentKeys.set(settlementKey(settlement), settlement.minute);
    const list = this.#pending.get(key) ?? [];
    list.push({ settlement, place: venue.windows.add(settlement) });
    this.#pending.set(key, list);
  }

  #settle(key: string, exchange: string, knownAtMs: number | null): void {
    const list = this.#pending.get(key) ?? [];
    const venue = this.#venue(exchange);
    const waiting = list.filter(({ settlement, place }) => {
      const print = this.#findPrint(key, settlement.minute, PRINT_TOLERANCE_MINUTES);
      if (!print) return true;
      const settledAtMs = settlement.minute * MINUTE_MS;
      const compared: AuditedSettlement = {
        ...settlement,
        printPct: storedPct(print.ratePct),
        previousPrintPct: print.previousRatePct === null ? null : storedPct(print.previousRatePct),
        gapMinutes: print.gapMinutes,
        delaySeconds:
          knownAtMs === null ? null : Math.max(0, Math.round((knownAtMs - settledAtMs) / SECOND_MS)),
      };
      venue.windows.fill(place, compared);
      venue.evidence.add(compared);
      venue.unsaved.push(compared);
      this.#onCompared(exchange);
      return false;
    });
    if (waiting.length === 0) this.#pending.delete(key);
    else this.#pending.set(key, waiting);
  }

  #venue(exchange: string): VenueAudit {
    let venue = this.#venues.get(exchange);
    if (!venue) {
      venue = {
        windows: new VenueWindows(),
        evidence: new VenueEvidence(),
        unsaved: [],
        recentKeys: new Map(),
      };
      this.#venues.set(exchange, venue);
    }
    return venue;
  }
}
