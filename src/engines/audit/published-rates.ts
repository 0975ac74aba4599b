import { DAY_MS, MINUTE_MS, nextFullHourMs, SECOND_MS } from '../../base/times.ts';
import type { AuditedSettlement } from '../../history/audit/model.ts';
import { settlementMinute } from '../../history/settlements/times.ts';
import type { FrozenContract } from '../../market/freeze.ts';

/** What the audit reads of a published row. */
export type PublishedRow = Pick<
  FrozenContract,
  'key' | 'exchange' | 'venueSymbol' | 'ratePct' | 'intervalHours' | 'nextFundingAtMs'
>;

/** Called for each settlement that has passed, with the rate that was published for it. */
type OnPassed = (key: string, exchange: string, settlement: AuditedSettlement) => void;

const EARLIER_MS = MINUTE_MS;
/** Publications closer together than this share one place among those remembered: memory has a bound. */
const LEAST_APART_MS = 5 * SECOND_MS;
/** A rate published longer ago says what the market was like then: such a settlement is not audited. */
const OLDEST_RATE_MS = 10 * MINUTE_MS;
/** Venues state the same settlement with some seconds of difference. */
const SAME_SETTLEMENT_MS = 2 * MINUTE_MS;
const FORGET_AFTER_MS = DAY_MS;
const SPARE_SLOTS = 1000;

interface Publication {
  asOfMs: number;
  rates: Float64Array;
  nexts: Float64Array;
}

/**
 * Remembers per contract the last published rate before its next settlement, and the one of a minute earlier. Contracts
 * have numbered slots in typed arrays, so a publication makes no object per row.
 */
export class PublishedRates {
  readonly #slots = new Map<string, number>();
  readonly #names: { key: string; exchange: string; venueSymbol: string }[] = [];
  #freeSlots: number[] = [];
  /** Time of the settlement that the slot's rates are for; NaN: none. */
  #next = new Float64Array(0);
  #rate = new Float64Array(0);
  #rateAt = new Float64Array(0);
  #earlier = new Float64Array(0);
  #interval = new Float64Array(0);
  #isAccrual = new Uint8Array(0);
  #seenAt = new Float64Array(0);
  /** The publications of the last minute and a little more, oldest first. */
  #recent: Publication[] = [];

