import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { keysOfSetting } from '../../src/accounts/vault/secret-keys.ts';
import { openVault } from '../../src/accounts/vault/vault.ts';
import { openEndpointStore } from '../../src/alerts/store/endpoints.ts';
import { openRuleStore } from '../../src/alerts/store/rules.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openStorage, type StorageOptions } from '../../src/storage/storage.ts';
import { onBothDatabases } from '../storage/databases.ts';
import { COMPILED } from '../support/process.ts';
import { BOUND, expectedEvents, HYSTERESIS } from './made-snapshots.ts';
import { startReceiver } from './receiver.ts';

/** Attempts of one endpoint at the same time. */
const MOST_UNDER_WAY = 4;
const KEY = 'a key for tests of at least 32 characters';

async function makeRule(options: StorageOptions, url: string): Promise<void> {
  const { log } = options;
  const storage = await openStorage(options);
  const vault = await openVault({ storage, clock: systemClock, log, source: keysOfSetting([KEY]) });
  const accountId = 'acc_1';
  await storage.db
    .insertInto('accounts')
    .values({
      ...{ id: accountId, name: 'owner', email: null, plan: 'business', host_tier: null, revision: 0 },
      ...{ created_at_ms: 0, suspended_at_ms: null, deleted_at_ms: null, taker_fees: null },
    })
    .execute();
  const target = { url, secrets: [{ value: 'whsec_test', untilMs: null }] };
  const { id } = await openEndpointStore(storage, systemClock, vault).create(accountId, {
    ...{ kind: 'webhook', description: 'test', target, isConfirmed: true },
  });
  await openRuleStore(storage, systemClock).create(
    accountId,
    {
      ...{ name: 'Rule', operation: 'funding', query: '', everyMinutes: 0, endpointIds: [id] },
      condition: {
        ...{ kind: 'crosses', figure: 'rate_pct', direction: 'above' },
        ...{ bound: BOUND, hysteresis: HYSTERESIS, reportsReturn: true },
      } as const,
    },
    1,
  );
  await vault.close();
  await storage.close();
}

describe('kill -9 of the process that evaluates and delivers alerts', () => {
  onBothDatabases((fresh) => {
    test('loses no alert, and repeats only those under way, with the same event id', async (t) => {
      const options = await fresh(t);
      const receiver = await startReceiver();
      t.after(() => receiver.close());
      await makeRule(options, `${receiver.url}/hook`);
      const program = join(import.meta.dirname, 'alerting-process.ts');
      const args = [program, options.databaseUrl ?? '', options.sqliteFile, KEY];
      let child: ChildProcess;
      let stored = 0;
      /** Events whose answer was lost because the process was killed. */
      const cutOff: unknown[] = [];
      receiver.answer = (response, { body }) => {
        // Once the process dies after the receiver has accepted an alert, and before it knows that.
        if (receiver.posts.length === 2) child.kill('SIGKILL');
        if (child.killed) cutOff.push(body.event_id);
        else response.writeHead(204).end();
      };
      let code: number | null = null;
      for (let runs = 1; code !== 0; runs++) {
        assert.ok(runs < 20, 'the process ends by itself after the last snapshot');
        child = spawn(process.execPath, args, {
          stdio: ['pipe', 'pipe', 'inherit'],
          env: { ...process.env, ...COMPILED },
        });
        const running = child;
        createInterface({ input: running.stdout ?? process.stdin }).on('line', (line) => {
          if (line !== 'stored') return;
          stored++;
          // Once it dies between the evaluation and the delivery.
          if (stored === 5) running.kill('SIGKILL');
          else running.stdin?.write('\n');
        });
        running.stdin?.on('error', () => undefined);
        [code] = (await once(running, 'exit')) as [number | null];
      }
      const received = new Map<unknown, string[]>();
      for (const { body } of receiver.posts) {
        const what = `${body.kind} ${(body.row as Record<string, unknown>).venue_symbol} ${body.as_of}`;
        received.set(body.event_id, [...(received.get(body.event_id) ?? []), what]);
      }
      assert.ok(cutOff.length > 0);
      for (const [id, deliveries] of received) {
        assert.equal(new Set(deliveries).size, 1, 'an id is of one event');
        assert.ok(deliveries.length <= 2, 'one retry');
        if (cutOff.includes(id))
          assert.equal(deliveries.length, 2, 'sent again, because the answer was lost');
      }
      const repeated = [...received.values()].filter(({ length }) => length === 2).length;
      assert.ok(repeated <= MOST_UNDER_WAY, `${repeated} repeated`);
      const events = [...received.values()].map(([what]) => what);
      assert.deepEqual(events.sort(), expectedEvents().sort());
    });
  });
});
