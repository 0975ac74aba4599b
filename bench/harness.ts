import { cpus } from 'node:os';

/** One measured figure, always beside a baseline that was measured on the same machine at the same time. */
export interface BenchResult {
  name: string;
  value: number;
  unit: string;
  baseline: string;
  baseline_value: number;
  /** value / baseline_value. For rates higher is better, for times lower. */
  ratio: number;
  /** The required ratio, such as ">= 0.7"; null if the figure is only reported. */
  target: string | null;
  ok: boolean;
}

/** A file of bench/cases exports `cases`; run.ts finds them by itself. */
export interface BenchCase {
  /** What --only matches. */
  name: string;
  /** Keeps one core busy and compares CPU times or sizes: a quick run measures two such cases side by side. */
  isOneCore?: true;
  /** Of those, the ones that take long, so that they begin first. */
  quickSeconds?: number;
  /** Of those, the ones that wait for most of their time: another case uses the same core meanwhile. */
  isMostlyWaiting?: true;
  /** Measures CPU times of servers on one core, and its load leaves room on the other for one of those cases. */
  hasRoom?: true;
  /** Leaves data for another case of a quick run, so it runs before that. */
  leavesData?: true;
  run(): Promise<BenchResult[]>;
}

/** A figure before its ratio is computed. */
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

/** Median milliseconds of one run of each function. They take turns, so that load on the machine affects all alike. */
export function timeTogether(functions: Record<string, () => unknown>, rounds = 30): Record<string, number> {
  const samples: Record<string, number[]> = {};
  for (const name of Object.keys(functions)) samples[name] = [];
  for (let round = 0; round < rounds + 5; round++) {
    for (const [name, run] of Object.entries(functions)) {
      const startedMs = performance.now();
      run();
      const tookMs = performance.now() - startedMs;
      // The first rounds warm up the compiler.
      if (round >= 5) samples[name]?.push(tookMs);
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1] ?? 0]),
  );
}

/** With two cores, the measured process runs on one and the load generator on the other. */
export const HAS_TWO_CORES = cpus().length >= 2;
