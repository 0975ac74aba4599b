import type { Log } from '../../base/log.ts';
import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { ForecastStore } from '../../history/forecasts/store.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import type { Table } from '../../market/tables/table.ts';
import { encodeTable } from '../../market/tables/table-codec.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { absolutesOfLegs, featuresOfLegs } from '../arbitrage/forecast-cells.ts';
import type { HistoryLookup } from '../arbitrage/histories.ts';
import type { Pairs } from '../arbitrage/pairs.ts';
import { ArbitrageRows } from '../arbitrage/rows.ts';
import { DEFAULT_VIEW } from '../arbitrage/source.ts';
import { type ForecastModels, parseModels, SHIPPED } from './models.ts';
import { publishedContracts, publishedPairs } from './published.ts';
import { refit } from './refit.ts';
import { ForecastScorer } from './scorer.ts';

interface ForecastKeeperOptions {
  storage: Storage;
  sums: Pick<SettlementSums, 'printsAfter'>;
  engineLease: EngineLease;
  log: Log;
}

/** Forecasts of a day are made this long after midnight: the prints of midnight have arrived, and the figures of 30 days have them. */
const AFTER_MIDNIGHT_MS = 25 * MINUTE_MS;
/** Pairs are stored until the longest horizon is scored. */
const PAIRS_STORED_DAYS = 45;

/** A snapshot of the legs with their pairs and the figures of 30 days. */
export interface ForecastMarket {
  legs: Table;
  pairs: Pairs;
  histories: HistoryLookup;
  asOfMs: number;
}

/** Fits the weights of the forecasts once a day, stores what was published with them, and scores it when its time has come. */
export class ForecastKeeper {
  readonly #options: ForecastKeeperOptions;
  readonly #store: ForecastStore;
  readonly #scorer: ForecastScorer;
  #models: ForecastModels = SHIPPED;
  /** The day of the newest stored forecasts; null before it is read. */
  #day: number | null = null;

  constructor(options: ForecastKeeperOptions) {
    this.#options = options;
    this.#store = new ForecastStore(options.storage);
    this.#scorer = new ForecastScorer(this.#store, options.sums);
  }

  /** The models of the next snapshot. */
  get models(): ForecastModels {
    return this.#models;
  }

  /** Called once a minute, before the legs are published. A fault of the database leaves the models as they are. */
  async observe(market: ForecastMarket): Promise<void> {
    const { engineLease, log } = this.#options;
    const today = Math.floor(market.asOfMs / DAY_MS);
    try {
      if (!engineLease.isHeld()) return;
      this.#day ??= await this.#restore(today);
      // A day that lies ahead was dated by a wrong clock.
      if (this.#day !== today && market.asOfMs - today * DAY_MS >= AFTER_MIDNIGHT_MS)
        await this.#publish(market, today);
      else await this.#scorer.step(today - PAIRS_STORED_DAYS, market.asOfMs, () => engineLease.fence());
    } catch (error) {
      log.error({ err: error }, 'could not make or score the forecasts of a day');
    }
  }

  /** Continues with the newest stored models. */
  async #restore(today: number): Promise<number> {
    const stored = await this.#store.newest(today);
    this.#models = (stored && parsedOrNull(parseModels, jsonOf(stored.models))) ?? SHIPPED;
    return stored?.day ?? -1;
  }

  async #publish({ legs, pairs, histories, asOfMs }: ForecastMarket, today: number): Promise<void> {
    const { sums, engineLease, log } = this.#options;
    const startedMs = performance.now();
    const { codes, values } = legs.texts('contract');
    const keyOf = (leg: number | undefined) => values[codes[leg ?? 0] as number] as string;
    const names = Array.from(
      { length: pairs.count },
      (_, row) => [keyOf(pairs.long[row]), keyOf(pairs.short[row])] as const,
    );
    const models = await refit(
      { pairs: names, printsAfter: (key, timeMs) => sums.printsAfter(key, timeMs) },
      asOfMs,
    );
    const rows = new ArbitrageRows({ asOfMs, table: legs }, pairs, histories, models);
    const table = rows.table(DEFAULT_VIEW);
    const published = publishedPairs(
      {
        long: pairs.long,
        short: pairs.short,
        scalesPctDay: Float64Array.from({ length: pairs.count }, (_, row) => rows.scalePctDay(row)),
        costsPct: table.numbers('cost_pct_round_trip'),
        netAprsPct: table.numbers('net_apr_pct'),
      },
      table.numbers('expected_carry_30d_pct'),
    );
    // Without any forecast there is nothing to store yet: prints are still being fetched.
    if (published.rowCount === 0) return;
    await this.#store.save(
      {
        day: today,
        minute: Math.floor(asOfMs / MINUTE_MS),
        models: JSON.stringify(models),
        contracts: encodeTable(
          publishedContracts(legs, featuresOfLegs(legs, pairs.pctDay), absolutesOfLegs(legs)),
        ),
        pairs: encodeTable(published),
      },
      today - PAIRS_STORED_DAYS,
      engineLease.fence(),
    );
    this.#models = models;
    this.#day = today;
    const seconds = (performance.now() - startedMs) / 1000;
    log.info({ day: today, pairs: published.rowCount, seconds }, 'forecasts of the day are made');
  }
}
