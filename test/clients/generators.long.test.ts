import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { openApiDocument } from '../../src/operations/description/openapi.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { installedPackages } from '../support/installed-packages.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const VERSIONS = {
  '@hey-api/openapi-ts': '0.99.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  'openapi-zod-client': '1.18.3',
  orval: '8.38.0',
  // Newer ones need a package that not every registry has.
  '@scalar/openapi-parser': '0.29.5',
  // What openapi-zod-client makes imports these.
  '@zodios/core': '10.9.6',
  zod: '3.25.76',
};

interface PostmanItem {
  request: { url: { toString(): string } };
}

/** The generators of clients whose output is TypeScript: the arguments, and the file that a user imports. */
const GENERATORS = {
  'openapi-typescript': { args: ['openapi.json', '-o', 'schema.ts'], entry: 'schema.ts' },
  'openapi-ts': { args: ['-i', 'openapi.json', '-o', 'hey-api'], entry: 'hey-api/index.ts' },
  orval: { args: ['--config', 'orval.config.mjs'], entry: 'orval/client.ts' },
  'openapi-zod-client': { args: ['openapi.json', '-o', 'zod/client.ts'], entry: 'zod/client.ts' },
} as const;

suite('tools of others read our API description', { concurrency: false }, () => {
  let folder = '';
  let packages = '';
  let reason: string | null = null;
  before(async () => {
    const installed = await installedPackages('generators', VERSIONS);
    if ('reason' in installed) {
      reason = installed.reason;
      return;
    }
    packages = join(installed.folder, 'node_modules');
    folder = mkdtempSync(join(tmpdir(), 'perpwire-generators-'));
    symlinkSync(packages, join(folder, 'node_modules'));
    mkdirSync(join(folder, 'zod'));
    const files = {
      'package.json': '{ "private": true, "type": "module" }',
      'openapi.json': JSON.stringify(openApiDocument(OPERATIONS, 'https://perpwire.example')),
      'orval.config.mjs':
        "export default { perpwire: { input: './openapi.json', output: { target: './orval/client.ts', client: 'fetch' } } };",
      'spectral.yaml': 'extends: ["spectral:oas"]',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  after(() => folder !== '' && rmSync(folder, { recursive: true, force: true }));

  /** What the program prints; it must succeed. */
  async function output(program: string, args: readonly string[]): Promise<string> {
    const env = { ...process.env, NODE_NO_WARNINGS: '1', NO_COLOR: '1' };
    const { stdout, stderr } = await run(process.execPath, [join(packages, '.bin', program), ...args], {
      cwd: folder,
      env,
    }).catch((error: { stdout?: string; stderr?: string }) =>
      assert.fail(`${program} failed: ${error.stdout}${error.stderr}`),
    );
    return `${stdout}${stderr}`;
  }

  for (const [program, { args, entry }] of Object.entries(GENERATORS)) {
    test(`${program} has no warning, and what it makes compiles`, async (t) => {
      if (reason !== null) return t.skip(reason);
      assert.doesNotMatch(await output(program, args), /warn|error|fail|unsupported/i);
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
      const lookup = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', ''];
      const tsc = join(root, 'node_modules/.bin/tsc');
      await run(tsc, [...options, ...lookup, entry], { cwd: folder }).catch(
        ({ stdout }: { stdout: string }) => assert.fail(stdout),
      );
      const made = readFileSync(join(folder, entry), 'utf8');
      assert.match(made, /listFunding|ListFunding|\/api\/v1\/funding/);
    });
  }

  test('openapi-to-postmanv2 has no warning and makes a request for every operation', async (t) => {
    if (reason !== null) return t.skip(reason);
    const text = await output('openapi2postmanv2', ['-s', 'openapi.json', '-o', 'postman.json']);
    assert.doesNotMatch(text, /warn|error|fail/i);
    assert.match(text, /Conversion successful/);
    const made = readFileSync(join(folder, 'postman.json'), 'utf8');
    for (const { summary } of OPERATIONS) assert.ok(made.includes(JSON.stringify(summary)), summary);
  });

  test("Postman's own library reads our collection", async (t) => {
    if (reason !== null) return t.skip(reason);
    const { default: postman } = (await import(join(packages, 'postman-collection/index.js'))) as {
      default: {
        Collection: new (json: unknown) => { forEachItem(visit: (item: PostmanItem) => void): void };
      };
    };
    const file = join(root, 'clients/postman/perpwire.postman_collection.json');
    const addresses: string[] = [];
    new postman.Collection(JSON.parse(readFileSync(file, 'utf8'))).forEachItem((item) =>
      addresses.push(item.request.url.toString()),
    );
    assert.ok(addresses.includes('{{baseUrl}}/api/v1/funding'), addresses.join());
    assert.ok(addresses.length > OPERATIONS.length);
  });

  test("spectral's default rules find no error", async (t) => {
    if (reason !== null) return t.skip(reason);
    const report = await output('spectral', ['lint', 'openapi.json', '-r', 'spectral.yaml', '-f', 'json']);
    const found = JSON.parse(report.slice(report.indexOf('['), report.lastIndexOf(']') + 1)) as {
      code: string;
      severity: number;
    }[];
    assert.deepEqual(
      found.filter(({ severity }) => severity === 0),
      [],
    );
    // OpenAPI 3.1 lets a key name its scopes; the rule is still that of 3.0, where only OAuth could.
    assert.deepEqual([...new Set(found.map(({ code }) => code))], ['oas3-operation-security-defined']);
  });
});
