import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
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

  test('visitors of one IPv6 network share them, as one machine has a whole network', async () => {
    for (let i = 1; i <= 12; i++) assert.equal(await statusFrom(`2001:db8:1:2::${i}`), 200);
    assert.equal(await statusFrom('2001:db8:1:2:ffff::1'), 429);
    assert.equal(await statusFrom('2001:db8:1:3::1'), 200);
    assert.equal(await statusFrom('203.0.113.7'), 200);
  });
});
