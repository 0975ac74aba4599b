import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RepeatDetector } from './repeat-detector.ts';

const QUERIES = Array.from({ length: 5_000 }, (_, i) => `pro /api/v1/funding?min_apr_pct=${i}`);

suite('repeated queries', () => {
  test('each is detected when it comes again at once, and not before', () => {
    const detector = new RepeatDetector();
    for (const query of QUERIES) {
      assert.equal(detector.note(query, 1_700_000_000_000), false, query);
      assert.equal(detector.note(query, 1_700_000_000_000), true, query);
    }
  });

  test('a query on new data is a new query', () => {
    const detector = new RepeatDetector();
    for (const query of QUERIES) {
      detector.note(query, 1_700_000_000_000);
      assert.equal(detector.note(query, 1_700_000_010_000), false, query);
    }
  });

  test('few of a thousand queries evict each other', () => {
    const detector = new RepeatDetector();
    const thousand = QUERIES.slice(0, 1_000);
    for (const query of thousand) detector.note(query, 1);
    const known = thousand.filter((query) => detector.note(query, 1));
    assert.ok(known.length > 900, `${known.length} of 1000`);
  });
});
