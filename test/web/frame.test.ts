import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

suite('the frame of pages', () => {
  let running: Running;
  let cookie: string;
  before(async () => {
    running = await runService({ venues: ['binance', 'okx'], coins: 6 });
    await collectOnce(running);
    // Live data: a snapshot of now is too new for visitors.
    const person = await signedUp(running.service, 'reader@example.com', 'pro');
    cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  });
  after(() => running.stop());
  const open = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${running.service.baseUrl}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie, ...init.headers },
    });
  const choose = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    open('/preferences', { method: 'POST', body: new URLSearchParams(fields), headers });

  test('settings are kept in a cookie, without scripts, and the page returns', async () => {
    const reply = await choose({ theme: 'dark', palette: 'blue', zone: 'local', back: '/funding?unit=apr' });
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/funding?unit=apr']);
    const kept = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    assert.equal(kept, 'pw_view=theme=dark&palette=blue&zone=local');
    const page = await (await open('/plans', { headers: { cookie: kept } })).text();
    assert.match(page, /<html lang="en" data-theme="dark" data-palette="blue" data-zone="local"/);
    assert.match(
      await (await open('/plans')).text(),
      /<html lang="en" data-zone="utc"/,
      'others see their own',
    );
  });

  test('a value that is not allowed changes nothing, and no form leads to another site', async () => {
    const reply = await choose({ theme: '"><script>', back: '//evil.example' });
    assert.equal(reply.headers.get('location'), '/');
    assert.equal((reply.headers.get('set-cookie') ?? '').split(';')[0], 'pw_view=');
  });

  test('a form of another site sets nothing', async () => {
    const reply = await choose({ theme: 'dark', back: '/' }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(reply.headers.get('set-cookie'), null);
  });

  test('search: coins by ticker and by name, venues in any case, documents', async () => {
    const find = async (q: string) => {
      const reply = await open(`/search.json?${new URLSearchParams({ q })}`);
      return ((await reply.json()) as { found: { kind: string; name: string; path: string }[] }).found;
    };
    assert.deepEqual((await find('bitcoin'))[0]?.path, '/funding/BTC');
    assert.deepEqual((await find('btc'))[0]?.path, '/funding/BTC');
    assert.deepEqual((await find('OK'))[0]?.path, '/exchanges/OKX');
    assert.equal((await find('streams')).at(0)?.kind, 'doc');
    assert.deepEqual(await find('nosuchthing'), []);
    const page = await (await open('/search?q=bitcoin')).text();
    assert.match(page, /<a href="\/funding\/BTC">/, 'without scripts too');
  });

  test('an address with empty, repeated or loosely typed values is redirected to the clean one', async () => {
    for (const [sent, clean] of [
      ['/spreads?coin=&exchange=okx&min_volume_usdt=1m', '/spreads?exchange=OKX&min_volume_usdt=1000000'],
      ['/funding?coin=bitcoin&view=matrix&unit=8h', '/funding?coin=BTC'],
      ['/funding?interval_hours=1&interval_hours=4&is_inverse=', '/funding?interval_hours=1,4'],
      ['/funding?is_inverse=false&min_volume_usdt=1,000,000', '/funding'],
      ['/funding?page=1', '/funding'],
    ] as const) {
      const reply = await open(sent);
      assert.deepEqual([reply.status, reply.headers.get('location')], [302, clean], sent);
      assert.equal((await open(clean)).status, 200, clean);
    }
  });

  test('a wrong filter keeps the form and what was typed, and names no parameter', async () => {
    const reply = await open('/funding?view=table&min_apr_pct=lots');
    const page = await reply.text();
    assert.equal(reply.status, 400);
    assert.match(
      page,
      /That filter does not work:<\/b> least APR if held for a year, after fees, % must be a number/,
    );
    assert.match(page, /name="min_apr_pct" value="lots"/);
  });

  test('the page of the status of venues follows a stream too', async () => {
    const page = await (await open('/status')).text();
    assert.match(page, /<div [^>]*id="results" data-live /);
    assert.match(page, /src="[^"]*live[^"]*"/);
    const stop = new AbortController();
    const reply = await open('/live/status?since=2020-01-01T00:00:00Z', { signal: stop.signal });
    assert.match(String(reply.headers.get('content-type')), /^text\/event-stream/);
    let received = '';
    for await (const chunk of reply.body ?? []) {
      received += Buffer.from(chunk).toString();
      if (received.includes('\n\n')) break;
    }
    stop.abort();
    const data = /^event: snapshot\ndata: (.+)$/m.exec(received)?.[1] ?? assert.fail(received);
    const { as_of: asOf, html } = JSON.parse(data) as { as_of: string; html: string };
    assert.ok(Date.parse(asOf) > 0);
    assert.match(html, /<tr data-key="\w+">/);
  });

  test('the stream of a page sends its new content, and nothing that the browser has', async () => {
    const page = await (await open('/funding')).text();
    const asOf = /data-as-of="([^"]+)"/.exec(page)?.[1] ?? '';
    const stop = new AbortController();
    const reply = await open('/live/funding?since=2020-01-01T00:00:00Z', { signal: stop.signal });
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/);
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of reply.body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.includes('\n\n')) break;
    }
    const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as { as_of: string; html: string };
    assert.equal(data.as_of, asOf);
    assert.match(data.html, /<tr data-key="BTC">/);
    stop.abort();
    assert.equal((await open('/live/more')).status, 404, 'a page that is not live has none');
  });

  test('the stream of a page has a request id', async () => {
    const stop = new AbortController();
    const reply = await open('/live/funding', { headers: { 'x-request-id': 'mine' }, signal: stop.signal });
    assert.equal(reply.headers.get('x-request-id'), 'mine');
    stop.abort();
  });

  test('every page has Sign out in the menu of the account, and a form of another site signs nobody out', async () => {
    const leaver = await signedUp(running.service, 'leaver@example.com', 'pro');
    const { baseUrl } = running.service;
    const cookies = {
      cookie: [...leaver.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    };
    for (const path of ['/funding', '/plans', '/account/keys']) {
      const page = await (await open(path, { headers: cookies })).text();
      const [menu = ''] = /<details class="acct"[\s\S]*?<\/details>/.exec(page) ?? [];
      assert.match(menu, /leaver@example\.com/, path);
      assert.match(menu, /<form method="post" action="\/sign-out">/, path);
    }
    const leave = (headers: Record<string, string>) =>
      open('/sign-out', { method: 'POST', body: new URLSearchParams(), headers: { ...cookies, ...headers } });
    const isIn = async () => (await open('/account', { headers: cookies })).status === 200;
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: baseUrl, 'sec-fetch-site': 'same-site' },
      {},
    ];
    for (const headers of foreign) {
      assert.equal((await leave(headers)).status, 403, JSON.stringify(headers));
      assert.ok(await isIn());
    }
    const reply = await leave({ origin: baseUrl, 'sec-fetch-site': 'same-origin' });
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/']);
    assert.ok(!(await isIn()));
  });

  test('marks of venues: the licensed ones, a letter for the others', async () => {
    const mark = await (await open('/icons/okx.svg')).text();
    assert.match(mark, /viewBox="67 3 18 18"/);
    assert.doesNotMatch(mark, /<text/);
  });
});
