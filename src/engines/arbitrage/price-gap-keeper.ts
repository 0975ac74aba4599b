import type { Log } from '../../base/log.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import type { Table } from '../../market/tables/table.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import { loadGapDay, saveGapDay } from '../../storage/price-gap-days.ts';
import type { Storage } from '../../storage/storage.ts';
import { PRICE_MAX_AGE_MS } from '../depth/quote-ages.ts';
import type { Pairs } from './pairs.ts';
import { GAP_DAYS, type GapRange, PRICE_GAPS_TABLE, PriceGapBook } from './price-gaps.ts';

/** A day is stored this often, and when the service stops. A kill loses what moved in between. */
const SAVE_EVERY_MS = HOUR_MS;

interface PriceGapKeeperOptions {
  storage: Storage;
  engineLease: EngineLease;
  log: Log;
}

/** Keeps how far the price gap of each pair has moved in 30 days: a low and a high per pair and day. */
export class PriceGapKeeper {
  readonly #options: PriceGapKeeperOptions;
  #book: PriceGapBook | null = null;
  #savedAtMs = 0;

  constructor(options: PriceGapKeeperOptions) {
    this.#options = options;
  }

  /** Adds the gaps of this moment; called once a minute. A fault of the database leaves the ranges as they are. */
  async observe(legs: Table, pairs: Pairs, asOfMs: number): Promise<void> {
    try {
      const day = Math.floor(asOfMs / DAY_MS);
      if (this.#book?.day !== day) {
        // A day that lies ahead was dated by a wrong clock.
        if (this.#book && this.#book.day < day) await this.save();
        this.#book = await this.#load(day);
        this.#savedAtMs = asOfMs;
      }
      this.#book.observe(legs, pairs, asOfMs, PRICE_MAX_AGE_MS);
      if (asOfMs - this.#savedAtMs < SAVE_EVERY_MS) return;
      await this.save();
      this.#savedAtMs = asOfMs;
    } catch (error) {
      this.#options.log.error({ err: error }, 'could not keep the ranges of price gaps');
    }
  }

  /** Of long A and short B; null if the pair was never seen. */
  rangeOf(a: string, b: string): GapRange | null {
    return this.#book?.rangeOf(a, b) ?? null;
  }

  async save(): Promise<void> {
    const { storage, engineLease } = this.#options;
    const book = this.#book;
    if (!book || book.today.size === 0 || !engineLease.isHeld()) return;
    const frame = encodeTable(book.today.table());
    await saveGapDay(storage, { day: book.day, frame }, book.day - GAP_DAYS + 1, engineLease.fence());
  }

  async #load(day: number): Promise<PriceGapBook> {
    const book = new PriceGapBook(day);
    for (let past = day - GAP_DAYS + 1; past <= day; past++) {
      const table = await this.#loadDay(past);
      if (table) (past === day ? book.today : book.earlier).includeTable(table);
    }
    return book;
  }

  async #loadDay(day: number): Promise<Table | null> {
    const { storage, log } = this.#options;
    const frame = await loadGapDay(storage, day);
    if (!frame) return null;
    try {
      return decodeTable(frame, PRICE_GAPS_TABLE);
    } catch (error) {
      log.warn({ err: error, day }, 'the price gaps of a day are damaged and left out');
      return null;
    }
  }
}
