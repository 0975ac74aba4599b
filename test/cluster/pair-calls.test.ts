import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { channelsOf } from '../../src/cluster/channels.ts';
import { pack } from '../../src/cluster/envelope.ts';
import { encodePairReply, PairCalls } from '../../src/cluster/pair-calls.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { parseCall } from '../../src/wiring/roles/calls.ts';
import { launchRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const log = createLog('silent');
const server = await launchRedis();
const skip = typeof server === 'string' ? server : false;
const redis = typeof server === 'string' ? null : await openRedis({ url: server.url, log });
after(async () => {
  await redis?.close();
  if (typeof server !== 'string') await server.stop();
});

const NAME = { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 } as const;
const VIEW = { fromMinute: 5, spreadsPct: Float32Array.of(1, 2), cycles: [], recent: [] };

suite('requesting a pair from the engine', { skip }, () => {
  test('every caller gets the reply to its own call', async () => {
    assert.ok(redis);
    const channels = channelsOf('pairs');
    const engine = await redis.subscribe(channels.calls, (bytes) => {
      const call = parseCall(bytes);
      assert.ok(call?.kind === 'ask-pair');
      const { id, replyTo, name } = call;
      const view = name.coin === 'BTC' ? VIEW : null;
      void redis.command(['PUBLISH', replyTo, encodePairReply(id, view)]);
    });
    const callers = ['a', 'b'].map(
      (owner) =>
        new PairCalls({ redis, channels, owner, clock: new ManualClock(0), log, metrics: createMetrics() }),
    );
    for (const caller of callers) await caller.start();
    const answers = await Promise.all(
      callers.flatMap((caller) => [caller.ask(NAME), caller.ask({ ...NAME, coin: 'ETH' })]),
    );
    assert.deepEqual(answers, [VIEW, null, VIEW, null]);
    for (const caller of callers) await caller.stop();
    await engine.close();
  });

  test('without a reply in time there is no chart', async () => {
    assert.ok(redis);
    const clock = new ManualClock(0);
    const caller = new PairCalls({
      redis,
      channels: channelsOf('nobody'),
      owner: 'a',
      clock,
      log,
      metrics: createMetrics(),
    });
    await caller.start();
    const answer = caller.ask(NAME);
    clock.advanceMs(3000);
    assert.equal(await answer, null);
    await caller.stop();
  });

  test('a malformed reply is dropped and counted, and the next reply is delivered', async () => {
    assert.ok(redis);
    const channels = channelsOf('malformed');
    const metrics = createMetrics();
    const caller = new PairCalls({ redis, channels, owner: 'a', clock: new ManualClock(0), log, metrics });
    await caller.start();
    const engine = await redis.subscribe(channels.calls, (bytes) => {
      const call = parseCall(bytes);
      assert.ok(call?.kind === 'ask-pair');
      void redis.command(['PUBLISH', call.replyTo, pack({ kind: 'pair', id: call.id, view: 'none' })]);
      void redis.command(['PUBLISH', call.replyTo, encodePairReply(call.id, VIEW)]);
    });
    assert.deepEqual(await caller.ask(NAME), VIEW);
    const outcomes = async () =>
      (await metrics.clusterMessages.get()).values.map(({ labels, value }) => [labels.outcome, value]);
    await until(async () => (await outcomes()).length === 2, 'both replies');
    assert.deepEqual(await outcomes(), [
      ['unreadable', 1],
      ['received', 1],
    ]);
    await caller.stop();
    await engine.close();
  });
});
