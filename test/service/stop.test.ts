import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { silenceReport } from '../../src/commands/serve.ts';
import { collectOnce, runService, until } from '../support/service.ts';

suite('stopping', () => {
  test('requests in flight are finished: each gets a complete answer, or its connection is refused', async () => {
    const running = await runService({ venues: ['binance'], coins: 20 });
    await collectOnce(running);
    const outcomes = Array.from({ length: 300 }, async (_, i) => {
      try {
        const reply = await fetch(
          `${running.service.baseUrl}/api/v1/funding?limit=500&min_volume_usdt=${i}`,
          {
            headers: { authorization: `Bearer ${running.keys.business}` },
          },
        );
        const body = (await reply.json()) as { data: unknown[] };
        return reply.status === 200 && body.data.length > 10 ? 'whole' : `status ${reply.status}`;
      } catch (error) {
        const cause =
          error instanceof Error && error.cause instanceof Error && 'code' in error.cause
            ? String(error.cause.code)
            : String(error);
        return ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(cause) ? 'refused' : cause;
      }
    });
    await outcomes[0];
    await running.stop();
    const counts = Map.groupBy(await Promise.all(outcomes), (outcome) => outcome);
    assert.deepEqual(
      [...counts.keys()].filter((outcome) => outcome !== 'whole' && outcome !== 'refused'),
      [],
    );
    assert.ok((counts.get('whole')?.length ?? 0) > 0);
  });
});

suite('no venue answers', () => {
  test('the message names every venue with its cause, and the demo', async () => {
    const running = await runService({
      venues: ['binance', 'kraken'],
      settings: { VENUES_URL: 'http://127.0.0.1:1' },
    });
    const { collectors } = running.service;
    for (const collector of collectors) collector.start();
    await until(
      () =>
        collectors.every((collector) =>
          collector.health().sources.some((source) => source.lastFailure !== null),
        ),
      'failures',
    );
    const report = silenceReport(collectors.map((collector) => collector.health())) ?? '';
    assert.match(report, /Binance +.*ECONNREFUSED/);
    assert.match(report, /Kraken +.*ECONNREFUSED/);
    assert.match(report, /npm run demo/);
    await running.stop();
  });

  test('there is no message once any venue has answered', async () => {
    const running = await runService({ venues: ['binance'], coins: 10 });
    await collectOnce(running);
    assert.equal(silenceReport(running.service.collectors.map((collector) => collector.health())), null);
    await running.stop();
  });
});
