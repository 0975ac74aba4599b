import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PairName, PairView } from '../../../engines/backtest/pair-view.ts';
import { keptPairCharts } from './kept-pair-charts.ts';

const NAME: PairName = { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 };
const VIEW: PairView = { fromMinute: 1, spreadsPct: new Float32Array([0.5]), cycles: [] };
const pairOn = (coin: string): PairName => ({ ...NAME, coin });

/** Charts that write down what they are asked for. */
function noted(answer: (name: PairName) => Promise<PairView | null> = async () => VIEW) {
  const asked: PairName[] = [];
  const state: { version: number | null } = { version: 1 };
  const charts = keptPairCharts(
    (name) => {
      asked.push(name);
      return answer(name);
    },
    () => state.version,
  );
  return { ...charts, asked, state };
}

suite('kept charts of pairs', () => {
  test('a chart is asked for once in each version', async () => {
    const { pairChart, asked, state } = noted();
    assert.equal(await pairChart(NAME), VIEW);
    assert.equal(await pairChart({ ...NAME }), VIEW);
    assert.equal(asked.length, 1);
    await pairChart({ ...NAME, sizeUsd: 500 });
    assert.equal(asked.length, 2);
    state.version = 2;
    await pairChart(NAME);
    assert.equal(asked.length, 3);
  });

  test('without a version nothing is kept or fetched ahead', async () => {
    const { pairChart, foreseePairs, asked, state } = noted();
    state.version = null;
    foreseePairs([pairOn('BTC')]);
    assert.equal(asked.length, 0);
    await pairChart(NAME);
    await pairChart(NAME);
    assert.equal(asked.length, 2);
  });

  test('what failed or was not there yet is asked for again', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(null), Promise.resolve(VIEW)];
    const { pairChart } = noted(() => answers.shift() ?? Promise.resolve(null));
    await assert.rejects(pairChart(NAME), /away/);
    assert.equal(await pairChart(NAME), null);
    assert.equal(await pairChart(NAME), VIEW);
  });

  test('the chart of a row that was shown is there before it is asked for', async () => {
    const { pairChart, foreseePairs, asked } = noted();
    foreseePairs([pairOn('BTC'), pairOn('ETH')]);
    foreseePairs([pairOn('BTC'), pairOn('ETH')]);
    assert.deepEqual(asked, [NAME, { ...NAME, coin: 'ETH' }]);
    assert.equal(await pairChart(NAME), VIEW);
    assert.equal(asked.length, 2);
  });

  test('however many rows are shown, only so many charts are fetched ahead', () => {
    const { foreseePairs, asked, state } = noted();
    const pairs = Array.from({ length: 1000 }, (_, i) => pairOn(`COIN${i}`));
    foreseePairs(pairs);
    assert.equal(asked.length, 100);
    foreseePairs(pairs.map((pair) => ({ ...pair, sizeUsd: 500 })));
    assert.equal(asked.length, 100);
    state.version = 2;
    foreseePairs(pairs.slice(0, 3));
    assert.equal(asked.length, 103);
  });

  test('a chart that could not be fetched ahead is no unhandled failure', async () => {
    const { pairChart, foreseePairs, asked } = noted(() => Promise.reject(new Error('away')));
    foreseePairs([pairOn('BTC')]);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(pairChart(NAME), /away/);
    assert.equal(asked.length, 2);
  });
});
