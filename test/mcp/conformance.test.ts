import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { runConformance } from './conformance.ts';
import { startFixtureServer } from './fixture-server.ts';

const EXPECTED = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-failures.json'), 'utf8'),
) as Record<string, { reason: string; checks: string[] }[]>;

/** Checks that apply to a server with tools, resources and prompts but without the suite's own: the least that must have run and passed. */
const APPLY: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'tools-call-simple-text',
    'tools-call-error',
    'dns-rebinding-protection',
    'json-schema-2020-12',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'tools-call-simple-text',
    'tools-call-error',
    'dns-rebinding-protection',
    'caching',
    'json-schema-2020-12',
    'http-header-validation',
  ],
};

suite('the official conformance suite', () => {
  let running: Running;
  let server: Awaited<ReturnType<typeof startFixtureServer>>;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-conformance-'));
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 8 });
    await collectOnce(running);
    server = await startFixtureServer(running);
  });
  after(async () => {
    await server.stop();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const revision of ['2025-11-25', '2026-07-28']) {
    test(`${revision}: all that applies passes, and exactly the expected checks fail`, async () => {
      const { passed, failed, output } = await runConformance(
        ['server', '--url', server.url, '--requirements', revision],
        join(folder, revision),
      );
      const expected = (EXPECTED[revision] ?? []).flatMap(({ checks }) => checks);
      const fresh = [...failed].filter((check) => !expected.includes(check));
      assert.deepEqual(fresh, [], `these fail and are not expected to:\n${output.slice(-4000)}`);
      const gone = expected.filter((check) => !failed.has(check));
      assert.deepEqual(gone, [], 'these pass now: take them out of expected-failures.json');
      for (const scenario of APPLY[revision] ?? [])
        assert.ok(
          [...passed].some((check) => check.startsWith(`${scenario}: `)),
          `${scenario} did not run`,
        );
    });
  }
});
