import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { type Running, runService } from '../support/service.ts';
import { Browser, type Page, text } from './browser.ts';
import { mailedLink, PASSWORD, signedUp } from './person.ts';

suite('sign-up, sign-in and sign-out', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance'], coins: 5, clock });
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const signIn = async (browser: Browser, email: string, password: string): Promise<Page> =>
    await browser.submit(await browser.open(`${baseUrl}/sign-in`), { email, password });
  const isSignedIn = async (browser: Browser): Promise<boolean> =>
    (await browser.open(`${baseUrl}/account/assistants`)).url.pathname === '/account/assistants';

  test('sign-up creates the account only with both the mailed link and the password', async () => {
    const browser = new Browser();
    const email = 'new@example.com';
    await browser.submit(await browser.open(`${baseUrl}/sign-up`), {
      email: 'New@Example.com ',
      password: PASSWORD,
    });
    assert.equal(await running.service.accounts.accounts.find(email), null);
    const verify = await browser.open(mailedLink(running.service, email));
    assert.match(
      text(await browser.submit(verify, { password: 'not the password' })),
      /not the password that/,
    );
    assert.equal(await running.service.accounts.accounts.find(email), null);
    const done = await browser.submit(verify, { password: PASSWORD });
    assert.equal(done.url.pathname, '/account');
    const account = await running.service.accounts.accounts.find(email);
    assert.equal(account?.plan, 'demo');
    const other = new Browser();
    const used = await other.submit(await other.open(mailedLink(running.service, email)), {
      password: PASSWORD,
    });
    assert.match(text(used), /used already/);
  });

  test('a used or expired link is refused with the reason', async () => {
    const browser = new Browser();
    const email = 'late@example.com';
    await browser.submit(await browser.open(`${baseUrl}/sign-up`), { email, password: PASSWORD });
    const link = mailedLink(running.service, email);
    clock.advanceMs(HOUR_MS + 1000);
    const page = await browser.submit(await browser.open(link), { password: PASSWORD });
    assert.equal(page.status, 400);
    assert.match(text(page), /too old/);
  });

  test('signing up with a known address looks the same, and only its owner gets a mail about it', async () => {
    await signedUp(running.service, 'known@example.com');
    const pages: string[] = [];
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const browser = new Browser();
      const page = await browser.submit(await browser.open(`${baseUrl}/sign-up`), {
        email,
        password: 'another password',
      });
      pages.push(`${page.status} ${text(page)}`);
    }
    assert.equal(pages[0], pages[1]);
    assert.match(mailedLink(running.service, 'known@example.com'), /reset-password/);
    const browser = new Browser();
    assert.equal((await signIn(browser, 'known@example.com', 'another password')).status, 400);
  });

  test('a wrong password and an unknown address get the same message', async () => {
    const wrong = await signIn(new Browser(), 'known@example.com', 'wrong password');
    const unknown = await signIn(new Browser(), 'nobody@example.com', 'wrong password');
    const words = (page: Page) => text(page).replace(/\S+@example\.com/, '');
    assert.equal(words(wrong), words(unknown));
    assert.match(text(wrong), /The e-mail address or the password is wrong/);
  });

  for (const [name, fields, message] of [
    ['a short password', { email: 'a@example.com', password: 'short' }, /10 to 200 characters/],
    ['no address', { email: 'nonsense', password: PASSWORD }, /not an e-mail address/],
    ['a huge password', { email: 'a@example.com', password: 'x'.repeat(300) }, /10 to 200 characters/],
  ] as const) {
    test(`signing up with ${name} says what to change`, async () => {
      const browser = new Browser();
      const page = await browser.submit(await browser.open(`${baseUrl}/sign-up`), fields);
      assert.equal(page.status, 400);
      assert.match(text(page), message);
    });
  }

  test('after ten wrong passwords even the right one waits, and then works', async () => {
    await signedUp(running.service, 'guessed@example.com');
    const browser = new Browser();
    for (let i = 0; i < 10; i++) await signIn(browser, 'guessed@example.com', `guess number ${i}`);
    const stopped = await signIn(browser, 'guessed@example.com', PASSWORD);
    assert.match(text(stopped), /Too many attempts; try again in \d+ min/);
    clock.advanceMs(16 * MINUTE_MS);
    await signIn(browser, 'guessed@example.com', PASSWORD);
    assert.ok(await isSignedIn(browser));
  });

  test('the session cookie is HttpOnly, SameSite and signed; signing out ends it for good', async () => {
    const person = await signedUp(running.service, 'leaves@example.com');
    const cookie = person.browser.cookies.get('pw_session') ?? '';
    const page = await person.browser.open(`${baseUrl}/account`);
    await person.browser.submit(page, {}, '/sign-out');
    assert.ok(!person.browser.cookies.has('pw_session'));
    const thief = new Browser();
    thief.cookies.set('pw_session', cookie);
    assert.ok(!(await isSignedIn(thief)));
    const form = await fetch(`${baseUrl}/sign-in`);
    assert.match(form.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Lax/);
    assert.match(form.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.match(form.headers.get('content-security-policy') ?? '', /; form-action 'self'$/);
  });

  test('a session with a forged signature, or of two weeks ago, is not signed in', async () => {
    const person = await signedUp(running.service, 'old@example.com');
    const [token = ''] = (person.browser.cookies.get('pw_session') ?? '').split('.');
    const forger = new Browser();
    forger.cookies.set('pw_session', `${token}.${'A'.repeat(43)}`);
    assert.ok(!(await isSignedIn(forger)));
    clock.advanceMs(14 * DAY_MS + 1000);
    assert.ok(!(await isSignedIn(person.browser)));
  });

  test('changing the password needs the old one, ends other sessions and keeps this one', async () => {
    const person = await signedUp(running.service, 'changes@example.com');
    const other = new Browser();
    await signIn(other, person.email, PASSWORD);
    const form = await person.browser.open(`${baseUrl}/account/password`);
    const wrong = await person.browser.submit(form, {
      current: 'not this one',
      password: 'the next password',
    });
    assert.equal(wrong.status, 400);
    await person.browser.submit(wrong, { current: PASSWORD, password: 'the next password' });
    assert.ok(await isSignedIn(person.browser));
    assert.ok(!(await isSignedIn(other)));
    assert.equal((await signIn(new Browser(), person.email, PASSWORD)).status, 400);
    const again = new Browser();
    await signIn(again, person.email, 'the next password');
    assert.ok(await isSignedIn(again));
  });

  test('a forgotten password is reset by a mailed link that works once', async () => {
    const person = await signedUp(running.service, 'forgets@example.com');
    const browser = new Browser();
    await browser.submit(await browser.open(`${baseUrl}/forgot-password`), { email: person.email });
    const link = mailedLink(running.service, person.email);
    const form = await browser.open(link);
    await browser.submit(form, { password: 'remembered now' });
    assert.ok(!(await isSignedIn(person.browser)), 'sessions of before are ended');
    await signIn(browser, person.email, 'remembered now');
    assert.ok(await isSignedIn(browser));
    const second = await new Browser();
    const used = await second.submit(await second.open(link), { password: 'a third password' });
    assert.match(text(used), /used already/);
  });

  test('requesting a reset looks the same for known and unknown addresses, and mails the known one only', async () => {
    const before = running.service.people.mailer.messages?.length ?? 0;
    const pages: string[] = [];
    for (const email of ['forgets@example.com', 'stranger@example.com']) {
      const browser = new Browser();
      pages.push(text(await browser.submit(await browser.open(`${baseUrl}/forgot-password`), { email })));
    }
    assert.equal(pages[0], pages[1]);
    assert.equal(running.service.people.mailer.messages?.length, before + 1);
  });

  test('the mail that one visitor can trigger is limited', async () => {
    clock.advanceMs(2 * HOUR_MS);
    const browser = new Browser();
    let page: Page | null = null;
    for (let i = 0; i < 21; i++)
      page = await browser.submit(await browser.open(`${baseUrl}/forgot-password`), {
        email: `p${i}@example.com`,
      });
    assert.match(page ? text(page) : '', /Too many attempts/);
  });

  test('an account made by the operator gets its password by reset', async () => {
    clock.advanceMs(2 * HOUR_MS);
    await running.service.accounts.accounts.create({
      name: 'By hand',
      email: 'byhand@example.com',
      plan: 'pro',
    });
    const browser = new Browser();
    await browser.submit(await browser.open(`${baseUrl}/forgot-password`), { email: 'byhand@example.com' });
    await browser.submit(await browser.open(mailedLink(running.service, 'byhand@example.com')), {
      password: 'chosen by me',
    });
    await signIn(browser, 'byhand@example.com', 'chosen by me');
    assert.ok(await isSignedIn(browser));
  });

  test('mail that was not sent can be read on a loopback address', async () => {
    const page = await new Browser().open(`${baseUrl}/development/mail`);
    assert.match(text(page), /Choose a new password/);
  });

  test('sign-up during a consent returns to the consent', async () => {
    const browser = new Browser();
    const email = 'onward@example.com';
    await browser.submit(await browser.open(`${baseUrl}/sign-up?return_to=/account/password`), {
      email,
      password: PASSWORD,
    });
    const done = await browser.submit(await browser.open(mailedLink(running.service, email)), {
      password: PASSWORD,
    });
    assert.equal(done.url.pathname, '/account/password');
  });
});
