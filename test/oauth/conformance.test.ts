import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { runConformance } from '../mcp/conformance.ts';
import { freePort } from '../support/free-port.ts';
import { type Running, runService } from '../support/service.ts';
import { OAuthClient } from './client.ts';
import { decide, type Person, signedUp } from './person.ts';

suite('the official conformance suite, authorization', () => {
  let running: Running;
  let person: Person;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-conformance-'));
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
    person = await signedUp(running.service, 'conformance@example.com');
  });
  after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const version of ['2025-11-25', '2026-07-28']) {
    test(`${version}: metadata and code grant`, async () => {
      const { baseUrl } = running.service;
      const port = await freePort();
      const client = new OAuthClient(baseUrl);
      await client.register({ redirect_uris: [`http://127.0.0.1:${port}/callback`] });
      const opened = new Set<string>();
      const { passed, failed, output } = await runConformance(
        [
          ...['authorization', '--url', baseUrl, '--client-id', client.clientId],
          ...['--resource', `${baseUrl}/mcp`, '--spec-version', version, '-p', String(port)],
        ],
        join(folder, version),
        (line) => {
          const url = new RegExp(`${baseUrl}/oauth/authorize\\S+`).exec(line)?.[0];
          if (url === undefined || opened.has(url)) return;
          opened.add(url);
          // The user decides, and the browser follows the redirect to the conformance program.
          void decide(person, url).then((answer) => fetch(answer));
        },
      );
      assert.deepEqual([...failed], [], output.slice(-3000));
      assert.ok(opened.size > 0, 'it went through the consent page');
      for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant'])
        assert.ok(
          [...passed].some((check) => check.includes(scenario)),
          `${scenario}: ${[...passed].join()}`,
        );
    });
  }
});
