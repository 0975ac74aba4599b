import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { silenceReport } from '../../src/commands/serve.ts';
import { collectOnce, runService, until } from '../support/service.ts';
import { isListening, killGroup, NO_NPM, startNpm } from './npm-process.ts';

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

suite('a service that npm has started', { skip: NO_NPM }, () => {
  test('SIGINT to npm alone stops it; a stop that takes long says what it waits for, and a second signal ends it', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-npm-'));
    const npm = startNpm(['start', '--', '--port', '0', '--admin-port', '0'], {
      DATA_DIR: dataDir,
      VENUES: 'binance',
      VENUES_URL: 'http://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    });
    t.after(() => {
      killGroup(npm);
      rmSync(dataDir, { recursive: true, force: true });
    });
    const baseUrl = await npm.baseUrl();
    const { hostname, port } = new URL(baseUrl);
    // A request that never arrives whole keeps the server from closing.
    const client = connect(Number(port), hostname);
    client.on('error', () => undefined).write('GET /api/v1 HTTP/1.1\r\n');
    await once(client, 'connect');
    assert.equal((await fetch(`${baseUrl}/api/v1`)).status, 200);
    npm.child.kill('SIGINT');
    await until(() => npm.printed().includes('Perpwire is stopping'), 'the words about the stop');
    assert.match(
      npm.printed(),
      /\nPerpwire is stopping and waits for requests that are being answered; a second signal or Ctrl-C ends it at once\.\n/,
    );
    npm.child.kill('SIGTERM');
    assert.equal(await npm.ended, 1, 'the second signal did not wait for the request');
    assert.equal(await isListening(baseUrl), false);
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
