import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { Browser, text } from '../oauth/browser.ts';
import { PASSWORD, type Person, signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS;

suite('usage and sessions in the account area, without scripts', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  before(async () => {
    clock = new ManualClock(NOON_MS);
    running = await runService({ venues: ['binance'], coins: 5, clock });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const newKey = (person: Person, name: string) =>
    running.service.accounts.keys.create({ accountId: person.accountId, name });
  const call = (key: string) =>
    fetch(`${baseUrl}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  const signIn = async (email: string): Promise<Browser> => {
    const browser = new Browser();
    await browser.submit(await browser.open(`${baseUrl}/sign-in`), { email, password: PASSWORD });
    return browser;
  };

  test('requests per day and per hour of each key, as bars and as a table', async () => {
    const person = await signedUp(running.service, 'charts@example.com');
    const first = await newKey(person, 'first');
    const second = await newKey(person, 'second');
    await call(first.text);
    clock.advanceMs(HOUR_MS);
    await call(first.text);
    await call(first.text);
    await call(second.text);
    await running.service.accounts.flushUsage();
    const show = (key: string, span: string) =>
      person.browser.open(`${baseUrl}/account/usage?key=${key}&span=${span}`);
    const barsIn = (html: string) => html.slice(html.indexOf('<main')).match(/<rect /g);
    const today = new Date(NOON_MS).toISOString().slice(0, 10);

    const days = await show(first.key.id, 'day');
    assert.match(text(days), /3 calls in the last 30 days/);
    assert.match(days.html, new RegExp(`<title>${today}: 3</title>`));
    assert.match(days.html, new RegExp(`<td>${today}</td><td class="num">3</td>`));
    assert.equal(barsIn(days.html)?.length, 1, 'days without calls have no bar');
    assert.match(days.html, /<p class="y-axis"[^>]*><span>4<\/span><span>2<\/span><span>0<\/span>/);

    const hours = await show(first.key.id, 'hour');
    assert.match(hours.html, new RegExp(`<title>${today} 12:00 UTC: 1</title>`));
    assert.match(hours.html, new RegExp(`<title>${today} 13:00 UTC: 2</title>`));
    assert.equal(barsIn(hours.html)?.length, 2);

    assert.match(text(await show(second.key.id, 'day')), /1 call in the last 30 days/);
  });

  test('without a key the page links to creating one', async () => {
    const person = await signedUp(running.service, 'nokey@example.com');
    const page = await person.browser.open(`${baseUrl}/account/usage`);
    assert.equal(page.status, 200);
    assert.match(page.html, /<a class="btn pri" href="\/account\/keys">Create a key<\/a>/);
  });

  test("another user's key gives the same answer as one that does not exist", async () => {
    const owner = await signedUp(running.service, 'owns@example.com');
    const { key } = await newKey(owner, 'private name');
    const person = await signedUp(running.service, 'peeks@example.com');
    await newKey(person, 'mine');
    for (const id of [key.id, 'key_nosuch', '"><img src=x>']) {
      const page = await person.browser.open(`${baseUrl}/account/usage?key=${encodeURIComponent(id)}`);
      assert.equal(page.status, 404);
      assert.match(text(page), /You have no such key/);
      assert.doesNotMatch(page.html, /private name|<img src=x/);
    }
  });

  test('markup in the name of a key is escaped', async () => {
    const person = await signedUp(running.service, 'marked@example.com');
    await newKey(person, '<img src=x onerror=alert(1)>');
    const page = await person.browser.open(`${baseUrl}/account/usage`);
    assert.match(page.html, /&lt;img src=x onerror=alert\(1\)&gt;/);
    assert.doesNotMatch(page.html, /<img src=x/);
  });

  test('sessions: each browser is listed, one can be signed out, and all others', async () => {
    const { browser, email } = await signedUp(running.service, 'sessions@example.com');
    const others = [await signIn(email), await signIn(email), await signIn(email)];
    const isIn = async (one: Browser) =>
      (await one.open(`${baseUrl}/account/sessions`)).url.pathname === '/account/sessions';
    const path = `${baseUrl}/account/sessions`;
    const page = await browser.open(path);
    const entries = page.html.split('<li class="session">').slice(1);
    const foreign = entries.filter((entry) => !entry.includes('this browser'));
    assert.deepEqual([entries.length, foreign.length], [4, 3]);

    const id = /name="session" value="(\w+)"/.exec(foreign[0] ?? '')?.[1];
    await browser.submit(page, { session: id ?? '' }, '/account/sessions/end');
    const stillIn = await Promise.all(others.map(isIn));
    assert.equal(stillIn.filter(Boolean).length, 2);

    await browser.submit(await browser.open(path), {}, '/account/sessions/end-others');
    assert.deepEqual(await Promise.all(others.map(isIn)), [false, false, false]);
    assert.ok(await isIn(browser));
  });

  test("another user's session cannot be ended, nor any without the form's token", async () => {
    const victim = await signedUp(running.service, 'stays@example.com');
    const attacker = await signedUp(running.service, 'ends@example.com');
    const [session] = await running.service.people.sessions.list(victim.accountId);
    const page = await attacker.browser.open(`${baseUrl}/account/sessions`);
    await attacker.browser.submit(page, { session: session?.id ?? '' }, '/account/sessions/end');
    for (const path of ['end', 'end-others']) {
      const url = new URL(`/account/sessions/${path}`, baseUrl);
      const fields = new URLSearchParams({ csrf: 'wrong', session: session?.id ?? '' });
      assert.equal((await victim.browser.post(url, fields)).status, 403);
    }
    assert.deepEqual(await running.service.people.sessions.list(victim.accountId), [session]);
  });

  test('usage and sessions require sign-in', async () => {
    for (const path of ['/account/usage', '/account/sessions']) {
      const page = await new Browser().open(`${baseUrl}${path}`);
      assert.equal(page.url.pathname, '/sign-in');
      assert.equal(page.url.searchParams.get('return_to'), path);
    }
  });
});
