import { LRUCache } from 'lru-cache';
import type { PairName, PairView } from '../../../../engines/backtest/pair-view.ts';
import type { SizeUsd } from '../../../../history/samples/model.ts';
import type { AnswerRows } from '../../../../operations/answer/answer.ts';

/** Reads the spread and the cycles of a pair from the backtest; null while no backtest runs. */
export type PairChart = (name: PairName) => Promise<PairView | null>;

/** Loads the charts of pairs on a list that is being shown: one of them may be clicked next. */
export type PrefetchPairs = (pairs: readonly PairName[]) => void;

interface PairChartCache {
  pairChart: PairChart;
  prefetchPairs: PrefetchPairs;
}

/** A chart of a week is 40 kB. */
const MAX_CHARTS = 200;
const MAX_PREFETCHED = 100;

/**
 * Caches charts. A page, its points and its Markdown file request the same chart one after the other, and the list
 * before them prefetches it, so a click does not wait for another thread or process. `version` identifies the backtest
 * that charts are made from; null: there is none yet, and nothing is cached.
 */
export function pairChartCache(load: PairChart, version: () => number | null): PairChartCache {
  let cachedVersion: number | null = null;
  const charts = new LRUCache<string, ReturnType<PairChart>>({ max: MAX_CHARTS });
  const prefetched = new Set<string>();

  const dropOld = () => {
    const current = version();
    if (current !== cachedVersion) {
      charts.clear();
      prefetched.clear();
    }
    cachedVersion = current;
  };

  const pairChart: PairChart = (name) => {
    dropOld();
    const key = JSON.stringify(name);
    const cached = charts.get(key);
    if (cached) return cached;
    const loading = load(name);
    if (cachedVersion === null) return loading;
    charts.set(key, loading);
    // A failure, or a chart that does not exist yet, is not cached.
    loading.then(
      (view) => view ?? charts.delete(key),
      () => charts.delete(key),
    );
    return loading;
  };

  const prefetchPairs: PrefetchPairs = (pairs) => {
    dropOld();
    if (cachedVersion === null) return;
    for (const pair of pairs) {
      const key = JSON.stringify(pair);
      if (prefetched.size >= MAX_PREFETCHED) return;
      if (prefetched.has(key)) continue;
      prefetched.add(key);
      // A request for the page tries again and reports the failure.
      pairChart(pair).catch(() => undefined);
    }
  };

  return { pairChart, prefetchPairs };
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
