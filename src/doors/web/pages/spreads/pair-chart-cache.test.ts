import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PairName, PairView } from '../../../../engines/backtest/pair-view.ts';
import { pairChartCache } from './pair-chart-cache.ts';

const NAME: PairName = { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 };
const VIEW: PairView = { fromMinute: 1, spreadsPct: new Float32Array([0.5]), cycles: [], recent: [] };
const pairOn = (coin: string): PairName => ({ ...NAME, coin });

/** A cache, and the loads that it makes. */
function recordingCache(answer: (name: PairName) => Promise<PairView | null> = async () => VIEW) {
  const loads: PairName[] = [];
  const state: { version: number | null } = { version: 1 };
  const charts = pairChartCache(
    (name) => {
      loads.push(name);
      return answer(name);
    },
    () => state.version,
  );
  return { ...charts, loads, state };
}

suite('cache of pair charts', () => {
  test('a chart is loaded once in each version', async () => {
    const { pairChart, loads, state } = recordingCache();
    assert.equal(await pairChart(NAME), VIEW);
    assert.equal(await pairChart({ ...NAME }), VIEW);
    assert.equal(loads.length, 1);
    await pairChart({ ...NAME, sizeUsd: 500 });
    assert.equal(loads.length, 2);
    state.version = 2;
    await pairChart(NAME);
    assert.equal(loads.length, 3);
  });

  test('without a version nothing is cached or prefetched', async () => {
    const { pairChart, prefetchPairs, loads, state } = recordingCache();
    state.version = null;
    prefetchPairs([pairOn('BTC')]);
    assert.equal(loads.length, 0);
    await pairChart(NAME);
    await pairChart(NAME);
    assert.equal(loads.length, 2);
  });

  test('a failure, or a chart that does not exist yet, is loaded again', async () => {
    const answers = [Promise.reject(new Error('unavailable')), Promise.resolve(null), Promise.resolve(VIEW)];
    const { pairChart } = recordingCache(() => answers.shift() ?? Promise.resolve(null));
    await assert.rejects(pairChart(NAME), /unavailable/);
    assert.equal(await pairChart(NAME), null);
    assert.equal(await pairChart(NAME), VIEW);
  });

  test('the chart of a row that was shown is loaded before it is requested', async () => {
    const { pairChart, prefetchPairs, loads } = recordingCache();
    prefetchPairs([pairOn('BTC'), pairOn('ETH')]);
    prefetchPairs([pairOn('BTC'), pairOn('ETH')]);
    assert.deepEqual(loads, [NAME, { ...NAME, coin: 'ETH' }]);
    assert.equal(await pairChart(NAME), VIEW);
    assert.equal(loads.length, 2);
  });

  test('however many rows are shown, the number of prefetched charts is limited', () => {
    const { prefetchPairs, loads, state } = recordingCache();
    const pairs = Array.from({ length: 1000 }, (_, i) => pairOn(`COIN${i}`));
    prefetchPairs(pairs);
    assert.equal(loads.length, 100);
    prefetchPairs(pairs.map((pair) => ({ ...pair, sizeUsd: 500 })));
    assert.equal(loads.length, 100);
    state.version = 2;
    prefetchPairs(pairs.slice(0, 3));
    assert.equal(loads.length, 103);
  });

  test('a failed prefetch is no unhandled rejection', async () => {
    const { pairChart, prefetchPairs, loads } = recordingCache(() =>
      Promise.reject(new Error('unavailable')),
    );
    prefetchPairs([pairOn('BTC')]);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(pairChart(NAME), /unavailable/);
    assert.equal(loads.length, 2);
  });
});