  /** Takes one publication; times must not go back. */
  observe(asOfMs: number, rows: readonly PublishedRow[], onPassed: OnPassed): void {
    this.#passed(asOfMs, onPassed);
    const earlier = this.#recent.findLast((one) => one.asOfMs <= asOfMs - EARLIER_MS);
    for (const row of rows) this.#take(asOfMs, row, earlier);
    this.#remember(asOfMs);
    if (this.#slots.size > 2 * rows.length + SPARE_SLOTS) this.#forget(asOfMs);
  }

  #passed(asOfMs: number, onPassed: OnPassed): void {
    for (let slot = 0; slot < this.#names.length; slot++) {
      const nextMs = this.#next[slot] as number;
      if (!(nextMs <= asOfMs)) continue;
      this.#next[slot] = Number.NaN;
      const rateAtMs = this.#rateAt[slot] as number;
      const name = this.#names[slot];
      if (!name || nextMs - rateAtMs > OLDEST_RATE_MS) continue;
      const [earlier, interval] = [this.#earlier[slot] as number, this.#interval[slot] as number];
      onPassed(name.key, name.exchange, {
        venueSymbol: name.venueSymbol,
        minute: settlementMinute(nextMs),
        publishedPct: this.#rate[slot] as number,
        publishedSecondsBefore: Math.round((nextMs - rateAtMs) / SECOND_MS),
        earlierPct: Number.isNaN(earlier) ? null : earlier,
        intervalHours: Number.isNaN(interval) ? null : interval,
        isAccrual: this.#isAccrual[slot] === 1,
        printPct: null,
        previousPrintPct: null,
        gapMinutes: null,
        delaySeconds: null,
      });
    }
  }

  #take(asOfMs: number, row: PublishedRow, earlier: Publication | undefined): void {
    const isAccrual = row.nextFundingAtMs === null && row.intervalHours !== null;
    const nextMs = isAccrual ? nextFullHourMs(asOfMs) : (row.nextFundingAtMs ?? Number.NaN);
    // Right after a settlement some venues still state the one that has passed.
    if (!(nextMs > asOfMs)) return;
    const slot = this.#slots.get(row.key) ?? this.#newSlot(row);
    if (!isSame(this.#next[slot] as number, nextMs)) this.#earlier[slot] = Number.NaN;
    if (earlier && isSame(earlier.nexts[slot] as number, nextMs))
      this.#earlier[slot] = earlier.rates[slot] as number;
    this.#next[slot] = nextMs;
    this.#rate[slot] = row.ratePct;
    this.#rateAt[slot] = asOfMs;
    this.#interval[slot] = row.intervalHours ?? Number.NaN;
    this.#isAccrual[slot] = isAccrual ? 1 : 0;
    this.#seenAt[slot] = asOfMs;
  }

  /** Keeps this publication for the next minute, in the arrays of one that is no longer needed. */
  #remember(asOfMs: number): void {
    const newest = this.#recent.at(-1);
    if (newest && asOfMs - newest.asOfMs < LEAST_APART_MS) return;
    // The newest one that is a minute old serves the next publication; those before it serve nobody.
    let unused: Publication | undefined;
    while ((this.#recent[1]?.asOfMs ?? Number.POSITIVE_INFINITY) <= asOfMs - EARLIER_MS)
      unused = this.#recent.shift();
    const size = this.#next.length;
    const copy =
      unused?.rates.length === size
        ? unused
        : { asOfMs: 0, rates: new Float64Array(size), nexts: new Float64Array(size) };
    copy.asOfMs = asOfMs;
    copy.rates.set(this.#rate);
    for (let slot = 0; slot < size; slot++)
      copy.nexts[slot] = this.#rateAt[slot] === asOfMs ? (this.#next[slot] as number) : Number.NaN;
    this.#recent.push(copy);
  }

  #newSlot({ key, exchange, venueSymbol }: PublishedRow): number {
    const slot = this.#freeSlots.pop() ?? this.#names.length;
    if (slot >= this.#next.length) this.#grow();
    this.#names[slot] = { key, exchange, venueSymbol };
    this.#slots.set(key, slot);
    this.#next[slot] = Number.NaN;
    this.#rateAt[slot] = Number.NaN;
    for (const { nexts } of this.#recent) if (slot < nexts.length) nexts[slot] = Number.NaN;
    return slot;
  }

  #grow(): void {
    const size = Math.max(1024, this.#next.length * 2);
    const grown = (before: Float64Array) => {
      const after = new Float64Array(size).fill(Number.NaN);
      after.set(before);
      return after;
    };
    this.#next = grown(this.#next);
    this.#rate = grown(this.#rate);
    this.#rateAt = grown(this.#rateAt);
    this.#earlier = grown(this.#earlier);
    this.#interval = grown(this.#interval);
    this.#seenAt = grown(this.#seenAt);
    const flags = new Uint8Array(size);
    flags.set(this.#isAccrual);
    this.#isAccrual = flags;
  }

  /** Gives the slots of contracts that have gone to new ones. */
  #forget(asOfMs: number): void {
    for (const [key, slot] of this.#slots) {
      if (asOfMs - (this.#seenAt[slot] as number) < FORGET_AFTER_MS) continue;
      this.#slots.delete(key);
      this.#next[slot] = Number.NaN;
      this.#freeSlots.push(slot);
    }
  }
}

function isSame(aMs: number, bMs: number): boolean {
  return Math.abs(aMs - bMs) <= SAME_SETTLEMENT_MS;
}
