import type { BacktestRule } from '../../src/engines/backtest/rule.ts';
import { type MinuteSample, PRICE_COLUMNS, type SampledContract } from '../../src/history/samples/model.ts';

/**
 * The rule of the backtest, written for clarity: it computes every figure from the samples and keeps only the open cycle
 * from minute to minute. Slow; tests compare the engine with it.
 */
export interface ReferenceInput {
  rule: BacktestRule;
  contracts: readonly SampledContract[];
  takerFeesPct: Readonly<Record<string, number>>;
  samples: readonly MinuteSample[];
}

export interface ReferenceRow {
  symbol: string;
  coin: string;
  exchange_a: string;
  exchange_b: string;
  est_profit_pct: number;
  avg_profit_pct: number;
  fee_pct_cycle: number;
  spread_range_pct: number;
  cycles: number;
  confidence: number;
  last_cycle_at: number;
  taker_fee_a_pct: number;
  taker_fee_b_pct: number;
  long_a_cycles: number;
}

interface ReferenceCycle {
  openMinute: number;
  closeMinute: number;
  entryPct: number;
  /** m at the opening: the exit that closes the cycle before the limit does. */
  targetPct: number;
  exitPct: number;
  profitPct: number;
}

const QUOTE_ORDER = ['USDT', 'USDC', 'USD', 'USDE', 'USDH', 'FDUSD'];

/** Rows of one size after the last sample. */
export function referenceRows(input: ReferenceInput, size: 0 | 1 | 2): ReferenceRow[] {
  const rows: ReferenceRow[] = [];
  for (const [a, b] of chosenPairs(input)) {
    const longA = cyclesOf(input, a, b, size);
    const cycles = [...longA, ...cyclesOf(input, b, a, size)];
    const now = lastMinute(input);
    const counted = cycles
      .map((cycle, i) => ({ ...cycle, i }))
      .filter((cycle) => cycle.closeMinute > now - input.rule.windowMinutes)
      .sort((x, y) => x.closeMinute - y.closeMinute || x.i - y.i);
    if (counted.length === 0) continue;
    const profits = counted.map((cycle) => cycle.profitPct);
    const feePct = feeOf(input, a, b);
    const { coverage, rangePct } = windowOf(input, a, b, size);
    const wins = profits.filter((profit) => profit > 0).length / profits.length;
    const range = quantile(profits, 0.75) - quantile(profits, 0.25);
    const dispersion = range === 0 ? 0 : range / Math.max(Math.abs(quantile(profits, 0.5)), feePct);
    const n = profits.length;
    rows.push({
      symbol: `${a.coin}-${a.quote === b.quote ? a.quote : 'USD'}`,
      coin: a.coin,
      exchange_a: a.exchange,
      exchange_b: b.exchange,
      est_profit_pct: eight(quantile(profits, 0.5)),
      avg_profit_pct: eight(profits.reduce((sum, profit) => sum + profit, 0) / n),
      fee_pct_cycle: eight(feePct),
      spread_range_pct: eight(rangePct),
      cycles: n,
      confidence: Math.round(100 * coverage * wins * (n / (n + 5)) * (1 / (1 + dispersion))),
      last_cycle_at: Math.max(...counted.map((cycle) => cycle.closeMinute)) * 60_000,
      taker_fee_a_pct: takerFeeOf(input, a),
      taker_fee_b_pct: takerFeeOf(input, b),
      long_a_cycles: counted.filter(({ i }) => i < longA.length).length,
    });
  }
  return rows.sort((x, y) => (nameOf(x) < nameOf(y) ? -1 : 1));
}

/** Cycles of one direction: long on `long`, short on `short`. */
export function cyclesOf(
  input: ReferenceInput,
  long: SampledContract,
  short: SampledContract,
  size: number,
): ReferenceCycle[] {
  const { rule, samples } = input;
  const feePct = feeOf(input, long, short);
  const entryAt = (sample: MinuteSample) => percent(sell(sample, short, size), buy(sample, long, size));
  const exitAt = (sample: MinuteSample) => percent(sell(sample, long, size), buy(sample, short, size));
  const priced = samples.map((sample) => ({
    minute: sample.minute,
    entry: entryAt(sample),
    exit: exitAt(sample),
  }));
  const cycles: ReferenceCycle[] = [];
  let open: { minute: number; entry: number; target: number } | null = null;
  for (const [i, { minute: t, entry, exit }] of priced.entries()) {
    if (open) {
      if (exit === null) continue;
      if (exit >= open.target || t - open.minute >= rule.limitMinutes) {
        cycles.push({
          openMinute: open.minute,
          closeMinute: t,
          entryPct: open.entry,
          targetPct: open.target,
          exitPct: exit,
          profitPct: open.entry + exit - feePct,
        });
        open = null;
      }
      continue;
    }
    if (entry === null) continue;
    const exits: number[] = [];
    for (let back = i; back >= 0; back--) {
      const other = priced[back];
      if (!other || other.minute <= t - rule.medianMinutes) break;
      if (other.exit !== null) exits.push(other.exit);
    }
    if (exits.length < rule.medianMinimum) continue;
    const m = median(exits);
    if (entry + m - feePct >= rule.leastProfitPct) open = { minute: t, entry, target: m };
  }
  return cycles;
}

