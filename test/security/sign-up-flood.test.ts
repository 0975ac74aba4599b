import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { Stranger } from './stranger.ts';

suite('a flood of sign-ups', () => {
  let running: Running;
  before(async () => {
    running = await runService({
      venues: ['binance'],
      coins: 5,
      clock: new ManualClock(Date.now()),
      settings: { TRUSTED_PROXIES: 'loopback' },
    });
    await collectOnce(running);
  });
  after(() => running.stop());

  const flood = async (count: number, addressOf: (index: number) => string) => {
    const { baseUrl } = running.service;
    const stranger = await Stranger.at(baseUrl);
    return await Promise.all(
      Array.from({ length: count }, (_, i) =>
        stranger.post(
          '/sign-up',
          {
            email: `${addressOf(i).replaceAll('.', '-')}-${i}@example.com`,
            password: 'correct horse battery',
          },
          addressOf(i),
        ),
      ),
    );
  };

  test('200 parallel sign-ups of one address: the limit is taken before any password is hashed', async () => {
    const replies = await flood(200, () => '198.51.100.7');
    const statuses = replies.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 20, 'mails per address and hour');
    // A password that was hashed before its limit would have met a full queue, which answers 503.
    assert.equal(statuses.filter((status) => status === 429).length, 180);
    const refused = replies.find(({ status }) => status === 429);
    assert.equal(refused?.headers.get('retry-after'), '3600');
  });

  test('200 parallel sign-ups of 200 addresses: what exceeds the queue gets 503, and the API answers meanwhile', async () => {
    const flooding = flood(200, (i) => `198.51.101.${i}`);
    const answer = await running.get('/api/v1/funding');
    assert.equal(answer.status, 200);
    const replies = await flooding;
    const busy = replies.filter(({ status }) => status === 503);
    assert.ok(busy.length > 0, 'the queue is finite');
    assert.equal(busy[0]?.headers.get('retry-after'), '5');
    assert.ok(replies.every(({ status }) => status === 200 || status === 503));
    assert.equal((await flood(1, () => '198.51.102.1'))[0]?.status, 200, 'later sign-ups work');
  });
});
