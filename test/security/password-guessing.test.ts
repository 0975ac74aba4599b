import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { PASSWORD, signedUp } from '../oauth/person.ts';
import { type Running, runService } from '../support/service.ts';
import { Stranger } from './stranger.ts';

suite('guessing passwords', () => {
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

  test('150 parallel guesses: at most the limit of ten is evaluated', async () => {
    const { email } = await signedUp(running.service, 'parallel@example.com');
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, i) => guess(email, `guess number ${i}`, '198.51.100.1')),
    );
    const evaluated = replies.filter(({ html }) => html.includes('password is wrong'));
    assert.equal(evaluated.length, 10);
    assert.equal(replies.filter(({ status }) => status === 429).length, 140);
  });

  test('the right password among 150 parallel guesses helps only within the limit', async () => {
    const { email } = await signedUp(running.service, 'lucky@example.com');
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        guess(email, i === 149 ? PASSWORD : `guess number ${i}`, '198.51.100.2'),
      ),
    );
    assert.deepEqual(
      replies.filter(({ status }) => status === 303),
      [],
    );
  });

  test('right passwords use no attempt up', async () => {
    const { email } = await signedUp(running.service, 'often@example.com');
    for (let i = 0; i < 12; i++) assert.equal((await guess(email, PASSWORD, '203.0.113.9')).status, 303);
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

  test('100 names of 15,000 characters are refused before they are counted or hashed', async () => {
    const before = await heldPasswordNames();
    for (let i = 0; i < 100; i++) {
      const { html, status } = await guess(`${i}${'a'.repeat(15_000)}@example.com`, PASSWORD, '198.51.100.3');
      assert.match(html, /An e-mail address has at most 254 characters/);
      assert.equal(status, 400);
    }
    assert.deepEqual(await heldPasswordNames(), before);
  });
});
