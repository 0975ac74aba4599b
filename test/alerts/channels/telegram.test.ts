import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, type TestContext, test } from 'node:test';
import type { Channel } from '../../../src/alerts/channels/channel.ts';
import { type BotApi, openBotApi } from '../../../src/alerts/channels/telegram/bot-api.ts';
import { telegramChannel } from '../../../src/alerts/channels/telegram/channel.ts';
import { CODE_LIFETIME_MS, openChatLinks } from '../../../src/alerts/channels/telegram/chat-links.ts';
import { telegramUpdates } from '../../../src/alerts/channels/telegram/updates.ts';
import { createLog } from '../../../src/base/log.ts';
import { Problem } from '../../../src/base/problems.ts';
import { openSetting } from '../../accounts/setting.ts';
import { type FreshDatabase, freshSqlite, onBothDatabases } from '../../storage/databases.ts';
import { until } from '../../support/until.ts';
import { alertMessage } from './message.ts';
import { NEVER } from './targets.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from './telegram-server.ts';

const PRIVATE_CHAT = { id: 4242, type: 'private', first_name: 'Ada', username: 'ada_l' };
const GROUP = { id: -1001234567890, type: 'supergroup', title: 'Desk & friends' };

let telegram: TelegramServer;
let bot: BotApi;

before(async () => {
  telegram = await startTelegramServer();
  bot = openBotApi({ apiUrl: telegram.url, token: TOKEN });
});
after(async () => {
  await bot.close();
  await telegram.stop();
});
beforeEach(() => telegram.clear());

suite('messages of the bot', () => {
  const channel = () => telegramChannel({ bot, links: { take: async () => null } });
  const send = (message = alertMessage(), chatId = 4242, of: Channel = channel()) =>
    of.send(of.parseTarget({ chatId, title: 'Ada' }), [message], NEVER);

  test('sendMessage with HTML, escaped, without previews', async () => {
    assert.deepEqual(await send(), { isDelivered: true });
    assert.deepEqual(telegram.sent(), [
      {
        chat_id: 4242,
        text:
          '<b>BTC &amp; &lt;b&gt;friends&lt;/b&gt; *over* 0.05 %</b>\n' +
          `${alertMessage().text}\n` +
          '<a href="https://perpwire.example/funding?coin=BTC&amp;min_rate_pct=0.05">Open the list</a> · ' +
          '<a href="https://perpwire.example/alerts/pause?token=abc_def&amp;x=(1)">Pause this alert</a>',
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    ]);
  });

  test('a long text is cut so that Telegram counts at most 4,096 characters', async () => {
    await send(alertMessage({ text: '<😀'.repeat(4_000), isTest: true }));
    const text = String(telegram.sent()[0]?.text);
    const visible = text.replaceAll(/<[^>]+>/g, '').replaceAll(/&\w+;/g, '<');
    assert.ok(visible.length <= 4_096 && visible.length > 4_000, String(visible.length));
    assert.match(visible, /^Test: /);
    assert.ok(text.isWellFormed());
  });

  for (const [description, reason] of [
    ['Forbidden: bot was blocked by the user', /^the bot was blocked in Telegram$/],
    ['Forbidden: bot was kicked from the supergroup chat', /removed from this Telegram chat/],
    ['Forbidden: user is deactivated', /account was deleted/],
    ['Bad Request: chat not found', /does not know this chat/],
  ] as const)
    test(`${description}: the endpoint is paused`, async () => {
      telegram.fail('sendMessage', { error_code: description.startsWith('Bad') ? 400 : 403, description });
      const result = await send();
      assert.ok(!result.isDelivered && result.isGone && !result.isRetryable);
      assert.match(result.reason, reason);
    });

  test('429 waits for retry_after', async () => {
    telegram.fail('sendMessage', {
      error_code: 429,
      description: 'Too Many Requests: retry after 35',
      parameters: { retry_after: 35 },
    });
    assert.deepEqual(await send(), {
      isDelivered: false,
      reason: 'Telegram limits how many messages it accepts (HTTP 429)',
      isRetryable: true,
      retryAfterMs: 35_000,
    });
  });

  test('a group that became a supergroup gets the message under its new id', async () => {
    telegram.fail('sendMessage', {
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: GROUP.id },
    });
    assert.deepEqual(await send(alertMessage(), -55), { isDelivered: true });
    assert.deepEqual(
      telegram.sent().map(({ chat_id }) => chat_id),
      [-55, GROUP.id],
    );
  });

  test('a fault of Telegram or of the token is retried, and no reason contains the token', async () => {
    telegram.fail('sendMessage', { error_code: 502, description: 'Bad Gateway' });
    const fault = await send();
    assert.ok(!fault.isDelivered && fault.isRetryable);
    assert.match(fault.reason, /HTTP 502/);
    for (const [apiUrl, token, pattern] of [
      [telegram.url, '1:wrong', /operator must set a new token/],
      ['http://127.0.0.1:9', TOKEN, /^Telegram: the connection was refused$/],
    ] as const) {
      const other = openBotApi({ apiUrl, token });
      const result = await send(
        alertMessage(),
        1,
        telegramChannel({ bot: other, links: { take: async () => null } }),
      );
      await other.close();
      assert.ok(!result.isDelivered && result.isRetryable);
      assert.match(result.reason, pattern);
      assert.ok(!result.reason.includes(token));
    }
  });

  test('without a token the channel is not offered', async () => {
    const none = telegramChannel({ bot: null, links: { take: async () => null } });
    assert.equal(none.isOffered, false);
    assert.ok(!(await send(alertMessage(), 1, none)).isDelivered);
  });
});

