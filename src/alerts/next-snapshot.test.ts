import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canStartAt, dueSnapshot, MAX_REPLAY_MS } from './next-snapshot.ts';
import type { ActiveRule, Watch, WatchedList } from './rule-book.ts';

const START_MS = Date.UTC(2026, 10, 16, 9, 30);
const STEP_MS = 10_000;
const at = (snapshot: number) => START_MS + snapshot * STEP_MS;

/** A list with snapshots of every ten seconds up to the newest, and one watch. */
function listOf(newest: number | null, { isNew = false, sinceMs = 0, delaySeconds = 0 } = {}): WatchedList {
  const question = {
    delaySeconds,
    newestAsOfMs: () => (newest === null ? null : at(newest)),
    nextAsOfMs: (asOfMs: number) => {
      const next = Math.floor((asOfMs - START_MS) / STEP_MS) + 1;
      return newest !== null && next <= newest ? at(next) : null;
    },
  };
  const list = { question, watches: new Map() } as unknown as WatchedList;
  const rules = new Set([{ rule: { sinceMs } } as ActiveRule]);
  list.watches.set('key', { isNew, rules, list } as Watch);
  return list;
}

suite('the next snapshot to evaluate', () => {
  const nowMs = at(1_000);
  const due = (list: WatchedList, doneMs: number) => {
    const found = dueSnapshot([list], doneMs, nowMs);
    return found && [(found.asOfMs - START_MS) / STEP_MS, found.isNewest, found.isRepeated];
  };

  test('is the one after the last that was evaluated', () => {
    assert.deepEqual(due(listOf(5), at(3)), [4, false, false]);
    assert.deepEqual(due(listOf(5), at(4)), [5, true, false]);
    assert.equal(due(listOf(5), at(5)), null);
    assert.equal(due(listOf(null), at(5)), null);
  });

  test('is the newest where nothing was evaluated yet', () => {
    assert.deepEqual(due(listOf(5), 0), [5, true, false]);
  });

  test('is the newest after a time that a wrong clock has stored', () => {
    assert.deepEqual(due(listOf(5), nowMs + 3_600_000), [5, true, false]);
    assert.equal(due(listOf(5), at(6)), null, 'a little ahead is not wrong');
  });

  test('is at most twenty minutes before the newest', () => {
    assert.equal(MAX_REPLAY_MS, 20 * 60_000);
    assert.deepEqual(due(listOf(500), at(3)), [381, false, false]);
  });

  test('is the same again for a rule that is new on a list that stands still', () => {
    assert.deepEqual(due(listOf(5, { isNew: true }), at(5)), [5, true, true]);
  });

  test('where all rules are new, is the first since they were made', () => {
    assert.deepEqual(due(listOf(9, { isNew: true, sinceMs: at(6) }), at(3)), [6, false, false]);
    assert.deepEqual(due(listOf(9, { isNew: true, sinceMs: at(6) + 1 }), at(3)), [7, false, false]);
    assert.deepEqual(due(listOf(9, { isNew: true, sinceMs: at(20) }), at(3)), [9, true, false]);
    const delayed = listOf(9, { isNew: true, sinceMs: at(96), delaySeconds: 900 });
    assert.deepEqual(due(delayed, at(3)), [6, false, false], 'a delayed plan sees it 900 s later');
  });

  test('a new rule starts with a snapshot of its time or with the newest', () => {
    const watch = listOf(9, { isNew: true, sinceMs: at(6) }).watches.get('key') as Watch;
    const snapshot = (n: number, isNewest: boolean) => ({ asOfMs: at(n), isNewest, isRepeated: false });
    assert.equal(canStartAt(watch, snapshot(5, false)), false);
    assert.equal(canStartAt(watch, snapshot(6, false)), true);
    assert.equal(canStartAt(watch, snapshot(5, true)), true);
  });
});
