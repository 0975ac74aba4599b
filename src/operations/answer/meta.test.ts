import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { PLANS } from '../../accounts/plans.ts';
import { metaJson, metaOf } from './meta.ts';

suite('metaJson', () => {
  test('writes what JSON.stringify writes, whatever was sent', () => {
    const text = fc.oneof(fc.string(), anyText(), fc.constantFrom('"', '\\', '\n', '€'));
    const sent = fc.uniqueArray(
      fc.tuple(fc.constantFrom('coin', 'sort', 'q'), fc.array(text, { minLength: 1 })),
      {
        selector: ([name]) => name,
      },
    );
    const count = fc.oneof(fc.nat(), fc.constant(null));
    const cursor = fc.option(fc.stringMatching(/^[\da-z.-]*$/));
    fc.assert(
      fc.property(sent, count, count, cursor, fc.nat(4e12), (pairs, rows, total, next, asOfMs) => {
        const context = { baseUrl: 'https://perpwire.example', plan: PLANS.demo, sent: new Map(pairs) };
        const meta = metaOf(asOfMs, '/funding', context);
        Object.assign(meta, { count: rows, total }, next === null ? {} : { next_cursor: next });
        assert.equal(metaJson(meta), JSON.stringify(meta));
      }),
    );
  });
});
