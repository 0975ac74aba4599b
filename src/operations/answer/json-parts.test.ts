import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { jsonInParts } from './json-parts.ts';

suite('JSON in parts', () => {
  test('is the text that JSON.stringify makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        assert.equal(await jsonInParts(value), JSON.stringify(value));
      }),
    );
  });

  test('also of long lists in a list, and lets others run between the parts', async () => {
    const points = Array.from({ length: 10_000 }, (_, i) => ({ at: String(i), rate_pct: i / 7 }));
    const value = { coin: 'BTC', series: [{ exchange: 'OKX', points }, { points: [] }] };
    let turns = 0;
    let next: NodeJS.Immediate;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    const text = await jsonInParts(value);
    clearImmediate(next);
    assert.equal(text, JSON.stringify(value));
    assert.ok(turns >= 3, `${turns} turns`);
  });
});
