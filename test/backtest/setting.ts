import { Backtest } from '../../src/engines/backtest/engine.ts';
import { BacktestRows } from '../../src/engines/backtest/rows.ts';
import { type BacktestRule, usualRule } from '../../src/engines/backtest/rule.ts';
import {
  type MinuteSample,
  PRICE_COLUMNS,
  type SampledContract,
  SIZES_USD,
  type SizeUsd,
} from '../../src/history/samples/model.ts';
import { nameOf, type ReferenceInput, type ReferenceRow } from './reference.ts';

/** Minutes instead of days: a median over 40 with at least 6 values, a window of 150. */
export const SHORT_RULE: BacktestRule = {
  windowMinutes: 150,
  medianMinutes: 40,
  medianMinimum: 6,
  limitMinutes: 25,
  leastProfitPct: 0.05,
  rangeStepMinutes: 10,
};

export const START_MINUTE = 29_400_000;

export function contractsOf(names: readonly [exchange: string, coin: string, quote: string][]) {
  return names.map(
    ([exchange, coin, quote], i): SampledContract => ({
      id: i + 1,
      exchange,
      venueSymbol: `${coin}${quote}`,
      coin,
      quote,
    }),
  );
}

/** A minute from prices by contract number: either all six, or one bid and ask for every size. */
export function minute(
  atMinute: number,
  prices: Readonly<Record<number, readonly number[]>>,
  volumeUsdt = 1_000_000,
): MinuteSample {
  const ids = Object.keys(prices).map(Number);
  const sample: MinuteSample = {
    minute: atMinute,
    ids: Uint32Array.from(ids),
    prices: new Float32Array(ids.length * PRICE_COLUMNS),
    volumesUsdt: new Float32Array(ids.length).fill(volumeUsdt),
  };
  for (const [place, id] of ids.entries()) {
    const given = prices[id] ?? [];
    const [bid = Number.NaN, ask = Number.NaN] = given;
    const six = given.length === PRICE_COLUMNS ? given : [ask, ask, ask, bid, bid, bid];
    sample.prices.set(six, place * PRICE_COLUMNS);
  }
  return sample;
}

export function engineOf(input: Omit<ReferenceInput, 'samples'>): Backtest {
  return new Backtest({
    rule: input.rule,
    takerFeesPct: input.takerFeesPct,
    contractOf: (id) => input.contracts.find((contract) => contract.id === id),
  });
}

export function walked(input: ReferenceInput): Backtest {
  const engine = engineOf(input);
  for (const sample of input.samples) engine.advance(sample);
  return engine;
}

type EngineRow = ReferenceRow & { volume_a_usdt: number; volume_b_usdt: number };

export function rowsOfEngine(engine: Backtest, sizeUsd: SizeUsd): EngineRow[] {
  const table = new BacktestRows(engine).table(sizeUsd);
  return Array.from({ length: table.rowCount }, (_, row) => {
    const json = JSON.parse(table.rowJson(row)) as EngineRow & { last_cycle_at: unknown };
    return { ...json, last_cycle_at: Date.parse(String(json.last_cycle_at)) };
  }).sort((x, y) => (nameOf(x) < nameOf(y) ? -1 : 1));
}

/** Rows without the volumes, which are not part of the rule. */
export function ruleRows(engine: Backtest, sizeUsd: SizeUsd): ReferenceRow[] {
  return rowsOfEngine(engine, sizeUsd).map(({ volume_a_usdt, volume_b_usdt, ...row }) => row);
}

export { SIZES_USD, usualRule };
