import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { ntfyChannel } from '../../../src/alerts/channels/ntfy.ts';
import type { GuardedPoster } from '../../../src/base/http/guarded-post.ts';
import { alertMessage } from './message.ts';
import {
  posterToThisMachine,
  type ScriptedReceiver,
  startScriptedReceiver,
  strictPoster,
} from './receiver.ts';
import { NEVER, OWNER, refusalOf, targetOf } from './targets.ts';

const NTFY_OK = JSON.stringify({ id: 'sPs71M8A2T', time: 1763222410, event: 'message', topic: 'my-alerts' });

let receiver: ScriptedReceiver;
let poster: GuardedPoster;
let strict: GuardedPoster;

before(async () => {
  receiver = await startScriptedReceiver({ status: 200 });
  poster = posterToThisMachine(1_000);
  strict = strictPoster();
});
after(async () => {
  await poster.close();
  await strict.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.posts.length = 0;
});

suite('ntfy', () => {
  const send = async (message = alertMessage()) => {
    const channel = ntfyChannel(poster);
    const target = await targetOf(channel, { server: receiver.url, topic: 'my-alerts' });
    return await channel.send(target, [message], NEVER);
  };

  test('posts the text, with title, click, tags and actions as headers', async () => {
    receiver.reply({ status: 200, headers: { 'content-type': 'application/json' }, body: NTFY_OK });
    assert.deepEqual(await send(), { isDelivered: true });
    const [request] = receiver.posts;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /my-alerts');
    assert.equal(request?.text, alertMessage().text);
    assert.equal(request?.headers.title, 'BTC & <b>friends</b> *over* 0.05 %');
    assert.equal(request?.headers.click, alertMessage().pageUrl);
    assert.equal(request?.headers.tags, 'chart_with_upwards_trend');
    assert.equal(
      request?.headers.actions,
      `view, Open the list, "${alertMessage().pageUrl}"; view, Pause this alert, "${alertMessage().pauseUrl}"`,
    );
  });

  test('a title beyond ASCII is encoded, one with line feeds cannot add headers', async () => {
    receiver.reply({ status: 200, body: NTFY_OK });
    await send(alertMessage({ ruleName: 'Über 5 %\r\nX-Evil: 1', isTest: true }));
    const headers = receiver.posts[0]?.headers ?? {};
    const encoded = /^=\?UTF-8\?B\?(.+)\?=$/.exec(String(headers.title))?.[1] ?? '';
    assert.equal(Buffer.from(encoded, 'base64').toString(), 'Test: Über 5 % X-Evil: 1');
    assert.equal(headers['x-evil'], undefined);
  });

  test('a long text is cut to 4,096 bytes between characters', async () => {
    receiver.reply({ status: 200, body: NTFY_OK });
    await send(alertMessage({ text: '€'.repeat(5_000) }));
    const body = receiver.posts[0]?.text ?? '';
    assert.ok(Buffer.byteLength(body) <= 4_096 && Buffer.byteLength(body) > 4_080);
    assert.match(body, /^€+…$/);
  });

  test('each refusal is a reason for people', async () => {
    const error = (http: number, code: number, words: string) => ({
      status: http,
      body: JSON.stringify({ code, http, error: words, link: 'https://ntfy.sh/docs/publish/#limitations' }),
    });
    for (const [reply, reason, isRetryable] of [
      [error(403, 40301, 'forbidden'), /does not allow to publish to this topic \(HTTP 403\)/, false],
      [
        error(429, 42901, 'limit reached: too many requests'),
        /limits how many messages it accepts \(HTTP 429\): limit reached/,
        true,
      ],
      [{ status: 502, body: '<html>' }, /the ntfy server has a fault \(HTTP 502\)/, true],
      [{ status: 200, body: '<html>some web site</html>' }, /does not answer like ntfy/, false],
      [
        { status: 302, headers: { location: 'http://10.0.0.1/' } },
        /redirect \(HTTP 302\), which is not followed/,
        false,
      ],
    ] as const) {
      receiver.reply(reply);
      const result = await send();
      assert.ok(!result.isDelivered);
      assert.match(result.reason, reason);
      assert.equal(result.isRetryable, isRetryable);
    }
    assert.equal(receiver.posts.length, 5, 'no redirect was followed');
  });

  test('a server that never answers is given up after the timeout, one that is away at once', async () => {
    receiver.reply(null);
    const silent = await send();
    assert.ok(!silent.isDelivered && silent.isRetryable);
    assert.match(silent.reason, /^the ntfy server: no answer within 1 s$/);
    const channel = ntfyChannel(poster);
    const closed = await startScriptedReceiver({ status: 200 });
    const target = await targetOf(channel, { server: closed.url, topic: 'x' });
    await closed.close();
    const away = await channel.send(target, [alertMessage()], NEVER);
    assert.ok(!away.isDelivered && away.isRetryable);
    assert.match(away.reason, /^the ntfy server: the connection was refused$/);
  });

  test('server and topic are checked; the default server is ntfy.sh', async () => {
    const channel = ntfyChannel(strict);
    const { target } = await channel.create({ topic: 'my-alerts' }, OWNER);
    assert.deepEqual(target, { server: 'https://ntfy.sh', topic: 'my-alerts' });
    for (const [server, topic, reason] of [
      ['http://ntfy.sh', 'x', /"server" cannot be used: .*https/],
      ['https://127.0.0.1', 'x', /"server" cannot be used: .*public internet/],
      ['https://[::1]', 'x', /"server" cannot be used: .*public internet/],
      ['https://a:b@ntfy.sh', 'x', /"server" cannot be used: .*password/],
      ['ntfy.sh', 'x', /"server" cannot be used/],
      ['https://ntfy.sh/x?y', 'x', /without a path/],
      ['https://ntfy.sh', 'a/b', /"topic" must be/],
      ['https://ntfy.sh', '', /"topic" must be/],
    ] as const)
      assert.match(await refusalOf(channel, { server, topic }), reason, `${server} ${topic}`);
  });
});
