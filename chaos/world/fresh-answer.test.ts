import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freshAnswer } from './fresh-answer.ts';

suite('an answer that may be too old', () => {
  const answerAfter = async (freshAfter: number) => {
    let passed = 0;
    const answer = await freshAnswer(
      async () => passed,
      (seen) => seen < freshAfter,
      async () => {
        passed++;
      },
    );
    return { answer, passed };
  };

  test('a fresh one is taken at once', async () => {
    assert.deepEqual(await answerAfter(0), { answer: 0, passed: 0 });
  });

  test('one that is fresh after a few seconds is taken then', async () => {
    assert.deepEqual(await answerAfter(3), { answer: 3, passed: 3 });
  });

  test('one that stays too old is returned in the end, and so is a violation', async () => {
    const { answer, passed } = await answerAfter(Number.POSITIVE_INFINITY);
    assert.equal(answer, passed);
    assert.ok(passed > 5);
  });
});
