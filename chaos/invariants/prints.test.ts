import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../src/base/times.ts';
import { missingPrints, type Print, wrongPrints } from './prints.ts';

const START_MS = Date.UTC(2026, 5, 1);
const at = (hour: number) => START_MS + hour * HOUR_MS;
const SETTLED: Print[] = [0, 8, 16].map((hour) => ({ settledAtMs: at(hour), ratePct: hour / 100 }));
const NAMES = { exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP' };
const truth = {
  prints: (_exchange: string, _symbol: string, fromMs: number, toMs: number) =>
    SETTLED.filter(({ settledAtMs }) => settledAtMs >= fromMs && settledAtMs <= toMs),
  listed: () => [{ ...NAMES, listedAtMs: at(-1000) }],
};
const stored = (...prints: Print[]) => [{ ...NAMES, prints }];
const [first, second, third] = SETTLED as [Print, Print, Print];

suite('wrong prints', () => {
  test('the settled prints are right', () => assert.deepEqual(wrongPrints(stored(...SETTLED), truth), []));
  test('another rate', () =>
    assert.match(wrongPrints(stored({ ...second, ratePct: 1 }), truth).join(), /wrong print.*1 %.*0\.08 %/));
  test('another time', () =>
    assert.match(
      wrongPrints(stored(first, { settledAtMs: at(7), ratePct: 0.08 }, third), truth).join(),
      /did not settle at 2026-06-01T07/,
    ));
  test('the same print twice', () =>
    assert.match(wrongPrints(stored(first, second, second), truth).join(), /doubled print/));
});

suite('missing prints', () => {
  const context = {
    fromMs: START_MS,
    graceMsOf: () => 2 * HOUR_MS,
    nowMs: at(20),
    undisturbedSinceMs: () => START_MS,
  };
  test('none is missing', () => assert.deepEqual(missingPrints(stored(...SETTLED), truth, context), []));
  test('one in the middle', () =>
    assert.match(
      missingPrints(stored(first, third), truth, context).join(),
      /^missing print: OKX.*T08:00:00Z$/,
    ));
  test('all of a contract', () => assert.equal(missingPrints([], truth, context).length, 3));
  test('a venue that was disturbed within the grace may still lack it', () =>
    assert.deepEqual(
      missingPrints(stored(first), truth, { ...context, undisturbedSinceMs: () => at(19) }),
      [],
    ));
  test('a print that has just settled may still lack', () =>
    assert.deepEqual(missingPrints(stored(first, second), truth, { ...context, nowMs: at(17) }), []));
});
