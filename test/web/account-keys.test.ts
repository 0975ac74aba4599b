import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { type Page, text } from '../oauth/browser.ts';
import { type Person, signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const KEY = /pw_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/;
const ALL = ['funding:read', 'history:read', 'spreads:read', 'listings:read', 'usage:read'];
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;

suite('keys in the account area, without scripts', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  before(async () => {
    // At noon: the requests of a test must not be counted in two months.
    clock = new ManualClock(Math.floor(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS);
    running = await runService({ venues: ['binance'], coins: 5, clock });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const keysPage = ({ browser }: Person) => browser.open(`${baseUrl}/account/keys`);
  const create = async (person: Person, fields: Record<string, string | string[]> = {}): Promise<Page> =>
    await person.browser.submit(
      await keysPage(person),
      { name: 'robot', scope: ALL, ...fields },
      '/account/keys/create',
    );
  const change = async (person: Person, what: string, fields: Record<string, string> = {}): Promise<Page> =>
    await person.browser.submit(await keysPage(person), fields, `/account/keys/${what}`);
  const keyIn = (page: Page): string => KEY.exec(page.html)?.[0] ?? assert.fail(text(page));
  const call = async (key: string, path = '/api/v1/funding?coin=BTC') =>
    (await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  const day = (fromNowMs: number) => new Date(clock.nowMs() + fromNowMs).toISOString().slice(0, 10);

  test('a new key is shown once, works at once, and only for its scopes', async () => {
    const person = await signedUp(running.service, 'creates@example.com');
    const page = await create(person, { scope: ['funding:read'] });
    const key = keyIn(page);
    assert.equal(page.status, 200);
    assert.equal(await call(key), 200);
    assert.equal(await call(key, '/api/v1/usage'), 403);
    const again = await keysPage(person);
    assert.doesNotMatch(again.html, KEY);
    assert.match(text(again), /robot pw_live_\w{6}… funding \d+ \w+ \d{4} never 1 of 500,000 Rotate/);
  });

  test('a form redirects, so a reload creates no second key; the key is in no address', async () => {
    const person = await signedUp(running.service, 'reloads@example.com');
    const page = await create(person);
    const key = keyIn(page);
    assert.equal(page.url.href, `${baseUrl}/account/keys`);
    for (const [name, value] of person.browser.cookies) assert.ok(!value.includes(key), name);
    assert.doesNotMatch((await person.browser.open(page.url)).html, KEY);
    assert.equal((await running.service.accounts.keys.list(person.accountId)).length, 1);
  });

  /** Creates a key as a browser does, but does not follow the redirect; returns the cookie that carries the key. */
  const carriedKey = async ({ browser }: Person): Promise<string> => {
    const { html } = await browser.open(`${baseUrl}/account/keys`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const reply = await fetch(`${baseUrl}/account/keys/create`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: baseUrl,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams({ csrf, name: 'robot', scope: 'usage:read' }).toString(),
    });
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/account/keys']);
    const kept = /pw_kept=([^;]+)/.exec(reply.headers.getSetCookie().join('\n'))?.[1] ?? '';
    assert.notEqual(kept, '');
    return kept;
  };
  const pageWith = async (person: Person, kept: string): Promise<string> => {
    person.browser.cookies.set('pw_kept', kept);
    return (await keysPage(person)).html;
  };

  test('the cookie that carries a new key is of no use in another session, and shows it once', async () => {
    const owner = await signedUp(running.service, 'carries@example.com');
    const kept = await carriedKey(owner);
    assert.doesNotMatch(await pageWith(await signedUp(running.service, 'takes@example.com'), kept), KEY);
    assert.match(await pageWith(owner, kept), KEY);
    assert.doesNotMatch(await pageWith(owner, kept), KEY, 'a copy of the cookie, in the same session');
    const respelled = `${kept.slice(0, -1)}${String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1)}`;
    assert.doesNotMatch(await pageWith(owner, respelled), KEY, 'another spelling of the same bytes');
  });

  test('the cookie that carries a new key is of no use after a minute', async () => {
    const owner = await signedUp(running.service, 'tarries@example.com');
    const kept = await carriedKey(owner);
    clock.advanceMs(MINUTE_MS);
    assert.doesNotMatch(await pageWith(owner, kept), KEY);
    const next = await carriedKey(owner);
    clock.advanceMs(MINUTE_MS - 1);
    assert.match(await pageWith(owner, next), KEY);
  });

  test('revoking asks once: the button is behind a question', async () => {
    const person = await signedUp(running.service, 'thinks@example.com');
    await create(person);
    const { html } = await keysPage(person);
    const [question = ''] =
      /<details class="confirm"><summary class="btn danger">Revoke.*?<\/details>/s.exec(html) ?? [];
    assert.match(question, /action="\/account\/keys\/revoke".*Revoke robot \(/s);
    assert.match(question, /Yes, revoke it/);
    const rest = html.replace(question, '');
    assert.doesNotMatch(rest, /\/account\/keys\/revoke/);
  });

  test('rates of a venue that stopped answering are marked with their age, and a long range is shortened', async () => {
    const person = await signedUp(running.service, 'watches@example.com');
    await collectOnce(running);
    const open = async (path: string) => (await person.browser.open(`${baseUrl}${path}`)).html;
    assert.doesNotMatch(await open('/funding/BTC'), /min late/);
    clock.advanceMs(3 * MINUTE_MS);
    await running.service.publisher.publish(clock.nowMs());
    assert.match(await open('/funding/BTC'), /<span class="tag warn" title="Binance is 3 min late">/);
    for (const path of ['/funding?view=table', '/exchanges/Binance'])
      assert.match(
        await open(path),
        /<span class="tag warn" title="[^"]*3 minutes before[^"]*">3\u00a0min old/,
        path,
      );
    for (const path of ['/funding/ETH', '/exchanges/Binance'])
      assert.match(await open(path), /Binance is 3 minutes late\./, path);
    assert.match(
      await open('/funding/BTC/history?days=9999'),
      /You asked for 9,999 days\. At most 730 days are shown at once\./,
    );
  });

  test('last used: never, then the time of the call', async () => {
    const person = await signedUp(running.service, 'uses@example.com');
    const key = keyIn(await create(person));
    assert.match(text(await keysPage(person)), /robot pw_live_\w{6}… .* never 0 of/);
    await call(key);
    clock.advanceMs(MINUTE_MS);
    await running.service.accounts.flushUsage();
    assert.match(text(await keysPage(person)), /robot pw_live_\w{6}… .* 1 min ago 1 of/);
  });

  test('rotation shows a new key, and the old one works for another 24 hours', async () => {
    const person = await signedUp(running.service, 'rotates@example.com');
    const old = keyIn(await create(person));
    const page = await change(person, 'rotate');
    const next = keyIn(page);
    assert.notEqual(next, old);
    assert.match(text(page), /goes on working for 24 hours/);
    assert.match(text(page), /rotated out works until \d{4}-/);
    clock.advanceMs(DAY_MS - HOUR_MS);
    assert.deepEqual([await call(old), await call(next)], [200, 200]);
    clock.advanceMs(HOUR_MS);
    assert.deepEqual([await call(old), await call(next)], [401, 200]);
  });

  test('a revoked key stops at once and is listed among those that no longer work', async () => {
    const person = await signedUp(running.service, 'revokes@example.com');
    const key = keyIn(await create(person));
    const page = await change(person, 'revoke');
    assert.equal(await call(key), 401);
    assert.match(text(page), /You have no key that works/);
    assert.match(text(page), /Keys that no longer work \(1\)/);
  });

  test('a key works through the day that its owner chose, and a new day can be chosen', async () => {
    const person = await signedUp(running.service, 'expires@example.com');
    const key = keyIn(await create(person, { expires: day(0) }));
    assert.equal(await call(key), 200);
    const page = await change(person, 'expiry', { expires: day(3 * DAY_MS) });
    assert.match(text(page), new RegExp(`now works through ${day(3 * DAY_MS)}`));
    clock.advanceMs(2 * DAY_MS);
    assert.equal(await call(key), 200);
    clock.advanceMs(2 * DAY_MS);
    assert.equal(await call(key), 401);
    await change(person, 'expiry', { expires: day(DAY_MS) });
    assert.equal(await call(key), 200, 'an expired key comes back with a new expiry');
  });

  test('without a day a key works for a year', async () => {
    const person = await signedUp(running.service, 'year@example.com');
    await create(person, { expires: '' });
    const [key] = await running.service.accounts.keys.list(person.accountId);
    assert.equal(key?.expiresAtMs, clock.nowMs() + 365 * DAY_MS);
  });

  suite('refused forms show the reason and the fields as sent', () => {
    let person: Person;
    before(async () => {
      person = await signedUp(running.service, 'mistakes@example.com');
    });
    const refusals: readonly [string, Record<string, string | string[]>, RegExp][] = [
      ['no name', { name: ' ' }, /A name has 1 to 100 characters/],
      ['a name of two lines', { name: 'a\nb' }, /A name has 1 to 100 characters/],
      ['a name that is too long', { name: 'n'.repeat(101) }, /A name has 1 to 100 characters/],
      ['no scope', { scope: [] }, /at least one scope/],
      ['a scope that does not exist', { scope: ['funding:write'] }, /"funding:write" is not a scope/],
      ['a day in the past', { expires: '2020-01-01' }, /must be a time in the future/],
      ['a day after 2100', { expires: '2100-01-02' }, /before the year 2100/],
      ['a day that no month has', { expires: '2027-02-30' }, /"2027-02-30" is not a day/],
      ['a day in words', { expires: 'tomorrow' }, /"tomorrow" is not a day/],
    ];
    for (const [what, fields, reason] of refusals) {
      test(what, async () => {
        const page = await create(person, fields);
        assert.equal(page.status, 400);
        assert.match(text(page), reason);
        assert.deepEqual(await running.service.accounts.keys.list(person.accountId), []);
        if (fields.name === undefined) assert.match(page.html, /name="name" value="robot"/);
      });
    }

    test('an expiry that is not a day', async () => {
      const owner = await signedUp(running.service, 'badexpiry@example.com');
      await create(owner);
      const page = await change(owner, 'expiry', { expires: '' });
      assert.equal(page.status, 400);
      assert.match(text(page), /"" is not a day/);
    });

    test('one key more than the plan has', async () => {
      const demo = await signedUp(running.service, 'full@example.com', 'demo');
      await create(demo);
      const page = await create(demo, { name: 'second' });
      assert.equal(page.status, 400);
      assert.match(text(page), /The Demo plan has 1 key, and all are in use/);
    });

    for (const what of ['rotate', 'revoke', 'expiry']) {
      test(`another user's key: ${what}`, async () => {
        const owner = await signedUp(running.service, `owner-${what}@example.com`);
        const key = keyIn(await create(owner));
        const thief = await signedUp(running.service, `thief-${what}@example.com`);
        await create(thief);
        const [owned] = await running.service.accounts.keys.list(owner.accountId);
        const page = await change(thief, what, { key: owned?.id ?? '', expires: day(DAY_MS) });
        assert.equal(page.status, 400);
        assert.match(text(page), /You have no such key/);
        assert.equal(await call(key), 200);
        assert.deepEqual(await running.service.accounts.keys.list(owner.accountId), [owned]);
      });
    }
  });

  test('a form without the right token, from elsewhere, or after signing out changes nothing', async () => {
    const person = await signedUp(running.service, 'forged@example.com');
    const page = await keysPage(person);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const url = new URL('/account/keys/create', baseUrl);
    const fields = (token: string) =>
      new URLSearchParams({ csrf: token, name: 'forged', scope: 'usage:read' });
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await person.browser.post(url, fields('wrong'))).status, 403);
    assert.equal((await person.browser.post(url, fields(csrf), foreign)).status, 403);
    await person.browser.submit(await person.browser.open(`${baseUrl}/account`), {}, '/sign-out');
    assert.equal((await person.browser.post(url, fields(csrf))).status, 403);
    assert.deepEqual(await running.service.accounts.keys.list(person.accountId), []);
  });

  test('account pages redirect to sign-in, which returns to the requested page', async () => {
    const person = await signedUp(running.service, 'returns@example.com');
    await person.browser.submit(await person.browser.open(`${baseUrl}/account`), {}, '/sign-out');
    for (const path of ['/account', '/account/keys']) {
      const page = await person.browser.open(`${baseUrl}${path}`);
      assert.equal(page.url.pathname, '/sign-in');
      assert.equal(page.url.searchParams.get('return_to'), path);
    }
  });

  test('markup in the names of keys and accounts is escaped', async () => {
    const person = await signedUp(running.service, 'markup@example.com');
    const made = await create(person, { name: HOSTILE });
    const refused = await create(person, { name: `${HOSTILE}${'n'.repeat(100)}` });
    await running.service.context.storage.db
      .updateTable('accounts')
      .set({ name: HOSTILE, email: null })
      .where('id', '=', person.accountId)
      .execute();
    const account = await person.browser.open(`${baseUrl}/account`);
    for (const page of [made, refused, account, await keysPage(person)]) {
      assert.match(page.html, /&lt;img src=x onerror=alert\(1\)&gt;/);
      assert.doesNotMatch(page.html, /<img src=x|<script>alert/);
    }
  });

  test('a cached page of one user is never shown to another, nor after the plan has changed', async () => {
    const [ann, bob] = [
      await signedUp(running.service, 'ann@example.com', 'pro'),
      await signedUp(running.service, 'bob@example.com', 'pro'),
    ];
    const page = `${baseUrl}/funding?coin=ETH`;
    const who = async ({ browser }: Person) =>
      /class="who">(?:<a [^>]*>)?([^<]*)</.exec((await browser.open(page)).html)?.[1];
    for (let again = 0; again < 2; again++) {
      assert.equal(await who(ann), 'ann@example.com');
      assert.equal(await who(bob), 'bob@example.com');
      assert.match(await (await fetch(page)).text(), /class="who"><a class="btn" href="\/sign-in">/);
    }
    await running.service.accounts.accounts.setPlan(ann.accountId, 'demo');
    assert.match((await ann.browser.open(page)).html, /Delayed 15 min/);
    assert.doesNotMatch((await bob.browser.open(page)).html, /Delayed 15 min/);
    await bob.browser.submit(await bob.browser.open(`${baseUrl}/account`), {}, '/sign-out');
    assert.equal(await who(bob), 'Sign in');
  });

  test('signed in, the pages show the data of the plan: live for Pro, delayed for Demo and visitors', async () => {
    const pro = await signedUp(running.service, 'live@example.com', 'pro');
    const demo = await signedUp(running.service, 'delayed@example.com', 'demo');
    await collectOnce(running);
    clock.advanceMs(16 * MINUTE_MS);
    await collectOnce(running);
    const funding = `${baseUrl}/funding?coin=BTC`;
    const live = await pro.browser.open(funding);
    const delayed = await demo.browser.open(funding);
    assert.match(live.html, />live@example\.com</);
    assert.doesNotMatch(live.html, /Delayed 15 min/);
    assert.match(delayed.html, /Delayed 15 min/);
    assert.match(await (await fetch(funding)).text(), /Delayed 15 min/);
    assert.match(
      text(await pro.browser.open(`${baseUrl}/account`)),
      /Plan Pro live data, 730 days of history/,
    );
  });
});
