import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openStores } from '../../../src/accounts/accounts.ts';
import { type ChatLinks, openChatLinks } from '../../../src/alerts/channels/telegram/chat-links.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { Deployment, type Member, missingServers } from '../../cluster/deployment.ts';
import { until } from '../../support/until.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from './telegram-server.ts';

const skip = await missingServers();

suite('the bot among several processes', { skip }, () => {
  let deployment: Deployment;
  let telegram: TelegramServer;
  let storage: Storage;
  let links: ChatLinks;
  let accountId: string;

  before(async () => {
    telegram = await startTelegramServer();
    deployment = await Deployment.start({
      venues: ['binance'],
      coins: 5,
      settings: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: telegram.url },
    });
    await Promise.all((['collector', 'api', 'api'] as const).map((role) => deployment.add(role)));
    const log = createLog('silent');
    storage = await openStorage({ databaseUrl: deployment.databaseUrl, sqliteFile: '', log });
    const { accounts } = openStores(storage, systemClock, new Map());
    accountId = (await accounts.create({ name: 'Ada', plan: 'pro' })).id;
    links = openChatLinks(storage.db, systemClock);
  });
  after(async () => {
    await storage.close();
    await deployment.stop();
    await telegram.stop();
  });

  const isOwner = async ({ adminUrl }: Member) => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    return /perpwire_lease_held\{[^}]*lease="alerts"[^}]*\} 1/.test(metrics);
  };
  const apis = () => deployment.members.filter(({ role }) => role === 'api');
  const linkChat = async (chatId: number) => {
    telegram.write(`/start ${await links.issue(accountId)}`, {
      id: chatId,
      type: 'private',
      username: 'ada',
    });
    await until(() => telegram.sent().some(({ chat_id }) => chat_id === chatId), `the answer to ${chatId}`);
  };
  const answersTo = (chatId: number) => telegram.sent().filter(({ chat_id }) => chat_id === chatId);

  test('one process reads the messages, and another one after it was killed', async () => {
    await linkChat(1);
    const owners = await Promise.all(apis().map(isOwner));
    assert.equal(owners.filter(Boolean).length, 1);
    await linkChat(2);
    await deployment.kill(apis()[owners.indexOf(true)] as Member);
    await linkChat(3);
    for (const chatId of [1, 2, 3])
      assert.match(String(answersTo(chatId)[0]?.text), /^This chat is linked/, String(chatId));
    assert.equal(telegram.conflicts(), 0, 'no two processes polled at the same time');
    const stored = await storage.db.selectFrom('alert_endpoints').select('kind').execute();
    assert.equal(stored.length, 3);
  });
});
