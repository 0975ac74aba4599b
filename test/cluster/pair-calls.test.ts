import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { channelsOf } from '../../src/cluster/channels.ts';
import { unpack } from '../../src/cluster/envelope.ts';
import { encodePairReply, type PairCall, PairCalls } from '../../src/cluster/pair-calls.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { launchRedis } from '../support/servers.ts';

const server = await launchRedis();
const skip = typeof server === 'string' ? server : false;
const redis =
  typeof server === 'string' ? null : await openRedis({ url: server.url, log: createLog('silent') });
after(async () => {
  await redis?.close();
  if (typeof server !== 'string') await server.stop();
});

const NAME = { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 } as const;
const VIEW = { fromMinute: 5, spreadsPct: Float32Array.of(1, 2), cycles: [] };

suite('asking the engine about a pair', { skip }, () => {
  test('every caller gets the answer to its own question', async () => {
    assert.ok(redis);
    const channels = channelsOf('pairs');
    const engine = await redis.subscribe(channels.calls, (bytes) => {
      const message = unpack(bytes);
      assert.ok(message);
      const { id, replyTo, name } = message.head as unknown as PairCall;
      const view = name.coin === 'BTC' ? VIEW : null;
      void redis.command(['PUBLISH', replyTo, encodePairReply(id, view)]);
    });
    const callers = ['a', 'b'].map(
      (owner) => new PairCalls({ redis, channels, owner, clock: new ManualClock(0) }),
    );
    for (const caller of callers) await caller.start();
    const answers = await Promise.all(
      callers.flatMap((caller) => [caller.ask(NAME), caller.ask({ ...NAME, coin: 'ETH' })]),
    );
    assert.deepEqual(answers, [VIEW, null, VIEW, null]);
    for (const caller of callers) await caller.stop();
    await engine.close();
  });

  test('when nobody answers in time there is no chart', async () => {
    assert.ok(redis);
    const clock = new ManualClock(0);
    const caller = new PairCalls({ redis, channels: channelsOf('nobody'), owner: 'a', clock });
    await caller.start();
    const answer = caller.ask(NAME);
    clock.advanceMs(3000);
    assert.equal(await answer, null);
    await caller.stop();
  });
});
