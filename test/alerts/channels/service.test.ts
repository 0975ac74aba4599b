import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Delivery, Endpoint } from '../../../src/alerts/alerts.ts';
import { openChatLinks } from '../../../src/alerts/channels/telegram/chat-links.ts';
import { ManualClock } from '../../../src/base/clock.ts';
import { MINUTE_MS } from '../../../src/base/times.ts';
import { collectOnce, type Running, runService, until } from '../../support/service.ts';
import { parseMail, type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts';
import { type ScriptedReceiver, startScriptedReceiver } from './receiver.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from './telegram-server.ts';

const CHAT = 4242;

/** One rule whose alerts go through the whole service to every channel. */
/** Channels without a digest. */
const AT_ONCE = ['telegram', 'discord', 'slack', 'ntfy'] as const;

suite('an alert on every channel', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 16, 9, 30));
  let running: Running;
  let receiver: ScriptedReceiver;
  let telegram: TelegramServer;
  let smtp: SmtpServer;
  let accountId: string;

  const alerts = () => running.service.alerts.alerts;
  const endpoint = async (kind: Endpoint['kind'], words = ''): Promise<Endpoint> =>
    (await alerts().endpoints(accountId)).find(
      (one) => one.kind === kind && one.description.includes(words),
    ) ?? assert.fail(`no ${kind} ${words}`);
  const deliveries = async ({ id }: Endpoint): Promise<Delivery[]> =>
    (await alerts().deliveries(accountId)).filter(({ endpointId }) => endpointId === id);
  const next = async (byMs: number) => {
    clock.advanceMs(byMs);
    await collectOnce(running);
    await running.service.alerts.runOnce();
  };

  /** As the owner does who types the code of the message. */
  const confirmed = async ({ endpoint: { id, state } }: { endpoint: Endpoint }) => {
    if (state === 'active') return;
    assert.deepEqual((await alerts().sendCode(accountId, id)).result, { isDelivered: true });
    const { text } = receiver.posts.pop() ?? assert.fail();
    await alerts().confirmEndpoint(accountId, id, /enter the code (\w{10})/.exec(text)?.[1] ?? '');
  };
  before(async () => {
    [receiver, telegram, smtp] = await Promise.all([
      startScriptedReceiver({ status: 204 }),
      startTelegramServer(),
      startSmtpServer(),
    ]);
    receiver.reply(({ path }) => {
      if (path.startsWith('/services')) return { status: 200, body: 'ok' };
      return path === '/my-topic' ? { status: 200, body: '{"event":"message"}' } : { status: 204 };
    });
    running = await runService({
      venues: ['binance', 'okx'],
      coins: 8,
      clock,
      settings: {
        ALERT_NETWORKS: 'loopback',
        SMTP_URL: smtp.url,
        TELEGRAM_BOT_TOKEN: TOKEN,
        TELEGRAM_API_URL: telegram.url,
      },
    });
    await collectOnce(running);
    const account = await running.service.accounts.accounts.create({
      name: 'Ada',
      plan: 'pro',
      email: 'ada@example.com',
    });
    accountId = account.id;
    const code = (await running.service.alerts.telegram?.issueCode(accountId)) ?? '';
    const { storage } = running.service.context;
    await openChatLinks(storage.db, clock).confirm(code, { chatId: CHAT, title: 'ada_l' });
    for (const [kind, input] of [
      ['email', {}],
      ['email', { digest: '60' }],
      ['telegram', { code }],
      ['discord', { url: `${receiver.url}/api/webhooks/1/abc` }],
      ['slack', { url: `${receiver.url}/services/T/B/x` }],
      ['ntfy', { server: receiver.url, topic: 'my-topic' }],
    ] as const)
      await confirmed(await alerts().createEndpoint(accountId, kind, input));
    await alerts().createRule(accountId, {
      name: 'Settles soon',
      operation: 'funding',
      query: 'settles_within_minutes=20&coin=BTC',
      condition: { kind: 'enters' },
      everyMinutes: 1,
      endpointIds: (await alerts().endpoints(accountId)).map(({ id }) => id),
    });
    await running.service.alerts.runOnce();
  });
  after(async () => {
    await running.stop();
    await Promise.all([receiver.close(), telegram.stop(), smtp.stop()]);
  });

  test('each gets the sentence, and a digest comes an hour later in one mail', async () => {
    await until(async () => {
      if (telegram.sent().length > 0) return true;
      await next(10 * MINUTE_MS);
      return false;
    }, 'a settlement of BTC');
    const isSent = async (kind: (typeof AT_ONCE)[number]) =>
      (await deliveries(await endpoint(kind))).every(({ state }) => state !== 'waiting');
    // An account has four deliveries at a time, so some channels wait for the next turn.
    await until(async () => {
      await running.service.alerts.runOnce();
      return (await Promise.all(AT_ONCE.map(isSent))).every(Boolean);
    }, 'the other channels');
    const events = await deliveries(await endpoint('telegram'));
    assert.ok(events.length > 0);
    for (const kind of AT_ONCE) {
      const sent = await deliveries(await endpoint(kind));
      assert.deepEqual(
        sent.map(({ eventId, state, reason }) => [eventId, state, reason]),
        events.map(({ eventId }) => [eventId, 'delivered', null]),
        kind,
      );
    }
    const [{ text }] = events as [Delivery];
    assert.match(
      text,
      /^BTC\S* funding on (Binance|OKX) is [+-]\S+ % per \d h \(.* % APR\)\..*As of \d\d:\d\d:\d\d UTC\.$/,
    );
    assert.ok(telegram.sent().some((message) => String(message.text).includes(text)));
    const bodies = (path: string) => receiver.posts.filter((one) => one.path.startsWith(path));
    assert.ok(bodies('/services').some((post) => post.text.includes(text)));
    assert.ok(bodies('/my-topic').some((post) => post.text === text));
    assert.equal(bodies('/api/webhooks').length, events.length);
    assert.equal(smtp.received.length, events.length, 'one mail for each alert at once');

    const digest = await endpoint('email', 'an hour');
    assert.ok((await deliveries(digest)).every(({ state }) => state === 'waiting'));
    const before = smtp.received.length;
    clock.advanceMs(61 * MINUTE_MS);
    await running.service.alerts.runOnce();
    assert.equal(smtp.received.length, before + 1, 'one mail with all of them');
    assert.ok((await deliveries(digest)).every(({ state }) => state === 'delivered'));
  });

  test('a blocked bot pauses its endpoint, and the owner gets a mail', async () => {
    const blocked = { error_code: 403, description: 'Forbidden: bot was blocked by the user' };
    telegram.fail('sendMessage', ...Array.from({ length: 50 }, () => blocked));
    await until(async () => {
      if ((await endpoint('telegram')).state === 'paused') return true;
      await next(10 * MINUTE_MS);
      return false;
    }, 'the paused endpoint');
    assert.equal((await endpoint('telegram')).pausedReason, 'the bot was blocked in Telegram');
    await until(
      () => smtp.received.some((mail) => /ada_l, because the bot was blocked/.test(parseMail(mail).text)),
      'the mail to the owner',
    );
    assert.equal((await endpoint('slack')).state, 'active');
  });
});
