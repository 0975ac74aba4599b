import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import type * as Client from '../../clients/typescript/src/index.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { startBrowser, visit } from '../support/browser.ts';
import { installedPackages } from '../support/installed-packages.ts';
import { buildPackage } from './built-package.ts';

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, '../../examples');
const RUNTIMES = { bun: '1.4.4', deno: '2.9.5' };

/** Uses every part of the client. Its source is sent to each runtime, so it may use nothing from outside. */
async function useClient({ Perpwire, PerpwireError }: typeof Client, baseUrl: string, apiKey: string) {
  const statuses: number[] = [];
  const perpwire = new Perpwire({
    apiKey,
    baseUrl,
    fetch: async (url, init) => {
      const reply = await fetch(url, init);
      statuses.push(reply.status);
      return reply;
    },
  });
  const symbols: string[] = [];
  for await (const { symbol } of perpwire.funding.all({ limit: 5, sort: 'coin_asc', fields: ['symbol'] }))
    symbols.push(symbol);
  statuses.length = 0;
  await perpwire.coins.list({ limit: 3 });
  await perpwire.coins.list({ limit: 3 });
  const code = await perpwire.funding
    .coin('BTX')
    .catch((error: unknown) =>
      error instanceof PerpwireError ? [error.code, error.suggestions.includes('BTC')] : String(error),
    );
  let streamed: string[] = [];
  for await (const { rows } of perpwire.funding.stream({
    limit: 5,
    sort: 'coin_asc',
    fields: ['symbol', 'coin'],
  })) {
    streamed = rows.map(({ symbol }) => symbol);
    break;
  }
  const aborted = await perpwire.coins
    .list({}, { signal: AbortSignal.abort(new Error('enough')) })
    .catch((error: unknown) => String(error));
  return { symbols, statuses, code, streamed, aborted };
}

suite('the TypeScript client in other runtimes', () => {
  let rest: Rest;
  let project: string;
  let expected: Awaited<ReturnType<typeof useClient>>;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 8 });
    await fillEveryPart(rest);
    project = mkdtempSync(join(tmpdir(), 'perpwire-runtimes-'));
    mkdirSync(join(project, 'node_modules'));
    await buildPackage(join(project, 'node_modules/perpwire'));
    cpSync(join(EXAMPLES, 'funding-arbitrage-scanner.ts'), join(project, 'funding-arbitrage-scanner.ts'));
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const { baseUrl } = rest.service;
    const call = `(${useClient})(client, ${JSON.stringify(baseUrl)}, ${JSON.stringify(rest.keys.business)})`;
    writeFileSync(
      join(project, 'program.js'),
      `import * as client from 'perpwire';\nexport const result = await ${call};\nconsole.log(JSON.stringify(result));\n`,
    );
    const { body } = await rest.get('/api/v1/funding?limit=500&sort=coin_asc', { plan: 'business' });
    const symbols = (body as { data: { symbol: string }[] }).data.map(({ symbol }) => symbol);
    expected = {
      symbols,
      statuses: [200, 304, 404, 200],
      code: ['unknown-coin', true],
      streamed: symbols.slice(0, 5),
      aborted: 'Error: enough',
    };
  });
  after(async () => {
    await rest.stop();
    rmSync(project, { recursive: true, force: true });
  });

  for (const [name, args] of [
    ['bun', ['program.js']],
    [
      'deno',
      ['run', '--allow-net', '--allow-read', '--allow-env', '--node-modules-dir=manual', 'program.js'],
    ],
  ] as const) {
    test(`${name}, an example program included`, async (t) => {
      // Their installation links the program for this machine.
      const installed = await installedPackages('runtimes', RUNTIMES, { runsScripts: true });
      if ('reason' in installed) return t.skip(installed.reason);
      const env = {
        ...process.env,
        DENO_NO_UPDATE_CHECK: '1',
        PERPWIRE_BASE_URL: rest.service.baseUrl,
        PERPWIRE_API_KEY: rest.keys.business,
      };
      const program = join(installed.folder, 'node_modules/.bin', name);
      const { stdout } = await run(program, [...args], { cwd: project, env });
      assert.deepEqual(JSON.parse(stdout), expected);
      const example = await run(program, [...args.slice(0, -1), 'funding-arbitrage-scanner.ts', '1e12'], {
        cwd: project,
        env,
      });
      assert.match(example.stdout, /^No pair earns 10 % a year/);
    });
  }

  test('Chromium, from a page of another origin', async (t) => {
    const browser = await startBrowser();
    if (typeof browser === 'string') return t.skip(browser);
    const site = await startSite(project);
    try {
      const { page, complaints } = await visit(browser);
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      const result: unknown = await page.evaluate("import('/program.js').then(({ result }) => result)");
      assert.deepEqual(result, expected);
      assert.deepEqual(
        complaints.filter((text) => !text.includes('404')),
        [],
      );
    } finally {
      site.close();
      site.closeAllConnections();
      await browser.close();
    }
  });
});

/** Serves the project as a site whose page can import the package by its name. */
async function startSite(project: string): Promise<Server> {
  const imports = JSON.stringify({ imports: { perpwire: '/node_modules/perpwire/dist/index.js' } });
  const site = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname);
    if (!path.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${imports}</script>`,
      );
      return;
    }
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(readFileSync(join(project, path)));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return site;
}
