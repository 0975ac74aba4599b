import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { Browser, text } from '../oauth/browser.ts';
import { mailedLink, PASSWORD, signedUp } from '../oauth/person.ts';
import { type Running, runService } from '../support/service.ts';
import { Stranger } from './stranger.ts';

suite('guessing passwords for long', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  let stranger: Stranger;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({
      venues: ['binance'],
      coins: 5,
      clock,
      settings: { TRUSTED_PROXIES: 'loopback' },
    });
    baseUrl = running.service.baseUrl;
    stranger = await Stranger.at(baseUrl);
  });
  after(() => running.stop());

  const guess = (email: string, password: string, address: string) =>
    stranger.post('/sign-in', { email, password }, address);
  const signIn = async (browser: Browser, email: string, password = PASSWORD) =>
    await browser.submit(await browser.open(`${baseUrl}/sign-in`), { email, password });
  const signOut = async (browser: Browser) =>
    await browser.submit(await browser.open(`${baseUrl}/account`), {}, '/sign-out');

  test('100 wrong passwords of ten addresses do not lock out the owner on a known device', async () => {
    const owner = await signedUp(running.service, 'owner@example.com');
    await signOut(owner.browser);
    for (let i = 0; i < 100; i++)
      await guess(owner.email, `guess number ${i}`, `198.51.100.${10 + (i % 10)}`);
    const elsewhere = await guess(owner.email, PASSWORD, '203.0.113.1');
    assert.equal(elsewhere.status, 429, 'an unknown device waits');
    await signIn(owner.browser, owner.email);
    assert.ok(owner.browser.cookies.has('pw_session'), 'the known device signs in');
  });

  test('a mailed link lets the owner in while strangers guess', async () => {
    const browser = new Browser();
    const email = 'owner@example.com';
    assert.match(text(await signIn(browser, email)), /Too many attempts/);
    await browser.submit(await browser.open(`${baseUrl}/forgot-password`), { email });
    await browser.submit(await browser.open(mailedLink(running.service, email)), {
      password: 'chosen by mail',
    });
    await signIn(browser, email, 'chosen by mail');
    assert.ok(browser.cookies.has('pw_session'));
  });

  test('a stolen device has ten attempts and no more', async () => {
    const { browser, email } = await signedUp(running.service, 'stolen@example.com');
    await signOut(browser);
    for (let i = 0; i < 10; i++) await signIn(browser, email, `guess number ${i}`);
    assert.match(text(await signIn(browser, email)), /Too many attempts/);
    clock.advanceMs(16 * MINUTE_MS);
    await signIn(browser, email);
    assert.ok(browser.cookies.has('pw_session'));
  });

  /** Names that the limits of attempts hold, as the metrics of the last minute say. */
  const heldNames = async (): Promise<Record<string, number>> => {
    clock.advanceMs(MINUTE_MS);
    const metrics = await (await fetch(`${running.service.adminUrl}/metrics`)).text();
    return Object.fromEntries(
      [...metrics.matchAll(/^perpwire_attempt_names\{limit="([^"]+)"\} (\d+)$/gm)].map(([, limit, count]) => [
        limit,
        Number(count),
      ]),
    );
  };
  const NOTHING = { 'password-pair': 0, 'password-address': 0, 'password-account': 0 };
  const heldPasswordNames = async () => {
    const held = await heldNames();
    return Object.fromEntries(Object.keys(NOTHING).map((limit) => [limit, held[limit]]));
  };

  test('of 200 guesses at 200 names, those that the limit of their address refuses are not held', async () => {
    clock.advanceMs(HOUR_MS);
    assert.deepEqual(await heldPasswordNames(), NOTHING);
    for (let i = 0; i < 200; i++) await guess(`${i}${'a'.repeat(50)}@example.com`, PASSWORD, '198.51.100.4');
    const held = { 'password-pair': 50, 'password-address': 1, 'password-account': 50 };
    assert.deepEqual(await heldPasswordNames(), held);
    clock.advanceMs(15 * MINUTE_MS);
    assert.deepEqual(await heldPasswordNames(), NOTHING, 'without any further attempt');
  });

  test('every limit of the service forgets its names within an hour and a minute', async () => {
    clock.advanceMs(HOUR_MS);
    const held = await heldNames();
    assert.ok(Object.keys(held).length > 8, Object.keys(held).join());
    assert.deepEqual(new Set(Object.values(held)), new Set([0]));
  });
});
