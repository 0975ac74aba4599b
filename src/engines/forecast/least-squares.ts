import { FEATURE_COUNT } from './model.ts';

/** Observations by column: `features` has FEATURE_COUNT numbers for each, the others one. All are percent a day. */
export interface FitRows {
  features: Float64Array;
  outcomes: Float64Array;
  /** In what errors are measured. */
  scales: Float64Array;
  /** How much each observation counts; less for older ones. */
  importances: Float64Array;
  count: number;
}

/** An error smaller than this share of the scale is weighted like one of this size. */
const SMALLEST_ERROR = 0.3;
const MOST_STEPS = 15;
const ENOUGH = 5e-4;

/**
 * Weights with the least mean absolute error, by repeated least squares in which each observation counts by the inverse of its last
 * error. Rates have rare extreme values, which would decide a plain fit. `shrinkage` is how strongly the weights are drawn to
 * `prior`, as a share of what the observations say.
 */
export function fitWeights(rows: FitRows, prior: readonly number[], shrinkage: number): number[] {
  let weights = [...prior];
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = weightedStep(rows, weights, prior, shrinkage);
    const moved = Math.max(...next.map((weight, k) => Math.abs(weight - (weights[k] as number))));
    weights = next;
    if (moved < ENOUGH) break;
  }
  return weights;
}

const N = FEATURE_COUNT;

/** One least-squares fit through the normal equations. */
function weightedStep(
  { features, outcomes, scales, importances, count }: FitRows,
  weights: readonly number[],
  prior: readonly number[],
  shrinkage: number,
): number[] {
  const normal = new Float64Array(N * N);
  const right = new Float64Array(N);
  for (let row = 0; row < count; row++) {
    const at = row * N;
    let expected = 0;
    for (let k = 0; k < N; k++) expected += (weights[k] as number) * (features[at + k] as number);
    const outcome = outcomes[row] as number;
    const importance =
      (importances[row] as number) /
      Math.max(Math.abs(outcome - expected), SMALLEST_ERROR * (scales[row] as number));
    for (let k = 0; k < N; k++) {
      const weighted = importance * (features[at + k] as number);
      right[k] = (right[k] as number) + weighted * outcome;
      for (let l = 0; l <= k; l++)
        normal[k * N + l] = (normal[k * N + l] as number) + weighted * (features[at + l] as number);
    }
  }
  const system = Array.from({ length: N }, (_, k) =>
    Array.from({ length: N }, (_, l) => normal[Math.max(k, l) * N + Math.min(k, l)] as number),
  );
  for (const [k, line] of system.entries()) {
    const pull = (line[k] as number) * shrinkage + Number.MIN_VALUE;
    line[k] = (line[k] as number) + pull;
    right[k] = (right[k] as number) + pull * (prior[k] as number);
  }
  return solve(system, [...right]) ?? [...prior];
}

/** Gaussian elimination with pivoting; null if the equations have no single solution. */
export function solve(system: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const size = right.length;
  const lines = system.map((line, k) => [...line, right[k] as number]);
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let l = k + 1; l < size; l++)
      if (Math.abs(cell(lines, l, k)) > Math.abs(cell(lines, pivot, k))) pivot = l;
    [lines[k], lines[pivot]] = [lines[pivot] as number[], lines[k] as number[]];
    if (!(Math.abs(cell(lines, k, k)) > 0)) return null;
    for (let l = 0; l < size; l++) {
      if (l === k) continue;
      const share = cell(lines, l, k) / cell(lines, k, k);
      for (let m = k; m <= size; m++)
        (lines[l] as number[])[m] = cell(lines, l, m) - share * cell(lines, k, m);
    }
  }
  const solved = lines.map((line, k) => (line[size] as number) / (line[k] as number));
  return solved.every(Number.isFinite) ? solved : null;
}

function cell(lines: readonly (readonly number[])[], line: number, column: number): number {
  return lines[line]?.[column] as number;
}
