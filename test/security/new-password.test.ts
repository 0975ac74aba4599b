import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { Browser, text } from '../oauth/browser.ts';
import { callTool, OAuthClient } from '../oauth/client.ts';
import { mailedLink, PASSWORD, type Person, signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';
import { Stranger } from './stranger.ts';

const NEXT = 'the next password';

suite('what a new password ends', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance'], coins: 5, clock });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const requestLink = async (email: string): Promise<string> => {
    const browser = new Browser();
    await browser.submit(await browser.open(`${baseUrl}/forgot-password`), { email });
    return mailedLink(running.service, email);
  };
  const reset = async (link: string, fields: Record<string, string> = {}) => {
    const browser = new Browser();
    return await browser.submit(await browser.open(link), { password: NEXT, ...fields });
  };
  const change = async ({ browser }: Person, fields: Record<string, string> = {}) =>
    await browser.submit(await browser.open(`${baseUrl}/account/password`), {
      current: PASSWORD,
      password: NEXT,
      ...fields,
    });
  const isStale = async (link: string): Promise<boolean> =>
    /used already, is too old/.test(text(await reset(link)));

  test('an older reset link dies with a newer one', async () => {
    const { email } = await signedUp(running.service, 'newer@example.com');
    const older = await requestLink(email);
    const newer = await requestLink(email);
    assert.notEqual(older, newer);
    assert.ok(await isStale(older));
    assert.equal((await reset(newer)).url.pathname, '/sign-in', 'a refused link ends no other');
  });

  test('a reset link dies with its use, and with a password change', async () => {
    const person = await signedUp(running.service, 'used@example.com');
    const used = await requestLink(person.email);
    await change(person);
    assert.ok(await isStale(used), 'after a change of the password');
    const second = await requestLink(person.email);
    await reset(second);
    assert.ok(await isStale(second), 'after its use');
  });

  test('a sign-up of a stranger does not end the link of the owner', async () => {
    clock.advanceMs(2 * HOUR_MS);
    const email = 'pending@example.com';
    const browser = new Browser();
    const signUp = async (password: string) =>
      await browser.submit(await browser.open(`${baseUrl}/sign-up`), { email, password });
    await signUp(PASSWORD);
    const link = mailedLink(running.service, email);
    await signUp('password of a stranger');
    const done = await browser.submit(await browser.open(link), { password: PASSWORD });
    assert.equal(done.url.pathname, '/account');
  });

  test('a sign-in with the old password that is under way during a reset gets no session', async () => {
    clock.advanceMs(2 * HOUR_MS);
    const { email } = await signedUp(running.service, 'under-way@example.com');
    const link = await requestLink(email);
    const thief = await Stranger.at(baseUrl);
    const sessions: string[] = [];
    let isReset = false;
    const signIn = async () => {
      while (!isReset) {
        const { headers } = await thief.post('/sign-in', { email, password: PASSWORD }, '198.51.100.1');
        sessions.push(/pw_session=([^;]*)/.exec(headers.getSetCookie().join())?.[1] ?? '');
      }
    };
    const thieves = [signIn(), signIn(), signIn(), signIn()];
    await until(() => sessions.length > 4);
    await reset(link);
    isReset = true;
    await Promise.all(thieves);
    for (const session of sessions) {
      const browser = new Browser();
      browser.cookies.set('pw_session', session);
      assert.equal((await browser.open(`${baseUrl}/account`)).url.pathname, '/sign-in');
    }
  });

  /** A known device has ten attempts of its own, whatever strangers at its address have used up. */
  const endsDevices = async (person: Person, device: string) => {
    const { email } = person;
    const guess = async (cookie: string) => {
      const browser = new Browser();
      browser.cookies.set('pw_device', cookie);
      const page = await browser.open(`${baseUrl}/sign-in`);
      return text(await browser.submit(page, { email, password: 'wrong password' }));
    };
    for (let i = 0; i < 10; i++) assert.match(await guess(''), /password is wrong/);
    assert.match(await guess(device), /Too many attempts/, 'the old device is one of the strangers');
    const browser = new Browser();
    const link = await requestLink(email);
    await browser.submit(await browser.open(link), { password: NEXT });
    assert.match(
      await guess(browser.cookies.get('pw_device') ?? ''),
      /password is wrong/,
      'a new one is not',
    );
  };

  for (const how of ['reset', 'change'] as const) {
    for (const isRevoking of [false, true]) {
      test(`a ${how} ends sessions${isRevoking ? ' and assistants, and keys when asked to' : ', assistants and known devices, and no keys'}`, async () => {
        clock.advanceMs(2 * HOUR_MS);
        const person = await signedUp(running.service, `${how}-${isRevoking}@example.com`);
        const { accountId, email } = person;
        const client = new OAuthClient(baseUrl);
        const { access, refresh } = await client.connect(person);
        assert.equal((await callTool(baseUrl, access, 'svc_get_usage')).status, 200);
        const { text: keyText } = await running.service.accounts.keys.create({
          accountId,
          name: 'bot',
          kind: 'test',
        });
        const stolen = person.browser.cookies.get('pw_session') ?? '';
        const device = person.browser.cookies.get('pw_device') ?? '';
        const fields: Record<string, string> = isRevoking ? { revoke_keys: 'yes' } : {};
        if (how === 'reset') await reset(await requestLink(email), fields);
        else await change(person, fields);
        if (!isRevoking) await endsDevices(person, device);
        const thief = new Browser();
        thief.cookies.set('pw_session', stolen);
        assert.equal((await thief.open(`${baseUrl}/account`)).url.pathname, '/sign-in');
        assert.equal((await callTool(baseUrl, access, 'svc_get_usage')).status, 401);
        assert.equal((await client.refresh(refresh)).status, 400);
        const answer = await fetch(`${baseUrl}/api/v1/usage`, {
          headers: { authorization: `Bearer ${keyText}` },
        });
        assert.equal(answer.status, isRevoking ? 401 : 200);
      });
    }
  }
});
