import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import { FencedError } from '../../src/storage/fences.ts';
import { openStorage, type StorageOptions } from '../../src/storage/storage.ts';
import { onBothDatabases } from '../storage/databases.ts';
import { COMPILED } from '../support/process.ts';
import { asOfMsOf, BOUND, expectedEvents, ratesAt, SNAPSHOTS } from './made-snapshots.ts';
import { CROSSES, makeRule, publish, startEvaluator, storedEvents } from './replay-setting.ts';

const SECOND_MS = 1_000;
const LAST_MS = asOfMsOf(SNAPSHOTS - 1) + SECOND_MS;

/** Starts the process and lets it go on at each line, until the test kills it. Returns its exit code. */
async function replay(
  { databaseUrl, sqliteFile }: StorageOptions,
  isEnd: (line: string, count: number) => boolean,
): Promise<number | null> {
  const program = join(import.meta.dirname, 'replaying-process.ts');
  const child = spawn(process.execPath, [program, databaseUrl ?? '', sqliteFile, String(LAST_MS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILED },
  });
  const counts = new Map<string, number>();
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    if (isEnd(line, count)) child.kill('SIGKILL');
    else child.stdin.write('\n');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('snapshots that were published while nobody evaluated', () => {
  onBothDatabases((fresh) => {
    const open = async (t: TestContext) => {
      const options = await fresh(t);
      const storage = await openStorage(options);
      t.after(() => storage.close());
      return { options, storage };
    };

    test('the process that takes over evaluates each of them in order, and the one before is refused', async (t) => {
      const { storage, options } = await open(t);
      // Only PostgreSQL is shared by several processes; with SQLite the second is the first after a restart.
      const isShared = options.databaseUrl !== null;
      const crossing = await makeRule(storage, CROSSES);
      const entering = await makeRule(storage, { kind: 'enters' }, { query: `min_rate_pct=${BOUND}` });
      const leaving = await makeRule(storage, { kind: 'leaves' }, { query: `min_rate_pct=${BOUND}` });
      for (let snapshot = 0; snapshot <= 2; snapshot++) await publish(storage, snapshot);
      const first = await startEvaluator(storage, asOfMsOf(2), { fence: isShared ? 1 : null });
      await first.run();
      for (let snapshot = 3; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      const second = await startEvaluator(storage, LAST_MS, { fence: isShared ? 2 : null });
      await second.run();
      assert.equal(await second.run(), 0, 'nothing twice');
      await first.follow(LAST_MS);
      if (isShared) await assert.rejects(first.run(), FencedError);
      // The first process started with the newest snapshot that it found.
      assert.deepEqual((await storedEvents(storage, crossing)).sort(), expectedEvents(2).sort());
      const entered = await storedEvents(storage, entering);
      const left = await storedEvents(storage, leaving);
      assert.deepEqual(entered.concat(left).sort(), expectedMoves(2).sort());
      const returned = expectedEvents(2).filter((event) => event.startsWith('returned'));
      assert.ok(returned.length > 0 && left.length > 0, 'rows came back and left within the gap');
    });

    test('kill -9 during the replay, before and after a snapshot is stored, loses and doubles nothing', async (t) => {
      const { options, storage } = await open(t);
      const ruleId = await makeRule(storage, CROSSES);
      await publish(storage, 0);
      const first = await startEvaluator(storage, asOfMsOf(0));
      await first.run();
      for (let snapshot = 1; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      assert.equal(await replay(options, (line, count) => line === 'evaluated' && count === 3), null);
      assert.equal(await replay(options, (line, count) => line === 'stored' && count === 2), null);
      const part = await storedEvents(storage, ruleId);
      assert.ok(part.length > 0 && part.length < expectedEvents().length, 'it was killed on the way');
      assert.equal(await replay(options, () => false), 0);
      assert.deepEqual((await storedEvents(storage, ruleId)).sort(), expectedEvents().sort());
    });

    test('a rule that was made meanwhile starts with the snapshot of its time', async (t) => {
      const { storage } = await open(t);
      await makeRule(storage, CROSSES);
      await publish(storage, 0);
      await (await startEvaluator(storage, asOfMsOf(0))).run();
      for (let snapshot = 1; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      const atMs = asOfMsOf(4) - 5 * SECOND_MS;
      // The first shares the state of the rule above, the second has its own.
      const shared = await makeRule(storage, CROSSES, { atMs });
      const own = await makeRule(storage, CROSSES, { query: 'min_volume_usdt=1', atMs });
      await (await startEvaluator(storage, LAST_MS)).run();
      const since = expectedEvents().filter((event) => Date.parse(event.slice(-20)) >= atMs);
      assert.deepEqual((await storedEvents(storage, shared)).sort(), since.sort());
      assert.deepEqual((await storedEvents(storage, own)).sort(), expectedEvents(4).sort());
    });

    test('a delayed plan gets its own snapshots in order', async (t) => {
      const { storage } = await open(t);
      const ruleId = await makeRule(storage, CROSSES);
      const delaySeconds = 900;
      for (let snapshot = 0; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      const first = await startEvaluator(storage, asOfMsOf(0) + 900 * SECOND_MS, { delaySeconds });
      await first.run();
      const second = await startEvaluator(storage, asOfMsOf(8) + 900 * SECOND_MS, { delaySeconds });
      await second.run();
      const visible = expectedEvents().filter((event) => Date.parse(event.slice(-20)) <= asOfMsOf(8));
      assert.deepEqual((await storedEvents(storage, ruleId)).sort(), visible.sort());
    });
  });
});

/** What enters and leaves the list of rates at or above the bound. */
function expectedMoves(first: number): string[] {
  const matches = (snapshot: number) =>
    new Set([...ratesAt(snapshot)].filter(([, rate]) => rate >= BOUND).map(([row]) => row));
  const events: string[] = [];
  for (let snapshot = first + 1; snapshot < SNAPSHOTS; snapshot++) {
    const [before, now] = [matches(snapshot - 1), matches(snapshot)];
    const at = new Date(asOfMsOf(snapshot)).toISOString().replace('.000', '');
    for (const row of now.difference(before)) events.push(`entered ${row} ${at}`);
    for (const row of before.difference(now)) events.push(`left ${row} ${at}`);
  }
  return events;
}
