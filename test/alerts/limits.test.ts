import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { HOUR_MS } from '../../src/base/times.ts';
import { loadMigrations } from '../../src/storage/migrate.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, openFor } from '../storage/databases.ts';
import { asOfMsOf, expectedEvents, SNAPSHOTS } from './made-snapshots.ts';
import { CROSSES, makeRule, publish, startEvaluator } from './replay-setting.ts';

const LAST_MS = asOfMsOf(SNAPSHOTS - 1) + 1_000;
/** Each event is ten messages. */
const TEN = Array.from({ length: 10 }, (_, i) => `end_${i}`);
/** On Demo a row is reported once in 15 minutes, and all the made snapshots are within two. */
const ROWS = new Set(expectedEvents(2).map((event) => event.split(' ')[1])).size;

describe('the limits of alerts', () => {
  onBothDatabases((fresh) => {
    const open = async (t: TestContext) => {
      const options = await fresh(t);
      const storage = await openStorage(options);
      t.after(() => storage.close());
      return { storage, isShared: options.databaseUrl !== null };
    };
    const eventsOf = async ({ db }: Storage) => {
      const events = await db.selectFrom('alert_events').selectAll().orderBy('created_at_ms').execute();
      const limited = events.filter(({ kind }) => kind === 'limited');
      return { events: events.filter((one) => !limited.includes(one)), limited };
    };
    const waitingOf = async ({ db }: Storage, accountId: string) =>
      (
        await db
          .selectFrom('alert_deliveries')
          .select('event_id')
          .where('account_id', '=', accountId)
          .where('state', '=', 'waiting')
          .execute()
      ).map(({ event_id: id }) => id);

    test('a Demo account gets 60 messages in an hour, also when another process takes over; the rest is counted and told', async (t) => {
      const { storage, isShared } = await open(t);
      await makeRule(storage, CROSSES, { endpointIds: TEN });
      for (let snapshot = 0; snapshot <= 2; snapshot++) await publish(storage, snapshot);
      const first = await startEvaluator(storage, asOfMsOf(2), { plan: 'demo', fence: isShared ? 1 : null });
      await first.run();
      for (let snapshot = 3; snapshot <= 5; snapshot++) await publish(storage, snapshot);
      await first.follow(asOfMsOf(5));
      await first.run();
      for (let snapshot = 6; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      const second = await startEvaluator(storage, LAST_MS, { plan: 'demo', fence: isShared ? 2 : null });
      await second.run();

      assert.ok(ROWS > 6, 'more rows have changed than six events of ten messages');
      const { events, limited } = await eventsOf(storage);
      assert.equal(events.length, 6);
      const [told] = limited;
      assert.equal(limited.length, 1, 'told once, at once');
      const toldCount = Number((JSON.parse(told?.row ?? '{}') as { count: number }).count);
      assert.match(
        told?.text ?? '',
        /^\d+ more events? (was|were) left out: your plan sends 60 messages an hour, and at most 500 may wait\. What follows until \d\d:\d\d:\d\d UTC is counted and told then\.$/,
      );
      assert.equal((await waitingOf(storage, 'acc_1')).length, 60 + TEN.length);

      await second.follow(LAST_MS + HOUR_MS);
      await second.run();
      const after = (await eventsOf(storage)).limited;
      const counts = after.map(({ row }) => Number((JSON.parse(row) as { count: number }).count));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        ROWS - 6,
        'every event that was left out is counted',
      );
      assert.equal(after.length, toldCount === ROWS - 6 ? 1 : 2);
      const budget = await storage.db.selectFrom('alert_budgets').selectAll().executeTakeFirstOrThrow();
      assert.equal(budget.left_out, 0);
    });

    test('an account with too many waiting messages loses the oldest, and is told', async (t) => {
      const { storage } = await open(t);
      await makeRule(storage, CROSSES, { endpointIds: ['end_1'] });
      await addWaiting(storage, 'acc_1', 499);
      for (let snapshot = 0; snapshot <= 2; snapshot++) await publish(storage, snapshot);
      const evaluator = await startEvaluator(storage, asOfMsOf(2), { plan: 'demo' });
      await evaluator.run();
      for (let snapshot = 3; snapshot < SNAPSHOTS; snapshot++) await publish(storage, snapshot);
      await evaluator.follow(LAST_MS);
      await evaluator.run();
      const { events, limited } = await eventsOf(storage);
      assert.equal(events.length, ROWS, 'new events are stored');
      const waiting = await waitingOf(storage, 'acc_1');
      assert.ok(waiting.length >= 500 && waiting.length <= 501, `${waiting.length} wait`);
      for (const { event_id: id } of events) assert.ok(waiting.includes(id), 'the newest are kept');
      assert.ok(!waiting.includes('old_acc_1_0'), 'the oldest is dropped');
      const dropped = await storage.db
        .selectFrom('alert_deliveries')
        .select('reason')
        .where('state', '=', 'failed')
        .execute();
      assert.equal(dropped.length, 499 + ROWS + limited.length - waiting.length);
      assert.equal(dropped[0]?.reason, 'dropped: too many messages of this account were waiting');
      assert.ok(limited.length > 0);
    });

    test('what waits in total is bounded: the account with the most loses its oldest, others lose nothing', async (t) => {
      const { storage } = await open(t);
      await addWaiting(storage, 'acc_many', 90);
      await addWaiting(storage, 'acc_few', 20);
      const evaluator = await startEvaluator(storage, asOfMsOf(2), { mostWaiting: 100 });
      await evaluator.run();
      assert.equal((await waitingOf(storage, 'acc_few')).length, 20);
      const many = await waitingOf(storage, 'acc_many');
      assert.equal(many.length, 80 + 1, 'and one message that says so');
      assert.ok(!many.includes('old_acc_many_9') && many.includes('old_acc_many_10'));
      const { limited } = await eventsOf(storage);
      assert.deepEqual(
        limited.map(({ account_id: id, row }) => [id, row]),
        [['acc_many', '{"count":10}']],
      );
    });

    test('an upgrade keeps endpoints that had a delivery confirmed, and hides paths and topics', async (t) => {
      const options = await fresh(t);
      const all = await loadMigrations();
      const old = await openFor(t, {
        ...options,
        migrations: all.filter(({ name }) => !name.endsWith('-alert-limits')),
      });
      const endpoint = async (id: string, kind: string, description: string) =>
        await old.db
          .insertInto('alert_endpoints')
          // As the version before wrote it.
          .values({
            ...{ id, account_id: 'acc_1', kind, description, target: '', paused_at_ms: null },
            ...{ paused_reason: null, failing_since_ms: null, failures: 0, not_before_ms: 0 },
            created_at_ms: 7,
          } as never)
          .execute();
      await makeRule(old, CROSSES);
      await endpoint('end_used', 'webhook', 'example.com/hook/secret-path');
      await endpoint('end_new', 'webhook', 'example.com/hook');
      await endpoint('end_root', 'webhook', 'example.com:8443');
      await endpoint('end_topic', 'ntfy', 'ntfy.sh/my-secret-topic');
      await endpoint('end_chat', 'discord', 'discord.com, ending in abcd');
      await endpoint('end_mail', 'email', 'ada@example.com, each alert at once');
      await endpoint('end_telegram', 'telegram', 'ada_l');
      for (const [id, endpointId, state] of [
        ['evt_1', 'end_used', 'delivered'],
        ['evt_2', 'end_new', 'failed'],
        ['evt_3', 'end_topic', 'waiting'],
      ] as const) {
        await old.db
          .insertInto('alert_events')
          .values({
            ...{ event_id: id, rule_id: 'alr_1', account_id: 'acc_1', kind: 'entered', row_key: '[]' },
            ...{ row: '{}', as_of_ms: 1, text: '', created_at_ms: 1 },
          })
          .execute();
        await old.db
          .insertInto('alert_deliveries')
          .values({
            ...{ event_id: id, endpoint_id: endpointId, state, attempts: 0, next_attempt_ms: 1 },
            ...{ last_attempt_ms: null, reason: null, created_at_ms: 1 },
          } as never)
          .execute();
      }
      await old.close();
      const { db } = await openFor(t, options);
      const rows = await db.selectFrom('alert_endpoints').selectAll().orderBy('id').execute();
      assert.deepEqual(
        rows.map(({ id, description, confirmed_at_ms: atMs }) => [id, description, atMs]),
        [
          ['end_chat', 'discord.com, ending in abcd', null],
          ['end_mail', 'ada@example.com, each alert at once', 7],
          ['end_new', 'example.com, ending in ok', null],
          ['end_root', 'example.com:8443', null],
          ['end_telegram', 'ada_l', 7],
          ['end_topic', 'ntfy.sh, ending in opic', null],
          ['end_used', 'example.com, ending in path', 7],
        ],
      );
      const [waiting] = await db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('state', '=', 'waiting')
        .execute();
      assert.equal(waiting?.account_id, 'acc_1');
    });
  });
});

/** Messages that wait for a receiver that is down. */
async function addWaiting({ db }: Storage, accountId: string, count: number): Promise<void> {
  await db
    .insertInto('alert_deliveries')
    .values(
      Array.from({ length: count }, (_, i) => ({
        ...{ event_id: `old_${accountId}_${i}`, endpoint_id: `end_${accountId}`, account_id: accountId },
        ...{ state: 'waiting' as const, attempts: 1, reason: 'HTTP 503', last_attempt_ms: 1 },
        ...{ next_attempt_ms: LAST_MS * 2, created_at_ms: i },
      })),
    )
    .execute();
}
