import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AskedBefore } from './asked-before.ts';

const QUESTIONS = Array.from({ length: 5_000 }, (_, i) => `pro /api/v1/funding?min_apr_pct=${i}`);

suite('questions asked before', () => {
  test('each is known when it comes again at once, and not before', () => {
    const asked = new AskedBefore();
    for (const question of QUESTIONS) {
      assert.equal(asked.note(question, 1_700_000_000_000), false, question);
      assert.equal(asked.note(question, 1_700_000_000_000), true, question);
    }
  });

  test('new data makes it a new question', () => {
    const asked = new AskedBefore();
    for (const question of QUESTIONS) {
      asked.note(question, 1_700_000_000_000);
      assert.equal(asked.note(question, 1_700_000_010_000), false, question);
    }
  });

  test('few of a thousand forget each other', () => {
    const asked = new AskedBefore();
    const thousand = QUESTIONS.slice(0, 1_000);
    for (const question of thousand) asked.note(question, 1);
    const known = thousand.filter((question) => asked.note(question, 1));
    assert.ok(known.length > 900, `${known.length} of 1000`);
  });
});
