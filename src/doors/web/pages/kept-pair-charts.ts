import type { PairChart } from './backtest-pair.ts';

const MOST_KEPT = 100;

/**
 * A page, its points and its Markdown twin ask for the same chart one after the other. `version` names the state that
 * charts are made from; null: there is none yet, and nothing is kept.
 */
export function keptPairCharts(pairChart: PairChart, version: () => number | null): PairChart {
  let keptVersion: number | null = null;
  const kept = new Map<string, ReturnType<PairChart>>();
  return (name) => {
    const now = version();
    if (now !== keptVersion || kept.size >= MOST_KEPT) kept.clear();
    keptVersion = now;
    const key = JSON.stringify(name);
    const known = kept.get(key);
    if (known) return known;
    const asked = pairChart(name);
    if (now === null) return asked;
    kept.set(key, asked);
    // What failed, or is not there yet, is asked for again.
    asked.then(
      (view) => view ?? kept.delete(key),
      () => kept.delete(key),
    );
    return asked;
  };
}
