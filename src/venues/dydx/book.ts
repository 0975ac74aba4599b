import { decimalOrNull } from '../../base/numbers.ts';
import { isRow } from '../reading.ts';

interface Level {
  size: number;
  /** The message that set the level. The venue does not number its updates, so arrival is the order. */
  order: number;
}

type Side = Map<number, Level>;

/** One market's book, built from a snapshot and the changes after it. */
export class LiveBook {
  readonly #bids: Side = new Map();
  readonly #asks: Side = new Map();

  /** Levels come as { price, size } in a snapshot and as [price, size] in a change; size 0 removes. */
  apply(contents: unknown, order: number): void {
    if (!isRow(contents)) return;
    for (const [side, levels] of [
      [this.#bids, contents.bids],
      [this.#asks, contents.asks],
    ] as const) {
      for (const level of Array.isArray(levels) ? (levels as unknown[]) : []) {
        const [rawPrice, rawSize] = Array.isArray(level)
          ? (level as unknown[])
          : isRow(level)
            ? [level.price, level.size]
            : [];
        const price = decimalOrNull(rawPrice);
        const size = decimalOrNull(rawSize);
        if (price === null || size === null) continue;
        if (size > 0) side.set(price, { size, order });
        else side.delete(price);
      }
    }
  }

  /**
   * The best level of each side. The chain has no single book, so updates of two nodes may cross: then the older of the
   * two levels is outdated (https://docs.dydx.trade/guides/how_to_uncross_orderbook). Two levels of one message are both
   * kept, because neither is older.
   */
  top(): { bidPrice: number; bidSize: number; askPrice: number; askSize: number } | null {
    for (;;) {
      const bidPrice = Math.max(...this.#bids.keys());
      const askPrice = Math.min(...this.#asks.keys());
      const bid = this.#bids.get(bidPrice);
      const ask = this.#asks.get(askPrice);
      if (!bid || !ask) return null;
      if (bidPrice < askPrice || bid.order === ask.order) {
        return { bidPrice, bidSize: bid.size, askPrice, askSize: ask.size };
      }
      if (bid.order < ask.order) this.#bids.delete(bidPrice);
      else this.#asks.delete(askPrice);
    }
  }
}
