import { cpus } from 'node:os';

/** One measured figure, always beside something that ran next to it. */
export interface BenchResult {
  name: string;
  value: number;
  unit: string;
  baseline: string;
  baseline_value: number;
  /** value over baseline_value: for rates the more the better, for times the less. */
  ratio: number;
  /** What the ratio must be, e.g. ">= 0.7"; null when the figure is only told. */
  target: string | null;
  ok: boolean;
}

export interface BenchCase {
  name: string;
  run(): Promise<BenchResult[]>;
}

export interface Measured {
  name: string;
  value: number;
  unit: string;
  baseline: string;
  baselineValue: number;
  target?: { at: 'least' | 'most'; ratio: number };
}

export function result(measured: Measured): BenchResult {
  const ratio = measured.value / measured.baselineValue;
  const { target } = measured;
  return {
    name: measured.name,
    value: rounded(measured.value),
    unit: measured.unit,
    baseline: measured.baseline,
    baseline_value: rounded(measured.baselineValue),
    ratio: rounded(ratio),
    target: target ? `${target.at === 'least' ? '>=' : '<='} ${target.ratio}` : null,
    ok: !target || (target.at === 'least' ? ratio >= target.ratio : ratio <= target.ratio),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Median milliseconds of one run of each function; the functions take turns, so that both see the same machine. */
export function timeTogether(functions: Record<string, () => unknown>, rounds = 30): Record<string, number> {
  const samples: Record<string, number[]> = {};
  for (const name of Object.keys(functions)) samples[name] = [];
  for (let round = 0; round < rounds + 5; round++) {
    for (const [name, run] of Object.entries(functions)) {
      const startedMs = performance.now();
      run();
      const tookMs = performance.now() - startedMs;
      // The first rounds only warm the compiler up.
      if (round >= 5) samples[name]?.push(tookMs);
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1] ?? 0]),
  );
}

/** Two cores: the measured process on one, the load on the other. */
export const HAS_TWO_CORES = cpus().length >= 2;
