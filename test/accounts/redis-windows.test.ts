import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { TAKE } from '../../src/accounts/windows/redis/scripts.ts';
import type { Receipt, WindowHolder } from '../../src/accounts/windows/windows.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import type { Redis } from '../../src/storage/redis/redis.ts';
import { freshSqlite, openFor, silentLog } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : false;

async function opened(
  t: TestContext,
  clock: ManualClock,
  isShared: boolean,
  changeRedis: (link: Redis) => void = () => undefined,
  metrics = createMetrics(),
) {
  const storage = await openFor(t, await freshSqlite(t));
  const link = isShared ? await openRedis({ url, log: silentLog, timeoutMs: 2_000 }) : null;
  if (link) changeRedis(link);
  const baseUrl = 'http://127.0.0.1';
  const accounts = await openAccounts({
    storage,
    redis: link,
    clock,
    log: silentLog,
    metrics,
    baseUrl,
    tierGrants: new Map(),
  });
  t.after(async () => {
    await accounts.close();
    await link?.close();
  });
  return accounts;
}

const step = fc.record({
  what: fc.constantFrom(
    'take' as const,
    'take' as const,
    'take' as const,
    'refund' as const,
    'read' as const,
  ),
  which: fc.nat(20),
  waitMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 25_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 50_000, max: 70_000 }) },
    // Mostly past the end of the month.
    { weight: 1, arbitrary: fc.integer({ min: 20 * 86_400_000, max: 40 * 86_400_000 }) },
  ),
});

describe('windows in Redis', { skip }, () => {
  test('give the same results as windows in memory, at any times', async (t) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 12));
    const shared = (await opened(t, clock, true)).windows;
    const alone = (await opened(t, clock, false)).windows;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const plan = { requestsPerMinute: 4, requestsPerMonth: 12 };
        const holder: WindowHolder = { slotId: `slot ${++run}`, keyId: 'key', plan };
        const receipts: [Receipt, Receipt][] = [];
        for (const { what, which, waitMs } of steps) {
          clock.advanceMs(waitMs);
          const pair = receipts[which % Math.max(1, receipts.length)];
          if (what === 'read' || (what === 'refund' && !pair)) {
            assert.deepEqual(await shared.read(holder), await alone.read(holder));
          } else if (what === 'refund' && pair) {
            assert.deepEqual(await shared.refund(pair[0]), await alone.refund(pair[1]));
          } else {
            const [one, other] = [await shared.take(holder), await alone.take(holder)];
            assert.deepEqual({ ...one, receipt: null }, { ...other, receipt: null });
            if (one.allowed && other.allowed) receipts.push([one.receipt, other.receipt]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a request whose reply cannot be parsed is decided again, and counted once', async (t) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 12));
    const metrics = createMetrics();
    let bad = 1;
    const garble = (link: Redis) => {
      const run = link.run.bind(link);
      link.run = async (script, keys, args) => {
        const reply = await run(script, keys, args);
        const isCounted = Array.isArray(reply) && reply.length === 7;
        return script === TAKE && isCounted && bad-- > 0 ? ['unreadable'] : reply;
      };
    };
    const { windows } = await opened(t, clock, true, garble, metrics);
    const holder = { slotId: 'slot', keyId: null, plan: { requestsPerMinute: 5, requestsPerMonth: 50 } };
    assert.equal((await windows.take(holder)).allowed, true);
    const states = await windows.read(holder);
    assert.deepEqual([states.minute.used, states.month.used], [1, 1]);
    const { values } = await metrics.clusterMessages.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.kind, labels.outcome, value]),
      [['windows', 'unreadable', 1]],
    );
  });
});
