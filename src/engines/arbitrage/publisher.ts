import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import type { Table } from '../../market/tables/table.ts';
import { encodeTable } from '../../market/tables/table-codec.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { ForecastKeeper } from '../forecast/keeper.ts';
import { modelsTable } from '../forecast/models.ts';
import type { SettledFigures } from '../funding/table.ts';
import { HistoryLookup } from './histories.ts';
import { PairHistoryBook } from './history-book.ts';
import { STORED_HOURS } from './hours.ts';
import { MarketLegs } from './legs.ts';
import { PairMaker } from './pairs.ts';
import { PriceGapKeeper } from './price-gap-keeper.ts';

interface ArbitragePublisherOptions {
  storage: Storage;
  sums: Pick<SettlementSums, 'versionOf' | 'printsAfter'>;
  writers: { arbitrageLegs: FrameWriter; arbitrageHistories: FrameWriter; forecastModels: FrameWriter };
  engineLease: EngineLease;
  log: Log;
  metrics: Metrics;
}

/** Computes the legs of the arbitrage rows with each snapshot. Rows are computed from them where they are read. */
export class ArbitragePublisher {
  readonly #options: ArbitragePublisherOptions;
  readonly #gaps: PriceGapKeeper;
  readonly #forecasts: ForecastKeeper;
  readonly #legs = new MarketLegs();
  readonly #maker = new PairMaker();
  readonly #histories = new PairHistoryBook();
  #lastHistories: { table: Table; frame: Uint8Array; minute: number } | null = null;

  constructor(options: ArbitragePublisherOptions) {
    this.#options = options;
    this.#gaps = new PriceGapKeeper(options);
    this.#forecasts = new ForecastKeeper(options);
  }

  async stop(): Promise<void> {
    try {
      await this.#gaps.save();
    } catch (error) {
      this.#options.log.error({ err: error }, 'could not store the ranges of price gaps');
    }
  }

  /** Publishes the legs of a snapshot of the market that was just published, and once a minute the 30-day figures. */
  async publish(
    market: FrozenMarket,
    settled: ReadonlyMap<string, SettledFigures>,
    mirrors: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { writers, metrics } = this.#options;
    const { asOfMs } = market;
    const startedMs = performance.now();
    const legs = this.#legs.of(market, settled, mirrors);
    metrics.arbitrageSeconds.observe((performance.now() - startedMs) / 1000);
    if (legs.rowCount === 0) return;
    const minute = Math.floor(asOfMs / MINUTE_MS);
    // Published before the legs that they belong to, so that every process computes the same rows from both.
    if (this.#lastHistories?.minute !== minute) await this.#publishHistories(legs, asOfMs);
    await writers.arbitrageLegs.publish(asOfMs, legs);
  }

  async #publishHistories(legs: Table, asOfMs: number): Promise<void> {
    const { sums, writers, metrics } = this.#options;
    const startedMs = performance.now();
    const source = {
      versionOf: (key: string) => sums.versionOf(key),
      printsOf: (key: string) => sums.printsAfter(key, asOfMs - (STORED_HOURS + 48) * HOUR_MS),
      gapOf: (keyA: string, keyB: string) => this.#gaps.rangeOf(keyA, keyB),
    };
    const pairs = this.#maker.pairsOf(legs);
    await this.#gaps.observe(legs, pairs, asOfMs);
    const changed = this.#histories.refresh(legs, pairs, source, asOfMs);
    const last = this.#lastHistories;
    const table = changed ?? last?.table;
    if (!table) return;
    const frame = changed || !last ? encodeTable(table) : last.frame;
    this.#lastHistories = { table, frame, minute: Math.floor(asOfMs / MINUTE_MS) };
    metrics.arbitrageHistorySeconds.observe((performance.now() - startedMs) / 1000);
    await writers.arbitrageHistories.publishEncoded(asOfMs, frame);
    await this.#forecasts.observe({ legs, pairs, histories: HistoryLookup.of(table), asOfMs });
    await writers.forecastModels.publish(asOfMs, modelsTable(this.#forecasts.models));
  }
}
