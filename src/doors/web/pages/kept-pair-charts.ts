import type { PairName } from '../../../engines/backtest/pair-view.ts';
import type { SizeUsd } from '../../../history/samples/model.ts';
import type { AnswerRows } from '../../../operations/answer/answer.ts';
import type { Row } from '../visitor.ts';
import type { PairChart } from './backtest-pair.ts';

/** Prefetches the charts of pairs on a list that somebody sees: one of them may be clicked next. */
export type ForeseePairs = (pairs: readonly PairName[]) => void;

export interface KeptPairCharts {
  pairChart: PairChart;
  foreseePairs: ForeseePairs;
}

/** A chart of a week is 40 kB. */
const MOST_KEPT = 200;
const MOST_FORESEEN = 100;

/**
 * A page, its points and its Markdown twin ask for the same chart one after the other, and before them comes the list:
 * its charts are fetched ahead, so that a click waits for no other thread or process. `version` names the state that
 * charts are made from; null: there is none yet, and nothing is kept.
 */
export function keptPairCharts(chartOf: PairChart, version: () => number | null): KeptPairCharts {
  let keptVersion: number | null = null;
  const kept = new Map<string, ReturnType<PairChart>>();
  const foreseen = new Set<string>();

  const forgetOld = () => {
    const now = version();
    if (now !== keptVersion) {
      kept.clear();
      foreseen.clear();
    }
    if (kept.size >= MOST_KEPT) kept.clear();
    keptVersion = now;
  };

  const pairChart: PairChart = (name) => {
    forgetOld();
    const key = JSON.stringify(name);
    const known = kept.get(key);
    if (known) return known;
    const asked = chartOf(name);
    if (keptVersion === null) return asked;
    kept.set(key, asked);
    // What failed, or is not there yet, is asked for again.
    asked.then(
      (view) => view ?? kept.delete(key),
      () => kept.delete(key),
    );
    return asked;
  };

  const foreseePairs: ForeseePairs = (pairs) => {
    forgetOld();
    if (keptVersion === null) return;
    for (const pair of pairs) {
      const key = JSON.stringify(pair);
      if (foreseen.size >= MOST_FORESEEN) return;
      if (foreseen.has(key)) continue;
      foreseen.add(key);
      // Whoever asks for the page is told of a failure.
      pairChart(pair).catch(() => undefined);
    }
  };

  return { pairChart, foreseePairs };
}

export function pairOf(row: Row, sizeUsd: SizeUsd): PairName {
  const { coin, exchange_a: exchangeA, exchange_b: exchangeB } = row;
  return { coin: String(coin), exchangeA: String(exchangeA), exchangeB: String(exchangeB), sizeUsd };
}

/** The pairs of the rows of a backtest. */
export function pairsOf({ table, numbers }: AnswerRows, sizeUsd: SizeUsd): PairName[] {
  return numbers.map((row) => ({
    coin: table.text('coin', row),
    exchangeA: table.text('exchange_a', row),
    exchangeB: table.text('exchange_b', row),
    sizeUsd,
  }));
}