/** One pair of contracts per coin and two venues: the same quote first, then the more common dollar quote. */
function chosenPairs(input: ReferenceInput): [SampledContract, SampledContract][] {
  const chosen = new Map<string, [SampledContract, SampledContract]>();
  const seen = input.contracts.filter((contract) =>
    input.samples.some((sample) => sample.ids.includes(contract.id)),
  );
  const preference = ([a, b]: [SampledContract, SampledContract]) =>
    [
      a.quote === b.quote ? 0 : 1,
      QUOTE_ORDER.indexOf(a.quote),
      a.venueSymbol,
      QUOTE_ORDER.indexOf(b.quote),
      b.venueSymbol,
    ].join(' ');
  for (const a of seen) {
    for (const b of seen) {
      if (a.coin !== b.coin || a.exchange >= b.exchange) continue;
      const key = `${a.coin} ${a.exchange} ${b.exchange}`;
      const best = chosen.get(key);
      if (!best || preference([a, b]) < preference(best)) chosen.set(key, [a, b]);
    }
  }
  return [...chosen.values()];
}

/** Coverage and spread range over the window up to the last full hour. */
function windowOf(input: ReferenceInput, a: SampledContract, b: SampledContract, size: number) {
  const { windowMinutes, rangeStepMinutes } = input.rule;
  const to = Math.floor(lastMinute(input) / rangeStepMinutes) * rangeStepMinutes;
  const inWindow = input.samples.filter(
    (sample) => sample.minute >= to - windowMinutes && sample.minute < to,
  );
  const isCovered = (sample: MinuteSample) =>
    [a, b].every((leg) => buy(sample, leg, size) !== null && sell(sample, leg, size) !== null);
  const spreads = inWindow
    .map((sample) => {
      const [midA, midB] = [midOf(sample, a), midOf(sample, b)];
      return midA === null || midB === null ? null : ((midB - midA) / midA) * 100;
    })
    .filter((spread) => spread !== null);
  return {
    coverage: inWindow.filter(isCovered).length / windowMinutes,
    rangePct: spreads.length === 0 ? 0 : quantile(spreads, 0.95) - quantile(spreads, 0.05),
  };
}

/** Half-way between buying and selling 25 USD, in the precision that samples have. */
function midOf(sample: MinuteSample, leg: SampledContract): number | null {
  const [bought, sold] = [buy(sample, leg, 0), sell(sample, leg, 0)];
  return bought === null || sold === null ? null : Math.fround((bought + sold) / 2);
}

function buy(sample: MinuteSample, leg: SampledContract, size: number): number | null {
  return priceOf(sample, leg, size);
}

function sell(sample: MinuteSample, leg: SampledContract, size: number): number | null {
  return priceOf(sample, leg, PRICE_COLUMNS / 2 + size);
}

function priceOf(sample: MinuteSample, leg: SampledContract, column: number): number | null {
  const place = sample.ids.indexOf(leg.id);
  const price = place < 0 ? Number.NaN : (sample.prices[place * PRICE_COLUMNS + column] ?? Number.NaN);
  return Number.isNaN(price) ? null : price;
}

function percent(received: number | null, paid: number | null): number | null {
  return received === null || paid === null ? null : ((received - paid) / paid) * 100;
}

function feeOf(input: ReferenceInput, a: SampledContract, b: SampledContract): number {
  const [first, second] = a.exchange < b.exchange ? [a, b] : [b, a];
  return 2 * (takerFeeOf(input, first) + takerFeeOf(input, second));
}

function takerFeeOf({ takerFeesPct }: ReferenceInput, leg: SampledContract): number {
  return leg.takerFeePct ?? takerFeesPct[leg.exchange] ?? 0;
}

function lastMinute({ samples }: ReferenceInput): number {
  return samples.at(-1)?.minute ?? 0;
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  const rank = share * (sorted.length - 1);
  const below = Math.floor(rank);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? 0;
  return low + (high - low) * (rank - below);
}

function eight(value: number): number {
  return Number(value.toFixed(8)) + 0;
}

export function nameOf(row: { coin: string; exchange_a: string; exchange_b: string }): string {
  return `${row.coin} ${row.exchange_a} ${row.exchange_b}`;
}
