import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { discordChannel } from '../../../src/alerts/channels/discord.ts';
import { slackChannel } from '../../../src/alerts/channels/slack.ts';
import type { GuardedPoster } from '../../../src/base/http/guarded-post.ts';
import { alertMessage } from './message.ts';
import {
  posterToThisMachine,
  type ScriptedReceiver,
  startScriptedReceiver,
  strictPoster,
} from './receiver.ts';
import { NEVER, OWNER, refusalOf, targetOf } from './targets.ts';

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

suite('Slack', () => {
  const send = async (message = alertMessage()) => {
    const channel = slackChannel(poster);
    const target = await targetOf(channel, { url: `${receiver.url}/services/T0/B0/secretsecret` });
    assert.doesNotMatch(channel.describe(target), /secretsecret/);
    return await channel.send(target, [message], NEVER);
  };

  test('posts blocks of plain text, escaped, with links; the reply is "ok"', async () => {
    receiver.reply({ status: 200, body: 'ok' });
    assert.deepEqual(await send(), { isDelivered: true });
    const [request] = receiver.posts;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /services/T0/B0/secretsecret');
    assert.equal(request?.headers['content-type'], 'application/json');
    const body = JSON.parse(request?.text ?? '');
    assert.match(body.text, /^BTC &amp; &lt;b&gt;friends&lt;\/b&gt; \*over\* 0\.05 %: BTC_USDT funding/);
    assert.deepEqual(body.blocks[0], {
      type: 'section',
      text: {
        type: 'plain_text',
        text: `BTC &amp; &lt;b&gt;friends&lt;/b&gt; *over* 0.05 %\n${alertMessage().text}`,
        emoji: false,
      },
    });
    assert.deepEqual(body.blocks[1], {
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          text: '<https://perpwire.example/funding?coin=BTC&amp;min_rate_pct=0.05|Open the list> · <https://perpwire.example/alerts/pause?token=abc_def&amp;x=(1)|Pause this alert>',
        },
      ],
    });
    assert.deepEqual([body.unfurl_links, body.unfurl_media], [false, false]);
  });

  test('a mention in a name stays text, a long text is cut at the limit of a block', async () => {
    receiver.reply({ status: 200, body: 'ok' });
    await send(alertMessage({ ruleName: '<!channel>', text: 'x'.repeat(10_000) }));
    const body = JSON.parse(receiver.posts[0]?.text ?? '');
    assert.ok(!JSON.stringify(body).includes('<!channel>'));
    assert.match(body.blocks[0].text.text, /^&lt;!channel&gt;\nx+…$/);
    assert.ok(body.blocks[0].text.text.replaceAll(/&[lg]t;/g, '<').length <= 3000);
  });

  for (const [status, body, reason] of [
    [404, 'no_service', /removed or disabled/],
    [410, 'channel_is_archived', /archived/],
    [404, 'channel_not_found', /does not exist any more/],
    [403, 'action_prohibited', /administrator/],
    [403, 'invalid_token', /token/],
  ] as const)
    test(`${body} pauses the endpoint`, async () => {
      receiver.reply({ status, body });
      const result = await send();
      assert.ok(!result.isDelivered && result.isGone && !result.isRetryable);
      assert.match(result.reason, reason);
    });

  test('429 waits for Retry-After; a fault of Slack is retried; a bad payload is not', async () => {
    receiver.reply({ status: 429, headers: { 'retry-after': '30' } });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason: 'Slack limits how many messages it accepts (HTTP 429)',
      isRetryable: true,
      retryAfterMs: 30_000,
    });
    receiver.reply({ status: 500, body: 'rollup_error' });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason: 'Slack has a fault (HTTP 500): rollup_error',
      isRetryable: true,
    });
    receiver.reply({ status: 400, body: 'invalid_payload' });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason: 'Slack refused the message (HTTP 400): invalid_payload',
      isRetryable: false,
    });
  });

  test('only addresses of Slack are accepted', async () => {
    const channel = slackChannel(strict);
    await channel.create({ url: ' https://hooks.slack.com/services/T0/B0/x ' }, OWNER);
    for (const url of [
      '',
      'hooks.slack.com/services/T0/B0/x',
      'http://hooks.slack.com/services/T0/B0/x',
      'https://hooks.slack.com.evil.example/services/T0/B0/x',
      'https://evil.example/services/T0/B0/x',
      'https://hooks.slack.com:8443/services/T0/B0/x',
      'https://a:b@hooks.slack.com/services/T0/B0/x',
      'https://hooks.slack.com/other',
      'http://127.0.0.1/services/T0/B0/x',
    ])
      assert.match(await refusalOf(channel, { url }), /^"url" must be the address of a Slack webhook/, url);
  });
});

