import type { BacktestRule } from '../../src/engines/backtest/rule.ts';
import {
  type MinuteSample,
  PRICE_COLUMNS,
  type SampledContract,
  SIZES_USD,
} from '../../src/history/samples/model.ts';

interface NaiveWalk {
  exits: { minute: number; exitPct: number }[];
  open: { minute: number; entryPct: number; targetPct: number } | null;
  cycles: { minute: number; profitPct: number }[];
}

/** The naive way: an object per walk; every minute all windows are sorted and all rows built, sorted and serialised. */
export class NaiveBacktest {
  readonly #rule: BacktestRule;
  readonly #fees: Readonly<Record<string, number>>;
  readonly #contracts: readonly SampledContract[];
  readonly #walks = new Map<string, NaiveWalk>();

  constructor(
    rule: BacktestRule,
    fees: Readonly<Record<string, number>>,
    contracts: readonly SampledContract[],
  ) {
    this.#rule = rule;
    this.#fees = fees;
    this.#contracts = contracts;
  }

  /** Adds a minute and returns the whole answer as JSON. */
  advance(sample: MinuteSample): string {
    const places = new Map([...sample.ids].map((id, place) => [id, place]));
    const rows: Record<string, unknown>[] = [];
    for (const a of this.#contracts) {
      for (const b of this.#contracts) {
        if (a.coin !== b.coin || a.exchange >= b.exchange) continue;
        for (const [size, sizeUsd] of SIZES_USD.entries()) {
          const cycles = [
            ...this.#walk(sample, places, a, b, size),
            ...this.#walk(sample, places, b, a, size),
          ];
          if (cycles.length === 0) continue;
          const profits = cycles.map((cycle) => cycle.profitPct).sort((x, y) => x - y);
          rows.push({
            symbol: `${a.coin}-${a.quote}`,
            coin: a.coin,
            exchange_a: a.exchange,
            exchange_b: b.exchange,
            size_usd: sizeUsd,
            est_profit_pct: profits[profits.length >> 1],
            cycles: cycles.length,
          });
        }
      }
    }
    rows.sort((x, y) => Number(y.est_profit_pct) - Number(x.est_profit_pct));
    return JSON.stringify(rows);
  }

  #walk(
    sample: MinuteSample,
    places: ReadonlyMap<number, number>,
    long: SampledContract,
    short: SampledContract,
    size: number,
  ): NaiveWalk['cycles'] {
    const key = `${long.id} ${short.id} ${size}`;
    const walk = this.#walks.get(key) ?? { exits: [], open: null, cycles: [] };
    this.#walks.set(key, walk);
    const price = ({ id }: SampledContract, column: number) =>
      sample.prices[(places.get(id) ?? 0) * PRICE_COLUMNS + column] ?? Number.NaN;
    const { minute } = sample;
    const entryPct = (price(short, 3 + size) / price(long, size) - 1) * 100;
    const exitPct = (price(long, 3 + size) / price(short, size) - 1) * 100;
    const feePct = 2 * ((this.#fees[long.exchange] ?? 0) + (this.#fees[short.exchange] ?? 0));
    if (!Number.isNaN(exitPct)) walk.exits.push({ minute, exitPct });
    walk.exits = walk.exits.filter((exit) => exit.minute > minute - this.#rule.medianMinutes);
    walk.cycles = walk.cycles.filter((cycle) => cycle.minute > minute - this.#rule.windowMinutes);
    if (walk.open) {
      const isDue = exitPct >= walk.open.targetPct || minute - walk.open.minute >= this.#rule.limitMinutes;
      if (isDue) {
        walk.cycles.push({ minute, profitPct: walk.open.entryPct + exitPct - feePct });
        walk.open = null;
      }
    } else if (walk.exits.length >= this.#rule.medianMinimum) {
      const sorted = walk.exits.map((exit) => exit.exitPct).sort((x, y) => x - y);
      const targetPct = sorted[sorted.length >> 1] ?? 0;
      if (entryPct + targetPct - feePct >= this.#rule.leastProfitPct)
        walk.open = { minute, entryPct, targetPct };
    }
    return walk.cycles;
  }
}
