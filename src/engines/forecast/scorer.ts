import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { ForecastStore, StoredForecastDay } from '../../history/forecasts/store.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import { DAY_MINUTES } from '../../history/settlements/times.ts';
import type { Table } from '../../market/tables/table.ts';
import { decodeTable } from '../../market/tables/table-codec.ts';
import type { Fence } from '../../storage/fences.ts';
import { LEAST_COVERAGE, type SettledPrints } from '../arbitrage/hours.ts';
import { type DayScore, scoreDay } from './day-score.ts';
import { HORIZONS_DAYS } from './model.ts';
import { parseModels } from './models.ts';
import { FORECAST_CONTRACTS_TABLE, FORECAST_PAIRS_TABLE, PublishedDay } from './published.ts';

/** A forecast is scored once, this long after its horizon has ended, so that late prints count. */
const LATE_PRINT_MINUTES = (12 * HOUR_MS) / MINUTE_MS;
/** Where nothing was due, it is looked up again after so long. */
const LOOK_EVERY_MS = HOUR_MS;

/** Scores stored forecasts once their horizon has ended. */
export class ForecastScorer {
  readonly #store: ForecastStore;
  readonly #sums: Pick<SettlementSums, 'printsAfter'>;
  #idleUntilMs = 0;

  constructor(store: ForecastStore, sums: Pick<SettlementSums, 'printsAfter'>) {
    this.#store = store;
    this.#sums = sums;
  }

  /** Scores one day and horizon that is due, if there is one. */
  async step(fromDay: number, asOfMs: number, fence: () => Fence | null): Promise<void> {
    if (asOfMs < this.#idleUntilMs && this.#idleUntilMs - asOfMs <= LOOK_EVERY_MS) return;
    const nowMinute = Math.floor(asOfMs / MINUTE_MS);
    for (const [day, { minute, scored }] of await this.#store.scoredHorizons(fromDay))
      for (const days of HORIZONS_DAYS) {
        if (scored.has(days) || nowMinute < minute + days * DAY_MINUTES + LATE_PRINT_MINUTES) continue;
        const stored = await this.#store.load(day);
        const score = stored && this.#scoreOf(stored, days);
        // Stored even if it cannot be read, so that the next one gets its turn.
        await this.#store.saveScore(
          { day, days, scored_minute: nowMinute, score: JSON.stringify(score ?? null) },
          fence(),
        );
        return;
      }
    this.#idleUntilMs = asOfMs + LOOK_EVERY_MS;
  }

  #scoreOf(stored: StoredForecastDay, days: number): DayScore | null {
    const models = parsedOrNull(parseModels, jsonOf(stored.models));
    const model = models?.pairs.find((one) => one.days === days);
    const orderModel = models?.pairs.at(-1);
    const contracts = decodeTable(stored.contracts, FORECAST_CONTRACTS_TABLE);
    const pairs = stored.pairs && decodeTable(stored.pairs, FORECAST_PAIRS_TABLE);
    if (!model || !orderModel || !contracts || !pairs) return null;
    const published = new PublishedDay(contracts, pairs);
    return scoreDay({ published, model, orderModel }, this.#earned(contracts, stored.minute, days));
  }

  #earned(contracts: Table, minute: number, days: number): Float64Array {
    return Float64Array.from({ length: contracts.rowCount }, (_, row) => {
      const prints = this.#sums.printsAfter(contracts.text('contract', row), minute * MINUTE_MS);
      return prints ? earnedPct(prints, minute, days) : Number.NaN;
    });
  }
}

/** What settled in the days after a minute; NaN under 95 % coverage. */
export function earnedPct(prints: SettledPrints, minute: number, days: number): number {
  const end = minute + days * DAY_MINUTES;
  let [sum, covered] = [0, 0];
  for (let i = 0; i < prints.minutes.length; i++) {
    const settled = prints.minutes[i] as number;
    if (settled <= minute) continue;
    if (settled > end) break;
    sum += prints.ratesPct[i] as number;
    covered += prints.intervalMinutes[i] as number;
  }
  return covered < days * DAY_MINUTES * LEAST_COVERAGE ? Number.NaN : sum;
}