suite('Discord', () => {
  const send = async (message = alertMessage()) => {
    const channel = discordChannel(poster);
    const target = await targetOf(channel, { url: `${receiver.url}/api/webhooks/1234/tokentoken` });
    assert.doesNotMatch(channel.describe(target), /tokentoken/);
    return await channel.send(target, [message], NEVER);
  };

  test('posts content with escaped Markdown, no mentions and no embeds; the reply is 204', async () => {
    receiver.reply({ status: 204 });
    assert.deepEqual(await send(), { isDelivered: true });
    const [request] = receiver.posts;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /api/webhooks/1234/tokentoken');
    assert.equal(request?.headers['content-type'], 'application/json');
    const body = JSON.parse(request?.text ?? '');
    assert.deepEqual([body.allowed_mentions, body.flags], [{ parse: [] }, 4]);
    assert.equal(
      body.content,
      '**BTC & \\<b\\>friends\\</b\\> \\*over\\* 0.05 %**\n' +
        'BTC\\_USDT funding on Bybit is +0.052 % per 8 h (57 % APR), above your 0.05 %. As of 16:00:10 UTC.\n' +
        '[Open the list](<https://perpwire.example/funding?coin=BTC&min_rate_pct=0.05>) · ' +
        '[Pause this alert](<https://perpwire.example/alerts/pause?token=abc_def&x=(1%29>)',
    );
  });

  test('a long text is shortened to 2,000 characters, and the links stay whole', async () => {
    receiver.reply({ status: 204 });
    await send(alertMessage({ text: '*_'.repeat(5_000) }));
    const { content } = JSON.parse(receiver.posts[0]?.text ?? '');
    assert.ok(content.length <= 2_000 && content.length > 1_900, String(content.length));
    assert.match(content, /…\n\[Open the list\]\(<[^>]+>\) · \[Pause this alert\]\(<[^>]+>\)$/);
    assert.doesNotMatch(content, /(^|[^\\])\\…/, 'no escape is cut in two');
  });

  test('a deleted webhook and a wrong token pause the endpoint', async () => {
    receiver.reply({ status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' });
    const deleted = await send();
    assert.ok(!deleted.isDelivered && deleted.isGone);
    assert.match(deleted.reason, /deleted/);
    receiver.reply({ status: 401, body: '{"message": "Invalid Webhook Token", "code": 50027}' });
    const wrong = await send();
    assert.ok(!wrong.isDelivered && wrong.isGone);
    assert.match(wrong.reason, /token/);
  });

  test('429 waits for retry_after, which has a fraction', async () => {
    const body = '{"message": "You are being rate limited.", "retry_after": 0.529, "global": false}';
    receiver.reply({ status: 429, headers: { 'retry-after': '1' }, body });
    const result = await send();
    assert.ok(!result.isDelivered && result.isRetryable);
    assert.equal(result.retryAfterMs, 529);
  });

  test('other refusals have the words of Discord', async () => {
    receiver.reply({
      status: 400,
      body: '{"message": "Webhooks posted to forum channels must have a thread_name", "code": 220001}',
    });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason:
        'Discord refused the message (HTTP 400): Webhooks posted to forum channels must have a thread_name',
      isRetryable: false,
    });
    receiver.reply({ status: 502, body: '<html>Bad gateway</html>' });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason: 'Discord has a fault (HTTP 502)',
      isRetryable: true,
    });
  });

  test('only addresses of Discord are accepted', async () => {
    const channel = discordChannel(strict);
    await channel.create({ url: 'https://discord.com/api/webhooks/1234/a-b_c' }, OWNER);
    await channel.create({ url: 'https://discordapp.com/api/v10/webhooks/1234/abc' }, OWNER);
    for (const url of [
      'https://discord.com/channels/1/2',
      'https://discord.com.evil.example/api/webhooks/1/a',
      'https://evil.example/api/webhooks/1/a',
      'http://10.0.0.1/api/webhooks/1/a',
      'javascript:alert(1)',
    ])
      assert.match(await refusalOf(channel, { url }), /^"url" must be the address of a Discord webhook/, url);
  });
});
