import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MINUTE_MS } from '../../src/base/times.ts';
import { Browser, text } from '../oauth/browser.ts';
import type { Person } from '../oauth/person.ts';
import { collectOnce, until } from '../support/service.ts';
import { ALERTS, AlertsSite, boxOf, CHANNELS, NEW, RULE } from './alerts-site.ts';

suite('alerts in the account area', () => {
  let site: AlertsSite;
  let baseUrl: string;
  before(async () => {
    site = await AlertsSite.start();
    baseUrl = site.baseUrl;
  });
  after(() => site.stop());
  const person = (name: string, plan?: 'developer') => site.person(name, plan);
  const open = (one: Person, path: string) => site.open(one, path);
  const create = (one: Person, fields?: Record<string, string | string[]>) => site.create(one, fields);

  test('"Alert me" on every list leads to the form with its filters; signed out by way of sign-in', async () => {
    const visitor = new Browser();
    const { browser } = await person('reader', 'developer');
    for (const [path, operation] of [
      ['/funding?coin=BTC&exchange=OKX&sort=apr_desc', 'funding'],
      ['/spreads?coin=BTC', 'spreads'],
      ['/spreads/backtest?coin=BTC', 'spreads/backtest'],
      ['/listings?type=listing', 'listings'],
      ['/arbitrage?coin=BTC', 'arbitrage'],
    ] as const) {
      const page = await browser.open(`${baseUrl}${path}`);
      const href = /href="(\/account\/alerts\/new\?[^"]+)"[^>]*>(?:<svg[\s\S]*?<\/svg>)?\s*Alert me/.exec(
        page.html,
      )?.[1];
      assert.ok(href, `${path}: ${page.status}`);
      const query = new URL(href.replaceAll('&amp;', '&'), baseUrl).searchParams;
      assert.equal(query.get('operation'), operation);
      assert.equal(query.get('sort'), null);
    }
    assert.match((await visitor.open(`${baseUrl}/funding`)).html, /Alert me/);
    const target = `${NEW}?operation=funding&coin=BTC&exchange=OKX`;
    const signIn = await visitor.open(`${baseUrl}${target}`);
    assert.equal(signIn.url.pathname, '/sign-in');
    assert.equal(signIn.url.searchParams.get('return_to'), target);
    for (const path of ['/coins', '/exchanges'])
      assert.doesNotMatch((await visitor.open(`${baseUrl}${path}`)).html, /Alert me/);

    const one = await person('from-a-list');
    const form = await open(one, target);
    assert.match(form.html, /name="filter\.coin" value="BTC"/);
    assert.match(form.html, /name="filter\.exchange"[^>]*>.*?<option value="OKX" selected>/);
    assert.match(text(form), /0 of 1 alerts of the plan Demo/);
  });

  test('an alert is created, shown, edited, paused, resumed and deleted', async () => {
    const one = await person('whole-life', 'developer');
    const made = await create(one);
    assert.equal(made.status, 200);
    assert.equal(made.url.pathname, ALERTS, 'redirected');
    assert.match(text(made), /The alert is active\./);
    assert.match(text(made), /1 of 10 alerts of the plan Developer/);
    assert.match(text(made), /BTC over 0\.05 %/);
    assert.match(text(made), /Tell me when BTC funding rate on any venue goes above 0\.05 %\./);
    assert.match(text(made), /And when it is back below 0\.04 %/);
    assert.match(text(made), /whole-life@example\.com/, 'the address of the account is its first channel');
    assert.match(made.html, /href="\/funding\?coin=BTC"/);

    const ruleId = /edit\?rule=([^"]+)"/.exec(made.html)?.[1] ?? assert.fail();
    const edit = await open(one, `${ALERTS}/edit?rule=${ruleId}`);
    assert.match(edit.html, /name="bound" value="0\.05"/);
    assert.match(edit.html, /value="crosses"\s+required checked/);
    const saved = await one.browser.submit(
      edit,
      { ...RULE, name: 'BTC over 0.08 %', bound: '0.08', endpoint: boxOf(edit) },
      `${ALERTS}/edit`,
    );
    assert.match(text(saved), /The alert is saved\./);
    assert.match(text(saved), /goes above 0\.08 %/);

    const paused = await one.browser.submit(saved, {}, `${ALERTS}/pause`);
    assert.match(text(paused), /The alert is paused\./);
    const resumed = await one.browser.submit(paused, {}, `${ALERTS}/resume`);
    assert.match(text(resumed), /The alert is active again\./);
    const deleted = await one.browser.submit(resumed, {}, `${ALERTS}/delete`);
    assert.match(text(deleted), /The alert is deleted\./);
    assert.match(text(deleted), /0 of 10 alerts/);
  });

  test('bad input is shown on the form, which keeps what was typed', async () => {
    const one = await person('bad-input', 'developer');
    for (const [fields, words, field] of [
      [{ bound: 'much' }, /The value must be a number/, 'bound'],
      [{ hysteresis: '-1' }, /The reset distance must not be negative/, 'hysteresis'],
      [{ every_minutes: '1.5' }, /The pause must be a whole number/, 'every_minutes'],
      [
        { every_minutes: '4' },
        /The pause must be at least 5 on the Developer plan; use a longer pause, or choose a larger plan\./,
        'every_minutes',
      ],
      [{ figure: 'no_such' }, /The number must be a number of \/funding/, 'figure'],
      [{ kind: 'explodes' }, /When must be enters, leaves or crosses/, 'kind'],
      [{ endpoint: [] }, /Choose from one to ten ways to reach you/, 'endpoint'],
      [{ 'filter.min_rate_pct': 'x' }, /“Rate as paid, %”/, 'filter.min_rate_pct'],
      [{ 'filter.exchange': 'Nowhere' }, /Nowhere/, 'filter.exchange'],
    ] as const) {
      const page = await create(one, { name: 'Kept name <b>', ...fields } as Record<
        string,
        string | string[]
      >);
      assert.ok(page.status >= 400 && page.status < 500, `${JSON.stringify(fields)}: ${page.status}`);
      assert.match(text(page), words, JSON.stringify(fields));
      assert.match(page.html, /role="alert"/);
      assert.match(page.html, /name="name" value="Kept name &lt;b&gt;"/);
      assert.match(page.html, /name="filter\.coin" value="BTC"/);
      if (field)
        assert.match(page.html, new RegExp(`name="${field.replace('.', '\\.')}"[^>]*aria-invalid="true"`));
    }
    assert.match(
      text(await open(one, ALERTS)),
      /You have no channel/,
      'a refused form leaves nothing behind',
    );
    const unknown = await open(one, `${NEW}?operation=weather`);
    assert.equal(unknown.status, 404);
    assert.match(text(unknown), /There is no list “weather”/);
    assert.match(text(await open(one, NEW)), /Tell me when/);
    assert.equal((await open(one, `${ALERTS}/edit?rule=nope`)).status, 404);
  });

  test('beyond the limit of the plan the form is refused with the reason', async () => {
    const one = await person('limit');
    assert.match(text(await create(one)), /1 of 1 alerts of the plan Demo/);
    const refused = await create(one, { name: 'second' });
    assert.equal(refused.status, 403);
    assert.match(text(refused), /Demo/);
    assert.match(refused.html, /name="name" value="second"/);
  });

  test('a webhook shows its secret once, gets a signed test, and its secret is replaced', async () => {
    const one = await person('webhook', 'developer');
    const added = await site.addWebhook(one);
    const secret = /whsec_[\w-]+/.exec(added.html)?.[0];
    assert.ok(secret);
    const page = await open(one, ALERTS);
    assert.doesNotMatch(page.html, /whsec_/);
    await create(one);

    site.receiver.posts.length = 0;
    const tested = await one.browser.submit(await open(one, ALERTS), {}, `${ALERTS}/test`);
    assert.match(text(tested), /127\.0\.0\.1:\d+, ending in \.com: delivered/);
    assert.equal(site.receiver.posts[0]?.body.is_test, true);
    assert.match(String(site.receiver.posts[0]?.headers['perpwire-signature']), /^t=\d+,v1=[0-9a-f]{64}$/);

    site.receiver.reply({ status: 500 });
    const failed = await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/test`);
    assert.match(text(failed), /not delivered: HTTP 500/);
    site.receiver.reply({ status: 204 });

    const rotated = await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/rotate`);
    const replaced = /whsec_[\w-]+/.exec(rotated.html)?.[0];
    assert.ok(replaced && replaced !== secret);
    await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/test`);
    assert.match(
      String(site.receiver.posts.at(-1)?.headers['perpwire-signature']),
      /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
      'the old secret signs too',
    );

    const inUse = await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/remove`);
    assert.equal(inUse.status, 400);
    assert.match(text(inUse), /is used by/);
    await one.browser.submit(await open(one, ALERTS), {}, `${ALERTS}/delete`);
    const removed = await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/remove`);
    assert.match(text(removed), /The channel is removed\./);
  });

  test('a webhook is confirmed by the answer of its server, or with the code that it got', async () => {
    const one = await person('confirms', 'developer');
    assert.match(
      text(await site.addUnconfirmed(one, '/echo')),
      /confirm the webhook ?: before that, it gets no alert/,
    );
    const page = await open(one, ALERTS);
    assert.match(text(page), /not confirmed/);
    assert.match(text(page), /0 of 600 messages of this hour/);
    const confirmed = await one.browser.submit(page, {}, `${CHANNELS}/code`);
    assert.match(text(confirmed), /The channel is confirmed\./);
    assert.doesNotMatch(text(confirmed), /not confirmed/);

    site.receiver.confirm(false);
    await site.addUnconfirmed(one, '/silent');
    site.receiver.posts.length = 0;
    const sent = await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/code`);
    assert.match(text(sent), /A code was sent to the channel\./);
    const code = String(site.receiver.posts[0]?.body.challenge);
    const wrong = await one.browser.submit(sent, { code: 'AAAAAAAAAA' }, `${CHANNELS}/confirm`);
    assert.equal(wrong.status, 400);
    assert.match(text(wrong), /This is not the code that was sent last/);
    assert.match(wrong.html, /name="code"[^>]*aria-invalid="true" aria-describedby="fault"/);
    assert.match(
      text(await one.browser.submit(wrong, { code }, `${CHANNELS}/confirm`)),
      /The channel is confirmed\./,
    );
    site.receiver.reply({ status: 500 });
    const down = await one.browser.submit(
      await open(one, CHANNELS),
      { kind: 'discord', url: `${site.receiver.url}/api/webhooks/1/x` },
      `${CHANNELS}/new`,
    );
    assert.match(text(down), /The code could not be sent: Discord has a fault \(HTTP 500\)/);
    site.receiver.reply({ status: 204 });
    const again = await one.browser.submit(down, {}, `${CHANNELS}/code`);
    assert.match(text(again), /A code was sent to the channel\..*A message with a code was sent there\./);
    const [, typed] = /enter the code (\w{10})/.exec(String(site.receiver.posts.at(-1)?.body.content)) ?? [];
    const chat = await one.browser.submit(again, { code: typed ?? '' }, `${CHANNELS}/confirm`);
    assert.match(text(chat), /The channel is confirmed\./);
    site.receiver.confirm(true);
    const twice = await one.browser.submit(
      await open(one, CHANNELS),
      { kind: 'discord', url: `${site.receiver.url}/api/webhooks/1/x` },
      `${CHANNELS}/new`,
    );
    assert.equal(twice.status, 400);
    assert.match(text(twice), /You have this address already/);
  });

  test('addresses that are refused are shown on the form, which keeps them', async () => {
    const one = await person('refused-address');
    const add = async (kind: string, fields: Record<string, string>) =>
      await one.browser.submit(await open(one, CHANNELS), { kind, ...fields }, `${CHANNELS}/new`);
    const local = await add('webhook', { url: 'https://10.0.0.1/hook' });
    assert.equal(local.status, 400);
    assert.match(text(local), /public internet/);
    assert.match(local.html, /name="url" value="https:\/\/10\.0\.0\.1\/hook"[^>]*aria-invalid="true"/);
    assert.match(text(await add('slack', { url: 'https://evil.example/x' })), /address of a Slack webhook/);
    assert.match(text(await add('ntfy', { server: 'https://ntfy.sh', topic: 'a b' })), /The topic must be/);
    assert.equal((await add('pigeon', {})).status, 400);
  });

  test('the last deliveries are listed, with the reason of a failure', async () => {
    const one = await person('deliveries', 'developer');
    await site.addWebhook(one, '/down');
    assert.match(text(await open(one, ALERTS)), /Nothing was sent yet\./);
    await create(one, { kind: 'enters', 'filter.settles_within_minutes': '20', name: 'Settles soon' });
    site.receiver.reply({ status: 503 });
    const page = async () => text(await open(one, ALERTS));
    await until(async () => {
      if (/HTTP 503/.test(await page())) return true;
      site.clock.advanceMs(10 * MINUTE_MS);
      await collectOnce(site.running);
      await site.running.service.alerts.runOnce();
      return false;
    }, 'a failed delivery');
    assert.match(
      await page(),
      /Settles soon 127\.0\.0\.1:\d+, ending in \.com BTC.*HTTP 503.*; next attempt/,
    );
    assert.match(await page(), /No delivery has succeeded since/);
    site.receiver.reply({ status: 204 });
    site.clock.advanceMs(MINUTE_MS);
    await site.running.service.alerts.runOnce();
    assert.match(await page(), /Settles soon 127\.0\.0\.1:\d+, ending in \.com BTC.*delivered/);
    assert.doesNotMatch(await page(), /No delivery has succeeded since/);
  });

  test('a Telegram chat is linked with a code that the bot gets', async () => {
    site.running.service.startCollecting();
    const one = await person('telegram');
    const shown = await one.browser.submit(
      await open(one, CHANNELS),
      { kind: 'telegram' },
      `${CHANNELS}/new`,
    );
    const code = /\/start ([A-Z0-9]{12})/.exec(shown.html)?.[1] ?? assert.fail(text(shown));
    assert.match(shown.html, new RegExp(`https://t\\.me/perpwire_test_bot\\?start=${code}`));
    site.telegram.write(`/start ${code}`, { id: 4242, type: 'private', username: 'ada_l' });
    await until(() => {
      if (site.telegram.sent().some(({ chat_id }) => chat_id === 4242)) return true;
      // Among several processes the one that reads the bot's messages is found by a lease, which it looks for again and again.
      site.clock.advanceMs(500);
      return false;
    }, 'the answer of the bot');
    assert.match(text(await open(one, ALERTS)), /Telegram ada_l/);
    await one.browser.submit(await open(one, ALERTS), {}, `${CHANNELS}/test`);
    const message = site.telegram.sent().at(-1);
    assert.equal(message?.parse_mode, 'HTML');
    assert.match(String(message?.text), /Test/);
  });

  test('forms need the token of the session, and show nobody else’s alerts', async () => {
    const [mine, other] = [await person('mine', 'developer'), await person('other', 'developer')];
    const made = await create(mine);
    const ruleId = /edit\?rule=([^"]+)"/.exec(made.html)?.[1] ?? assert.fail();
    const endpointId = /name="endpoint" value="([^"]+)"/.exec(made.html)?.[1] ?? assert.fail();
    const forged = new URLSearchParams({ rule: ruleId, csrf: 'wrong' });
    assert.equal((await mine.browser.post(new URL(`${baseUrl}${ALERTS}/delete`), forged)).status, 403);

    const csrf = /name="csrf" value="([^"]+)"/.exec((await open(other, CHANNELS)).html)?.[1] ?? '';
    for (const path of [`${ALERTS}/pause`, `${ALERTS}/resume`, `${ALERTS}/delete`, `${ALERTS}/test`])
      assert.equal(
        (await other.browser.post(new URL(`${baseUrl}${path}`), new URLSearchParams({ csrf, rule: ruleId })))
          .status,
        404,
        path,
      );
    for (const action of ['test', 'code', 'confirm', 'rotate', 'resume', 'remove'])
      assert.equal(
        (
          await other.browser.post(
            new URL(`${baseUrl}${CHANNELS}/${action}`),
            new URLSearchParams({ csrf, endpoint: endpointId }),
          )
        ).status,
        404,
        action,
      );
    assert.equal((await open(other, `${ALERTS}/edit?rule=${ruleId}`)).status, 404);
    const stolen = await create(other, { endpoint: [endpointId] });
    assert.equal(stolen.status, 404, 'an alert cannot be sent to the channel of another account');
    assert.match(text(await open(mine, ALERTS)), /1 of 10 alerts/);
  });

  test('the link in a message pauses the alert after a button, without sign-in, once', async () => {
    const one = await person('pause-link', 'developer');
    await site.addWebhook(one);
    await create(one);
    site.receiver.posts.length = 0;
    await one.browser.submit(await open(one, ALERTS), {}, `${ALERTS}/test`);
    const link = String(site.receiver.posts.at(-1)?.body.pause_url);
    const reader = new Browser();
    const asked = await reader.open(link);
    assert.match(text(asked), /BTC over 0\.05 %/);
    assert.match(
      text(await open(one, ALERTS)),
      /BTC over 0\.05 % active/,
      'opening the link changes nothing',
    );
    assert.match(text(await reader.submit(asked, {}, '/alerts/pause')), /sends no more alerts/);
    assert.match(text(await open(one, ALERTS)), /BTC over 0\.05 % paused/);
    assert.equal((await reader.open(link)).status, 404);
    assert.equal((await reader.open(`${baseUrl}/alerts/pause?token=x`)).status, 404);
  });
});
