import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { metaJson } from './meta-json.ts';

suite('metaJson', () => {
  test('writes what JSON.stringify writes, whatever the address is', () => {
    const anyUrl = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl());
    const text = fc.stringMatching(/^[\w.:-]*$/);
    const count = fc.oneof(fc.nat(), fc.constant(null));
    const anyMeta = fc
      .tuple(text, fc.nat(), text, anyUrl, count, count, fc.option(text))
      .map(([as_of, delayed_seconds, source, url, rows, total, next]) => ({
        as_of,
        delayed_seconds,
        source,
        url,
        count: rows,
        total,
        ...(next === null ? {} : { next_cursor: next }),
      }));
    fc.assert(fc.property(anyMeta, (meta) => assert.equal(metaJson(meta), JSON.stringify(meta))));
  });
});
