import { decimalOrNull } from '../../base/numbers.ts';
import { isRow } from '../reading.ts';
import { BookSide } from './book-side.ts';

/** One market's book, built from a snapshot and the changes after it. */
export class LiveBook {
  readonly #bids = new BookSide();
  readonly #asks = new BookSide();

  /**
   * Levels come as { price, size } in a snapshot and as [price, size] in a change; size 0 removes. The venue does not number
   * its updates, so their order is that in which messages arrive.
   */
  apply(contents: unknown, order: number): void {
    if (!isRow(contents)) return;
    this.#applySide(this.#bids, contents.bids, order);
    this.#applySide(this.#asks, contents.asks, order);
  }

  #applySide(side: BookSide, levels: unknown, order: number): void {
    if (!Array.isArray(levels)) return;
    for (const level of levels as unknown[]) {
      const isPair = Array.isArray(level);
      if (!isPair && !isRow(level)) continue;
      const price = decimalOrNull(isPair ? level[0] : level.price);
      const size = decimalOrNull(isPair ? level[1] : level.size);
      if (price === null || size === null) continue;
      if (size > 0) side.set(price, size, order);
      else side.delete(price);
    }
  }

  /**
   * The best level of each side. The chain has no single book, so updates of two nodes may cross: then the older of the
   * two levels is outdated (https://docs.dydx.trade/guides/how_to_uncross_orderbook). Two levels of one message are both
   * kept, because neither is older.
   */
  top(): { bidPrice: number; bidSize: number; askPrice: number; askSize: number } | null {
    for (;;) {
      const bid = this.#bids.highest();
      const ask = this.#asks.lowest();
      if (!bid || !ask) return null;
      if (bid.price < ask.price || bid.order === ask.order) {
        return { bidPrice: bid.price, bidSize: bid.size, askPrice: ask.price, askSize: ask.size };
      }
      if (bid.order < ask.order) this.#bids.delete(bid.price);
      else this.#asks.delete(ask.price);
    }
  }
}
