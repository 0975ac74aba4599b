import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PLANS } from '../../accounts/plans.ts';
import { createLog } from '../../base/log.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import { TableBuilder } from '../../market/tables/table.ts';
import { Timeline } from '../../market/timeline.ts';
import { DelayedRows } from './delayed-rows.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const STORE = { save: async () => undefined, load: async () => [], deleteBefore: async () => undefined };

suite('what delayed readers will see next', () => {
  test('is prepared before they see it, each snapshot once, and is the table that they get', async () => {
    const timeline = new Timeline(FUNDING_TABLE, STORE, createLog('silent'), { delayedEveryMs: MINUTE_MS });
    const prepared = new Map<number, object>();
    const rows = new DelayedRows(timeline, async ({ asOfMs, table }) => {
      assert.ok(!prepared.has(asOfMs), 'once');
      prepared.set(asOfMs, table);
    });
    let seen = 0;
    for (let nowMs = START_MS; nowMs < START_MS + 20 * MINUTE_MS; nowMs += 10 * SECOND_MS) {
      const delayed = timeline.at(PLANS.demo.delaySeconds, nowMs);
      if (delayed) {
        seen++;
        assert.equal(prepared.get(delayed.asOfMs), delayed.table, `at ${new Date(nowMs).toISOString()}`);
      }
      await timeline.publish(nowMs, new TableBuilder(FUNDING_TABLE).build());
      await rows.refresh(nowMs);
    }
    assert.equal(seen, 30, 'five minutes of delayed snapshots');
    assert.ok(prepared.size <= 7, `one a minute, not one for each snapshot: ${prepared.size}`);
  });

  test('after a start, what they see now is prepared too', async () => {
    const timeline = new Timeline(FUNDING_TABLE, STORE, createLog('silent'), { delayedEveryMs: MINUTE_MS });
    const nowMs = START_MS + 30 * MINUTE_MS;
    for (let atMs = START_MS; atMs <= nowMs; atMs += 10 * SECOND_MS)
      await timeline.publish(atMs, new TableBuilder(FUNDING_TABLE).build());
    const prepared = new Set<object>();
    const rows = new DelayedRows(timeline, async ({ table }) => {
      prepared.add(table);
    });
    await rows.refresh(nowMs);
    const shown = timeline.at(PLANS.demo.delaySeconds, nowMs);
    assert.ok(shown && prepared.has(shown.table));
    await rows.refresh(nowMs + 30 * SECOND_MS);
    const soon = timeline.at(PLANS.demo.delaySeconds, nowMs + MINUTE_MS);
    assert.ok(soon && soon.asOfMs > shown.asOfMs && prepared.has(soon.table));
  });
});
