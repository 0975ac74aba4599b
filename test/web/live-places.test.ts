import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

suite('places of live pages', () => {
  let running: Running;
  const stop = new AbortController();
  /** A reply that nobody refers to is collected, and its connection closed. */
  const open: Response[] = [];
  before(async () => {
    running = await runService({
      venues: ['binance'],
      coins: 2,
      settings: { TRUSTED_PROXIES: 'loopback' },
    });
    await collectOnce(running);
  });
  after(async () => {
    stop.abort();
    await running.stop();
  });
  const statusFrom = async (address: string) => {
    const reply = await fetch(`${running.service.baseUrl}/live/listings`, {
      headers: { 'x-forwarded-for': address },
      signal: stop.signal,
    });
    open.push(reply);
    return reply.status;
  };

  test('who is signed in has as many as the plan, and what is refused costs no page view', async () => {
    for (const [plan, streams] of [
      ['demo', 1],
      ['developer', 3],
    ] as const) {
      const { browser, accountId } = await signedUp(running.service, `${plan}@example.com`, plan);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const status = async () => {
        const reply = await fetch(`${running.service.baseUrl}/live/listings`, {
          headers: { cookie },
          signal: stop.signal,
        });
        open.push(reply);
        return reply.status;
      };
      for (let i = 0; i < streams; i++) assert.equal(await status(), 200);
      for (let i = 0; i < 100; i++) assert.equal(await status(), 204);
      const { accounts } = running.service;
      const caller = accounts.callerForGrant(accountId, SCOPES) ?? assert.fail();
      const { month } = await accounts.windows.read(caller);
      assert.equal(month.remaining, month.limit, 'free pages are not used up');
    }
  });

  test('visitors of one IPv6 network share them, as one machine has a whole network', async () => {
    for (let i = 1; i <= 12; i++) assert.equal(await statusFrom(`2001:db8:1:2::${i}`), 200);
    assert.equal(await statusFrom('2001:db8:1:2:ffff::1'), 204, 'the page asks now and then');
    assert.equal(await statusFrom('2001:db8:1:3::1'), 200);
    assert.equal(await statusFrom('203.0.113.7'), 200);
  });
});