suite('linking a chat', () => {
  const open = async (t: TestContext, fresh: FreshDatabase, link?: () => Promise<void>) => {
    const { storage, clock, accounts } = await openSetting(t, await fresh(t));
    const links = openChatLinks(storage.db, clock);
    const channel = telegramChannel({ bot, links });
    const linked: { accountId: string; target: unknown }[] = [];
    const updates = telegramUpdates({
      bot,
      links,
      link: async (accountId, code) => {
        await link?.();
        const { target } = await channel.create({ code }, { accountId, email: null });
        linked.push({ accountId, target });
      },
      baseUrl: 'https://perpwire.example',
      clock,
      log: createLog('silent'),
    });
    updates.start();
    t.after(() => updates.stop());
    const account = await accounts.accounts.create({ name: 'Ada' });
    /** Writes to the bot and returns its answer. */
    const answerTo = async (text: string, chat: Record<string, unknown> = PRIVATE_CHAT) => {
      const before = telegram.sent().length;
      telegram.write(text, chat);
      await until(() => telegram.sent().length > before, `an answer to ${text}`);
      const answer = telegram.sent().at(-1);
      assert.equal(answer?.chat_id, chat.id);
      return String(answer?.text);
    };
    return { links, channel, linked, updates, clock, accounts, accountId: account.id, answerTo };
  };

  onBothDatabases((fresh) => {
    test('/start CODE links the chat once, privately or in a group', async (t) => {
      const { links, linked, accountId, answerTo } = await open(t, fresh);
      const code = await links.issue(accountId);
      assert.match(await answerTo(`/start ${code}`), /^This chat is linked\./);
      assert.deepEqual(linked, [{ accountId, target: { chatId: 4242, title: 'ada_l' } }]);
      assert.match(await answerTo(`/start ${code}`, GROUP), /unknown, used, or older/, 'a code works once');
      assert.match(await answerTo(`/start ${code}`), /is linked/, 'a message that Telegram repeats');
      assert.equal(linked.length, 1);
      const second = await links.issue(accountId);
      assert.match(await answerTo(`/start@perpwire_test_bot ${second}`, GROUP), /is linked/);
      assert.deepEqual(linked[1]?.target, { chatId: GROUP.id, title: 'Desk & friends' });
      const polls = telegram.calls.filter(({ method }) => method === 'getUpdates');
      const offsets = polls.map(({ parameters }) => Number(parameters.offset));
      assert.deepEqual(polls.find(({ parameters }) => parameters.offset === 0)?.parameters, {
        offset: 0,
        timeout: 50,
        allowed_updates: ['message'],
      });
      assert.ok(Number(offsets.at(-1)) > 700_000_000, 'handled updates are confirmed');
    });

    test('a code that is old, replaced, mistyped or of another account links nothing', async (t) => {
      const { links, channel, linked, accountId, accounts, clock, answerTo } = await open(t, fresh);
      const replaced = await links.issue(accountId);
      const code = await links.issue(accountId);
      for (const wrong of [replaced, 'AAAABBBBCCCC', `${code}X`])
        assert.match(await answerTo(`/start ${wrong}`), /unknown, used, or older/);
      assert.match(await answerTo('/start'), /make a code on https:\/\/perpwire\.example\/account\/alerts/);
      clock.advanceMs(CODE_LIFETIME_MS);
      assert.match(await answerTo(`/start ${code}`), /unknown, used, or older/);
      assert.deepEqual(linked, []);

      // Whoever knows a code cannot use it for another account, nor before a chat has sent it.
      const other = await accounts.accounts.create({ name: 'Eve' });
      const fresher = await links.issue(accountId);
      const create = (accountOf: string) =>
        channel.create({ code: fresher }, { accountId: accountOf, email: null });
      await assert.rejects(async () => await create(accountId), Problem);
      await links.confirm(fresher, { chatId: 1, title: 'x' });
      await assert.rejects(async () => await create(other.id), Problem);
      assert.deepEqual((await create(accountId)).target, { chatId: 1, title: 'x' });
      await assert.rejects(async () => await create(accountId), Problem, 'used');
    });
  });

  test('a refusal of the account is written to the chat', async (t) => {
    const { links, accountId, answerTo } = await open(t, freshSqlite, async () => {
      throw new Problem('plan-limit', 'You have 20 channels already.');
    });
    const code = await links.issue(accountId);
    assert.equal(
      await answerTo(`/start ${code}`),
      'This chat cannot be linked: You have 20 channels already.',
    );
  });

  test('polling goes on after a refusal, a conflict and a retry_after', async (t) => {
    const failing = { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 3 } };
    telegram.fail('getUpdates', failing, { error_code: 409, description: 'Conflict' });
    const { links, accountId, clock, linked } = await open(t, freshSqlite);
    telegram.write(`/start ${await links.issue(accountId)}`, PRIVATE_CHAT);
    await until(() => {
      // Only the pauses pass. An answer that takes long must not make the code too old.
      if (clock.nextWakeMs !== null) clock.advanceMs(1_000);
      return telegram.sent().length === 1;
    }, 'the answer');
    assert.equal(linked.length, 1);
  });

  test('other messages are ignored, and a stop ends the long poll', async (t) => {
    const { updates, linked } = await open(t, freshSqlite);
    const polls = () => telegram.calls.filter(({ method }) => method === 'getUpdates').length;
    telegram.write('hello', { ...PRIVATE_CHAT, id: 777 });
    telegram.write('/starting ABC', { ...PRIVATE_CHAT, id: 777 });
    await until(() => polls() >= 2, 'the next poll');
    assert.deepEqual(
      telegram.sent().filter(({ chat_id }) => chat_id === 777),
      [],
    );
    assert.deepEqual(linked, []);
    await updates.stop();
  });
});
