import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { PRICE_COLUMNS, SIZES_USD } from '../../history/samples/model.ts';
import { memoryScratch } from '../../storage/scratch-file.ts';
import { FillRings } from './fills.ts';
import { usualRule } from './rule.ts';
import { ContractSeries } from './series.ts';

const SIZES = SIZES_USD.length;
const contract = { id: 1, exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', coin: 'BTC', quote: 'USDT' };

/** Two legs, written minute by minute as the engine does it, and every price of them for comparison. */
class Legs {
  readonly stepMinutes: number;
  readonly medianMinutes: number;
  readonly rings: FillRings;
  readonly series: ContractSeries[];
  readonly written = new Map<number, (number[] | null)[]>();
  #minute = -1;

  constructor(stepMinutes: number, medianMinutes: number, legs = 2) {
    this.stepMinutes = stepMinutes;
    this.medianMinutes = medianMinutes;
    const rule = { ...usualRule(), rangeStepMinutes: stepMinutes, medianMinutes };
    this.rings = new FillRings(rule, memoryScratch());
    this.series = Array.from({ length: legs }, (_, ring) => {
      const step = { mids: new Float32Array(stepMinutes), filled: new Uint8Array(stepMinutes) };
      return new ContractSeries(contract, 0.05, { ring, step, fills: this.rings.emptyStep() });
    });
  }

  write(minute: number, prices: readonly (number[] | null)[]): void {
    const [last, next] = [this.#minute, minute].map((one) => Math.floor(one / this.stepMinutes));
    for (const series of this.#minute < 0 ? [] : this.series) {
      if (last === next) break;
      this.rings.put(series.ring, last as number, series.fills);
      for (let step = (last as number) + 1; step < (next as number); step++)
        this.rings.put(series.ring, step, this.rings.emptyStep());
      series.beginStep();
    }
    this.#minute = minute;
    this.written.set(minute, [...prices]);
    const [ids, volumesUsdt] = [Uint32Array.of(1), new Float32Array(1)];
    for (const [leg, series] of this.series.entries()) {
      const own = prices[leg];
      if (own) series.write({ minute, ids, prices: Float32Array.from(own), volumesUsdt }, 0);
    }
  }

  /** The exits by definition, from every written price. */
  expected(sellLeg: number, buyLeg: number, size: number): number[] {
    const exits: number[] = [];
    for (let minute = this.#minute - this.medianMinutes + 1; minute <= this.#minute; minute++) {
      const prices = this.written.get(minute);
      const sell = Math.fround(prices?.[sellLeg]?.[SIZES + size] ?? Number.NaN);
      const buy = Math.fround(prices?.[buyLeg]?.[size] ?? Number.NaN);
      const exit = ((sell - buy) / buy) * 100;
      if (!Number.isNaN(exit)) exits.push(exit);
    }
    return exits;
  }

  /** The prices of a column, by minute modulo the number of minutes that medians look back on. */
  expectedPrices(leg: number, column: number): number[] {
    const prices: number[] = Array(this.medianMinutes).fill(Number.NaN);
    for (let minute = this.#minute - this.medianMinutes + 1; minute <= this.#minute; minute++)
      prices[minute % this.medianMinutes] = this.written.get(minute)?.[leg]?.[column] ?? Number.NaN;
    return prices;
  }

  prices(leg: number, column: number): number[] {
    const series = this.series[leg];
    assert.ok(series);
    return [...this.rings.pricesOf(series, column, this.#minute)];
  }

  exits(sellLeg: number, buyLeg: number, size: number): number[] {
    const [sell, buy] = [this.series[sellLeg], this.series[buyLeg]];
    assert.ok(sell && buy);
    const into = new Float64Array(this.medianMinutes + 1);
    return [...into.subarray(0, this.rings.exitsPct(sell, buy, size, this.#minute, into))];
  }
}

const price = fc.constantFrom(100, 100.5, 101.25, Number.NaN);
const leg = fc.option(fc.array(price, { minLength: PRICE_COLUMNS, maxLength: PRICE_COLUMNS }), { freq: 4 });

suite('fill prices that medians look back on', () => {
  test('are those of the last minutes, over steps, gaps and missing prices', () => {
    const minutes = fc.array(fc.tuple(fc.constantFrom(1, 1, 1, 1, 3, 17), leg, leg), { maxLength: 60 });
    const lengths = fc.constantFrom([4, 6], [4, 8], [5, 12], [10, 3]);
    fc.assert(
      fc.property(minutes, lengths, (samples, [stepMinutes = 1, medianMinutes = 1]) => {
        const legs = new Legs(stepMinutes, medianMinutes);
        let minute = 1000;
        for (const [gap, one, other] of samples) {
          minute += gap;
          legs.write(minute, [one, other]);
          for (let size = 0; size < SIZES; size++) {
            assert.deepEqual(legs.exits(0, 1, size), legs.expected(0, 1, size));
            assert.deepEqual(legs.exits(1, 0, size), legs.expected(1, 0, size));
            assert.deepEqual(legs.prices(0, SIZES + size), legs.expectedPrices(0, SIZES + size));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are correct with more contracts than are cached', () => {
    const count = 200;
    const legs = new Legs(3, 6, count);
    const pricesOf = (number: number, minute: number) =>
      Array.from({ length: PRICE_COLUMNS }, (_, column) => 100 + number + column / 10 + minute / 100);
    for (let minute = 1000; minute < 1020; minute++)
      legs.write(
        minute,
        Array.from({ length: count }, (_, number) => pricesOf(number, minute)),
      );
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < count; number++) {
        const other = (number * 7 + 3) % count;
        assert.deepEqual(
          legs.exits(number, other, number % SIZES),
          legs.expected(number, other, number % SIZES),
        );
      }
    }
  });

  test('a ring that another contract reuses has none', () => {
    const legs = new Legs(3, 6);
    for (let minute = 1000; minute < 1010; minute++)
      legs.write(minute, [Array(6).fill(100), Array(6).fill(101)]);
    assert.ok(legs.exits(0, 1, 0).length > 0);
    legs.rings.clear(0);
    legs.series[0]?.beginStep();
    assert.deepEqual(legs.exits(0, 1, 0), []);
  });
});
