import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { PRICE_COLUMNS } from '../../history/samples/model.ts';
import { ContractSeries } from './series.ts';

const MEDIAN_MINUTES = 6;

function freshSeries(): ContractSeries {
  const contract = { id: 1, exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', coin: 'BTC', quote: 'USDT' };
  const step = { mids: new Float32Array(4), filled: new Uint8Array(4) };
  return new ContractSeries(contract, 0.05, MEDIAN_MINUTES, 0, step);
}

/** Few different prices, so that sizes often have the same one; NaN: the book cannot fill the size. */
const price = fc.constantFrom(100, 100.5, 101, Number.NaN);
const minutes = fc.array(
  fc.option(fc.array(price, { minLength: PRICE_COLUMNS, maxLength: PRICE_COLUMNS }), { freq: 4 }),
  { maxLength: 40 },
);

suite('fill prices of a contract', () => {
  test('are correct for each size while sizes share arrays', () => {
    fc.assert(
      fc.property(minutes, fc.nat(7), (samples, shareEvery) => {
        const series = freshSeries();
        const expected = Array.from({ length: PRICE_COLUMNS }, () =>
          new Float32Array(MEDIAN_MINUTES).fill(Number.NaN),
        );
        for (const [i, prices] of samples.entries()) {
          const minute = 1000 + i;
          series.clear(minute, minute);
          for (const [column, own] of expected.entries())
            own[minute % MEDIAN_MINUTES] = prices?.[column] ?? Number.NaN;
          if (prices) {
            const ids = Uint32Array.of(1);
            series.write(
              { minute, ids, prices: Float32Array.from(prices), volumesUsdt: new Float32Array(1) },
              0,
            );
          }
          if (shareEvery > 0 && i % shareEvery === 0) series.share();
          assert.deepEqual(series.fills, expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('share one array per side while all sizes have the same prices, and again after a day of equal prices', () => {
    const series = freshSeries();
    const write = (minute: number, prices: number[]) =>
      series.write(
        {
          minute,
          ids: Uint32Array.of(1),
          prices: Float32Array.from(prices),
          volumesUsdt: new Float32Array(1),
        },
        0,
      );
    write(0, [101, 101, 101, 100, 100, 100]);
    assert.equal(new Set(series.fills).size, 2);
    write(1, [101, 101, 102, 100, 100, 99]);
    assert.equal(new Set(series.fills).size, 4);
    for (let minute = 2; minute < 2 + MEDIAN_MINUTES; minute++) write(minute, [101, 101, 101, 100, 100, 100]);
    series.share();
    assert.equal(new Set(series.fills).size, 2);
  });
});
