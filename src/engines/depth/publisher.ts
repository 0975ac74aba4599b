import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS } from '../../base/times.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import { type QuotedMid, usdtPerQuote } from '../../market/quote-conversion.ts';
import type { Table } from '../../market/tables/table.ts';
import type { CostHistory } from './cost-history.ts';
import { depthTable, hasDepth } from './table.ts';

/** Publishes what the books of all contracts hold, once a minute: most books are not fetched more often. */
export class DepthPublisher {
  readonly #writer: FrameWriter;
  readonly #history: Pick<CostHistory, 'observe' | 'dayOf'>;
  #usdtPerQuote: ReadonlyMap<string, number> = new Map();
  #minute = Number.NEGATIVE_INFINITY;

  constructor(writer: FrameWriter, history: Pick<CostHistory, 'observe' | 'dayOf'>) {
    this.#writer = writer;
    this.#history = history;
  }

  /** Publishes the curves of a snapshot of the market, if it is the first of its minute. */
  async publish(market: FrozenMarket): Promise<void> {
    const minute = Math.floor(market.asOfMs / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#usdtPerQuote = usdtPerQuote(midsOf(market), this.#usdtPerQuote);
    const table = depthTable(market, this.#usdtPerQuote, (contract) => this.#history.dayOf(contract));
    if (table.rowCount === 0) return await this.#publishFirst(market.asOfMs, table);
    this.#minute = minute;
    // Building and encoding 9,000 rows take about a tenth of a second each.
    await nextTurn();
    await this.#writer.publish(market.asOfMs, table);
    await nextTurn();
    await this.#history.observe(market, this.#usdtPerQuote);
  }

  /** Before the first book an empty list is the answer, unless an earlier process has stored a better one. */
  async #publishFirst(asOfMs: number, empty: Table): Promise<void> {
    if (this.#writer.newestAsOfMs === null) await this.#writer.publish(asOfMs, empty);
  }
}

function* midsOf({ contracts, curves }: FrozenMarket): Iterable<QuotedMid> {
  for (const contract of contracts) {
    const mid = curves.get(contract.key)?.curve.mid;
    if (mid === undefined || contract.isPriceOutlier || !hasDepth(contract)) continue;
    const { exchange, coin, quote, multiplier } = contract;
    yield { exchange, coin, quote, mid: mid / multiplier };
  }
}
