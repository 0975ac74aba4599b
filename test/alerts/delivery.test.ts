import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { backoffMs } from '../../src/alerts/delivery/delivering.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { openDelivery } from './setting.ts';

type Delivery = Awaited<ReturnType<typeof openDelivery>>;

/** A server that answers with these bytes, or with nothing. */
async function startRaw(answer: string | null): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (answer !== null) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

suite('delivery of alerts', () => {
  let patient: Delivery;
  let receiver: Receiver;
  before(async () => {
    patient = await openDelivery();
    receiver = await startReceiver();
  });
  after(async () => {
    await patient.close();
    await receiver.close();
  });
  const resultOf = async (eventId: string, delivery = patient) =>
    (await delivery.deliveries()).find((one) => one.eventId === eventId);

  test('an event is posted to each of its endpoints once', async () => {
    const endpoints = [
      await patient.webhook(`${receiver.url}/a`),
      await patient.webhook(`${receiver.url}/b`),
    ];
    const eventId = await patient.add(...endpoints);
    await patient.round();
    await patient.round();
    assert.deepEqual(receiver.posts.map(({ path, body }) => `${path} ${body.event_id}`).sort(), [
      `/a ${eventId}`,
      `/b ${eventId}`,
    ]);
    assert.deepEqual(
      (await patient.deliveries()).map(({ state, attempts, reason }) => [state, attempts, reason]),
      [
        ['delivered', 1, null],
        ['delivered', 1, null],
      ],
    );
  });

  for (const [what, answer, reason] of [
    [
      'a redirect, which is not followed',
      'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      'HTTP 302; redirects are not followed',
    ],
    ['an error of the receiver', 'HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n', 'HTTP 503'],
    ['garbage instead of HTTP', 'hello, this is not HTTP\r\n\r\n', 'the answer is not HTTP'],
    ['a connection that is closed without an answer', '', 'the connection was closed without an answer'],
    ['a receiver that says nothing', null, 'no answer within 1.5 s'],
  ] as const) {
    test(`tried again later: ${what}; another endpoint does not wait for it`, async (t) => {
      const raw = await startRaw(answer);
      t.after(() => raw.server.close());
      const delivery = answer === null ? await openDelivery({ postTimeoutMs: 1_500 }) : patient;
      if (delivery !== patient) t.after(() => delivery.close());
      const bad = await delivery.webhook(raw.url);
      const good = await delivery.webhook(`${receiver.url}/good`);
      receiver.posts.length = 0;
      const failed = await delivery.add(bad);
      const others: string[] = [];
      for (let i = 0; i < 3; i++) others.push(await delivery.add(good));
      await delivery.round();
      const first = await resultOf(failed, delivery);
      assert.deepEqual([first?.state, first?.attempts, first?.reason], ['waiting', 1, reason]);
      assert.equal(first?.nextAttemptAtMs, delivery.clock.nowMs() + backoffMs(1));
      assert.deepEqual(receiver.posts.map(({ body }) => body.event_id).sort(), others.sort());
      await delivery.round();
      assert.equal((await resultOf(failed, delivery))?.attempts, 1, 'not before the pause has passed');
      delivery.clock.advanceMs(backoffMs(1));
      await delivery.round();
      const second = await resultOf(failed, delivery);
      assert.equal(second?.attempts, 2);
      assert.equal(second?.nextAttemptAtMs, delivery.clock.nowMs() + backoffMs(2));
      await delivery.endpoints.delete(bad);
      await delivery.outbox.giveUp(bad, 'end of the test');
    });
  }

  test('a body that never ends does not matter: the status is the answer', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const send = () => {
          if (!socket.destroyed) socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`, () => setImmediate(send));
        };
        send();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = await patient.webhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const eventId = await patient.add(endpoint);
    await patient.round();
    assert.equal((await resultOf(eventId))?.state, 'delivered');
    server.close();
  });

  test('410 pauses the endpoint at once, and its owner is told', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const endpoint = await patient.webhook(`${receiver.url}/gone`);
    const events = [await patient.add(endpoint), await patient.add(endpoint)];
    await patient.round();
    receiver.answer = (response) => response.writeHead(204).end();
    assert.equal((await patient.endpoints.find(endpoint))?.state, 'paused');
    assert.deepEqual(patient.notices, [{ endpointId: endpoint, reason: 'HTTP 410' }]);
    for (const eventId of events) assert.equal((await resultOf(eventId))?.state, 'failed');
  });

  test('retried for 24 hours, then the endpoint is paused and its owner is told', async () => {
    patient.notices.length = 0;
    receiver.posts.length = 0;
    receiver.answer = (response) => response.writeHead(500).end();
    const endpoint = await patient.webhook(`${receiver.url}/down`);
    const eventId = await patient.add(endpoint);
    const startMs = patient.clock.nowMs();
    const attemptsAtMs: number[] = [];
    while ((await patient.endpoints.find(endpoint))?.state === 'active') {
      const count = receiver.posts.length;
      await patient.round();
      if (receiver.posts.length > count) attemptsAtMs.push(patient.clock.nowMs() - startMs);
      patient.clock.setMs((await resultOf(eventId))?.nextAttemptAtMs ?? 0);
    }
    receiver.answer = (response) => response.writeHead(204).end();
    assert.deepEqual(
      attemptsAtMs.slice(0, 9).map((ms) => ms / 1000),
      [0, 10, 40, 100, 220, 520, 1120, 2320, 4120],
      '10 s, 30 s, 1, 2, 5, 10, 20, 30 minutes',
    );
    assert.ok((attemptsAtMs.at(-1) ?? 0) >= 24 * HOUR_MS && (attemptsAtMs.at(-1) ?? 0) < 25 * HOUR_MS);
    assert.deepEqual(patient.notices, [
      { endpointId: endpoint, reason: 'every attempt for 24 h failed: HTTP 500' },
    ]);
    const last = await resultOf(eventId);
    assert.equal(last?.state, 'failed');
    assert.match(String(last?.reason), /^HTTP 500; given up after 24 h/);
    const later = await patient.add(endpoint);
    await patient.round();
    assert.equal((await resultOf(later))?.reason, 'the endpoint is paused');
    assert.equal(
      new Set(receiver.posts.map(({ body }) => body.event_id)).size,
      1,
      'all attempts have the same id',
    );
  });

  test('an endpoint that works again gets what waited, and its failures are forgotten', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const endpoint = await patient.webhook(`${receiver.url}/flaky`);
    const events = [await patient.add(endpoint), await patient.add(endpoint)];
    await patient.round();
    assert.notEqual((await patient.endpoints.find(endpoint))?.failingSinceMs, null);
    receiver.answer = (response) => response.writeHead(204).end();
    patient.clock.advanceMs(backoffMs(1));
    await patient.round();
    for (const eventId of events) assert.equal((await resultOf(eventId))?.state, 'delivered');
    const { failingSinceMs, failures } = (await patient.endpoints.find(endpoint)) ?? {};
    assert.deepEqual([failingSinceMs, failures], [null, 0]);
  });

  test('at most four attempts at the same time for one endpoint', async () => {
    const open = new Set<() => void>();
    let most = 0;
    receiver.answer = (response) => {
      open.add(() => response.writeHead(204).end());
      most = Math.max(most, open.size);
    };
    const endpoint = await patient.webhook(`${receiver.url}/slow`);
    for (let i = 0; i < 10; i++) await patient.add(endpoint);
    await patient.start();
    await until(() => open.size === 4, 'four attempts under way');
    await patient.start();
    assert.equal(most, 4);
    receiver.answer = (response) => response.writeHead(204).end();
    for (const answer of open) answer();
    for (let i = 0; i < 3; i++) await patient.round();
    assert.equal(await patient.outbox.waitingCount(), 0);
  });

  test('a process that ends during an attempt: the event is sent again with the same id', async () => {
    receiver.posts.length = 0;
    receiver.answer = () => undefined;
    const endpoint = await patient.webhook(`${receiver.url}/lost`);
    const eventId = await patient.add(endpoint);
    await patient.start();
    await until(() => receiver.posts.length === 1, 'the first attempt');
    await patient.restart();
    receiver.answer = (response) => response.writeHead(204).end();
    await patient.round();
    assert.deepEqual(
      receiver.posts.map(({ body }) => body.event_id),
      [eventId, eventId],
    );
    assert.equal((await resultOf(eventId))?.state, 'delivered');
  });

  test('a digest is sent when its oldest event is old enough, with all events until then', async () => {
    const endpoint = await patient.digestEndpoint();
    const first = await patient.add(endpoint);
    await patient.round();
    patient.clock.advanceMs(40 * MINUTE_MS);
    const second = await patient.add(endpoint);
    await patient.round();
    assert.equal(patient.digests.length, 0);
    patient.clock.advanceMs(20 * MINUTE_MS);
    await patient.round();
    assert.deepEqual(
      patient.digests.map((messages) => messages.map(({ eventId }) => eventId)),
      [[first, second]],
    );
  });

  test('an endpoint whose address cannot be read any more is paused, and its owner is told', async () => {
    const endpoint = await patient.webhook(`${receiver.url}/lost`);
    await patient.loseKeyOf(endpoint);
    const eventId = await patient.add(endpoint);
    await patient.round();
    assert.equal((await patient.endpoints.find(endpoint))?.state, 'paused');
    assert.match(
      (await resultOf(eventId))?.reason ?? '',
      /its address can no longer be read; add the channel again/,
    );
  });

  test('a receiver that is not confirmed gets nothing', async () => {
    receiver.posts.length = 0;
    const endpoint = await patient.webhook(`${receiver.url}/unasked`, patient.accountId, false);
    const eventId = await patient.add(endpoint);
    await patient.round();
    const result = await resultOf(eventId);
    assert.deepEqual([result?.state, result?.reason], ['failed', 'the endpoint is not confirmed']);
    assert.equal(receiver.posts.length, 0);
  });

  test('alerts of a rule that was paused since are not sent', async () => {
    receiver.posts.length = 0;
    const endpoint = await patient.webhook(`${receiver.url}/paused`);
    const eventId = await patient.add(endpoint);
    await patient.rules.pause(patient.accountId, patient.rule.id);
    await patient.round();
    assert.equal((await resultOf(eventId))?.reason, 'the rule was paused');
    assert.equal(receiver.posts.length, 0);
  });
});

suite('turns of accounts', () => {
  test('slow receivers of free accounts, and of one paying account, delay no other account', async (t) => {
    const delivery = await openDelivery({ postTimeoutMs: 120_000 });
    t.after(() => delivery.close());
    const [slow, fast] = [await startReceiver(), await startReceiver()];
    t.after(() => Promise.all([slow.close(), fast.close()]));
    slow.answer = () => undefined;
    const owners = [...Array.from({ length: 40 }, (_, i) => `acc_free${i}`), 'acc_slow'];
    for (const owner of owners) {
      await delivery.account(owner);
      for (let i = 0; i < (owner === 'acc_slow' ? 5 : 4); i++)
        await delivery.add(await delivery.webhook(`${slow.url}/${owner}/${i}`, owner));
    }
    const eventId = await delivery.add(
      await delivery.webhook(`${fast.url}/paying`, await delivery.account('acc_paying')),
    );
    await delivery.start();
    await until(() => fast.posts.length === 1, 'the alert of the paying account');
    assert.equal(fast.posts[0]?.body.event_id, eventId);
    await until(() => slow.posts.length >= 128 + 4, 'all places of the slow ones');
    const busy = Map.groupBy(slow.posts, ({ path }) => path.split('/')[1] ?? '');
    assert.equal(slow.posts.length, 128 + 4, 'free accounts together have half of the places');
    assert.equal(busy.get('acc_slow')?.length, 4, 'one account has four');
    for (const owner of owners) assert.ok((busy.get(owner)?.length ?? 0) >= 3, `${owner} had its turns`);
  });

  test('the rate to one address, and to one host of all accounts, is bounded', async (t) => {
    const delivery = await openDelivery({ perMinute: { address: 6, host: 10 } });
    t.after(() => delivery.close());
    const hook = await startReceiver();
    t.after(() => hook.close());
    const endpoints: string[] = [];
    for (const owner of ['acc_a', 'acc_b', 'acc_c'])
      endpoints.push(await delivery.webhook(`${hook.url}/${owner}`, await delivery.account(owner)));
    const send = async () => {
      for (let before = -1; hook.posts.length > before; ) {
        before = hook.posts.length;
        await delivery.round();
      }
      return hook.posts.length;
    };
    for (let i = 0; i < 7; i++) await delivery.add(endpoints[0] ?? '');
    assert.equal(await send(), 6, 'messages to one address in a minute');
    for (const endpoint of endpoints.slice(1)) for (let i = 0; i < 4; i++) await delivery.add(endpoint);
    assert.equal(await send(), 10, 'messages to one host in a minute');
    delivery.clock.advanceMs(MINUTE_MS);
    assert.equal(await send(), 7 + 2 * 4, 'the others a minute later');
  });
});
