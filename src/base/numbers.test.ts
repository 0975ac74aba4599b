import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decimalOrNull, median, percentFromFraction, roundPercent, shiftDecimal } from './numbers.ts';

suite('decimals', () => {
  test('a percent carries no float noise', () => {
    assert.equal(percentFromFraction('0.0001'), 0.01);
    assert.equal(percentFromFraction('0.00012345'), 0.012345);
    assert.equal(percentFromFraction('-0.00000001'), -0.000001);
    assert.equal(percentFromFraction('0.00057'), 0.057);
    assert.notEqual(0.00057 * 100, 0.057, 'the naive way has noise');
  });

  test('numbers and exponents shift like texts', () => {
    assert.equal(percentFromFraction(0.000375), 0.0375);
    assert.equal(percentFromFraction('1e-5'), 0.001);
    assert.equal(shiftDecimal('12345E-3', -2), 0.12345);
    assert.equal(shiftDecimal(1.2e-7, 2), 0.000012);
  });

  test('zero is a value and never negative', () => {
    assert.ok(Object.is(percentFromFraction('-0.0000'), 0));
    assert.equal(decimalOrNull('0'), 0);
  });

  test('a text is read as Number reads it, to the last bit', () => {
    const digits = fc.stringMatching(/^-?\d{0,12}\.?\d{0,12}$/);
    const numbers = fc.oneof(
      digits,
      fc.double({ noNaN: true }).map(String),
      fc.float({ noNaN: true }).map(String),
    );
    fc.assert(
      fc.property(numbers, (text) => {
        const isNumber = /\d/.test(text) && Number.isFinite(Number(text));
        assert.ok(Object.is(decimalOrNull(text), isNumber ? Number(text) : null), text);
      }),
      { numRuns: 20_000 },
    );
  });

  for (const bad of [
    '',
    ' ',
    'abc',
    '1,5',
    '0x10',
    '1e',
    'NaN',
    'Infinity',
    '--1',
    null,
    undefined,
    {},
    [],
    true,
  ]) {
    test(`${JSON.stringify(bad)} is not a decimal`, () => {
      assert.equal(decimalOrNull(bad), null);
      assert.equal(percentFromFraction(bad), null);
    });
  }

  test('a shifted text is rounded once, as if the text had an exponent', () => {
    const digits = fc.stringMatching(/^-?\d{1,12}(\.\d{0,12})?$/);
    fc.assert(
      fc.property(digits, fc.integer({ min: -25, max: 25 }), (text, places) => {
        assert.equal(shiftDecimal(text, places), Number(`${text}e${places}`) + 0, `${text} ${places}`);
      }),
      { numRuns: 20_000 },
    );
  });

  test('shifting there and back gives the number back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 10 }), (digits, places) => {
        const fraction = shiftDecimal(String(digits), -places);
        assert.equal(shiftDecimal(fraction, places), digits === 0 ? 0 : digits);
      }),
    );
  });

  test('rounding hides noise, the median is the middle', () => {
    assert.equal(roundPercent(10.950000000000001), 10.95);
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });
});
