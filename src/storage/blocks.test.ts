import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decodeState } from '../engines/backtest/state.ts';
import { decodeSamples } from '../history/samples/codec.ts';
import { decodeDays, decodePrints } from '../history/settlements/codec.ts';
import type { DaySum } from '../history/settlements/days.ts';
import { noPrints } from '../history/settlements/times.ts';
import {
  blockNumberOf,
  contractIdOf,
  settlementBlockId,
  shuffled,
  unshuffled,
  unzigzag,
  zigzag,
} from './blocks.ts';

const bytes = (base64: string) => Buffer.from(base64, 'base64');

suite('stored bytes of earlier versions stay readable', () => {
  test('settled prints', () => {
    const start = 646 * 46_080;
    const prints = noPrints();
    decodePrints(bytes('AeADgPEE4AOt5KgB4AMDERERERERob8='), start, prints);
    assert.deepEqual(prints, {
      minutes: [start + 480, start + 960, start + 1440],
      ratesPct: [0.01, -0.0034567, -0.1 / 3],
    });
  });

  test('day sums', () => {
    const days: DaySum[] = [];
    decodeDays(bytes('AQCgC4DTDh/gAwMRERERERGhvw=='), 640, days);
    assert.deepEqual(days, [
      { day: 640, sumPct: 0.03, coveredMinutes: 1440 },
      { day: 671, sumPct: -0.1 / 3, coveredMinutes: 480 },
    ]);
  });

  test('depth samples', () => {
    const block = bytes(
      'YjJnsyi1L/0gj0UDAEIFEyCgNelzJgEfECNDpObzv4F1DIB+8Dl3Ozf4bbp3iLUmU//p8+EuIyOkzziMSTd+cKrLWeGdp0zkoFuzUociWC8B' +
        'QOtfNB/SfGti+BsKAEdNeTnOlPFW2c4RAIEflfqm5biNz5wW',
    );
    const prices = [2e-5, 2.1e-5, 2.5e-5, 1.9e-5, 1.8e-5, 1.7e-5];
    assert.deepEqual(decodeSamples(block), [
      {
        minute: 29_800_000,
        ids: Uint32Array.of(3, 7),
        prices: Float32Array.of(100.5, 100.75, 101, 100.25, 100, Number.NaN, ...prices),
        // A block has one turnover per contract: the last one.
        volumesUsdt: Float32Array.of(5e6, 1250),
      },
      {
        minute: 29_800_001,
        ids: Uint32Array.of(7),
        prices: Float32Array.of(2.01e-5, 2.1e-5, 2.5e-5, 1.91e-5, 1.8e-5, 1.7e-5),
        volumesUsdt: Float32Array.of(1250),
      },
    ]);
  });

  test('states of the backtest', () => {
    const state = bytes(
      'KLUv/SDArQMAdAVMAAAAeyJtaW51dGUiOjUsImJhc2lzIjoieCIsImNvbnRyYWN0cyI6WzEsMyw0LDVdLCJvcGVuQ291bnQiOjEsImNsb3Nl' +
        'ZH0A8D8AEEAAQOA/0AAIwD8MACDLUARyBMBwW80A7gIMdyoGxoFzuNaOeWcU',
    );
    const name = { idA: 1, idB: 4 };
    assert.deepEqual(decodeState(state), {
      minute: 5,
      basis: 'x',
      contracts: [
        { id: 1, lastMinute: 3 },
        { id: 4, lastMinute: 5 },
      ],
      open: [{ ...name, size: 2, direction: 1, openMinute: 4, entryPct: 0.5, targetPct: 0.25 }],
      closed: [{ ...name, size: 0, direction: 0, openMinute: 1, closeMinute: 3, profitPct: 0.125 }],
    });
  });

  test('keys of settlement blocks', () => {
    assert.equal(settlementBlockId(646, 17), 677_380_113);
    assert.deepEqual([blockNumberOf(677_380_113), contractIdOf(677_380_113)], [646, 17]);
  });
});

suite('packing of numbers', () => {
  test('every 32-bit integer comes back from its zigzag form', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (n) => unzigzag(zigzag(n)) === n),
    );
    assert.deepEqual([0, -1, 1, -2, 2 ** 31 - 1].map(zigzag), [0, 1, 2, 3, 2 ** 32 - 2]);
  });

  test('shuffled bytes come back in their order', () => {
    assert.deepEqual(
      shuffled(Uint8Array.of(1, 2, 3, 4, 11, 12, 13, 14), 4),
      Uint8Array.of(1, 11, 2, 12, 3, 13, 4, 14),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(4, 8), (list, width) => {
        const whole = list.subarray(0, list.length - (list.length % width));
        assert.deepEqual(unshuffled(shuffled(whole, width), width), Uint8Array.from(whole));
      }),
    );
  });
});
