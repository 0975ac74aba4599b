import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { type Rest, startRest } from '../rest/rest-service.ts';
import { buildPackage, PACKAGE, TSC } from './built-package.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** The system's Node, which may be an older one than the repository's. */
const SYSTEM_NODE = '/usr/bin/node';
const LEAST_MAJOR = 20;

/** The programs in the package's README, in their order. */
const programs = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, program = '']) => program,
);

async function majorOf(node: string): Promise<number | null> {
  const found = await run(node, ['--version']).catch(() => null);
  return found && Number(/^v(\d+)/.exec(found.stdout)?.[1]);
}

suite('the TypeScript package', () => {
  let rest: Rest;
  let folder: string;
  let project: string;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 10 });
    folder = mkdtempSync(join(tmpdir(), 'perpwire-package-'));
    const copy = join(folder, 'package');
    await buildPackage(copy);
    const packed = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: copy });
    const [{ filename = '' } = {}] = JSON.parse(packed.stdout) as { filename?: string }[];
    project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(copy, filename)], {
      cwd: project,
    });
    // Each program of the README continues the one before.
    writeFileSync(join(project, 'readme.ts'), programs.join(''));
  });
  after(async () => {
    await rest.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('has its code, its types and its README, and no dependencies', () => {
    const installed = join(project, 'node_modules/perpwire');
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    assert.equal(dependencies, undefined);
    for (const file of ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', 'README.md'])
      assert.ok(readFileSync(join(installed, file), 'utf8').length > 0, file);
    assert.throws(() => readFileSync(join(installed, 'src/index.ts')));
  });

  test('is built with the versions of the repository', () => {
    const versionsOf = (folder: string) =>
      (
        JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
          devDependencies: Record<string, string>;
        }
      ).devDependencies;
    const ours = versionsOf(root);
    for (const [name, version] of Object.entries(versionsOf(PACKAGE)))
      assert.equal(version, ours[name], name);
  });

  test('the programs of the README compile against the installed types', async () => {
    const options = ['--target', 'es2022', '--module', 'nodenext', '--strict', '--outDir', project];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    await run(TSC, [...options, ...types, join(project, 'readme.ts')], { cwd: project }).catch(
      ({ stdout }: { stdout: string }) => assert.fail(stdout),
    );
  });

  for (const [name, node] of [
    ['the pinned Node', process.execPath],
    ['the Node of the system', SYSTEM_NODE],
  ] as const) {
    test(`they run on ${name}`, async (t) => {
      const major = await majorOf(node);
      if (major === null || major < LEAST_MAJOR) return t.skip(`there is no Node ${LEAST_MAJOR} at ${node}`);
      const env = { PERPWIRE_API_KEY: rest.keys.pro, PERPWIRE_BASE_URL: rest.service.baseUrl };
      const { stdout } = await run(node, ['readme.js'], { cwd: project, env });
      const lines = stdout.trim().split('\n');
      assert.match(lines[0] ?? '', /^(Binance|OKX) \S+ -?[\d.e-]+ \d+ \d{4}-.*Z$/);
      const rows = (await rest.get('/api/v1/funding?limit=500')).body as { meta: { total: number } };
      assert.equal(lines.filter((line) => /^(Binance|OKX) /.test(line)).length, 5 + rows.meta.total);
      assert.match(stdout, /\[[^\]]*'BTC'/, 'the suggestions for a mistyped coin');
      const cli = ['node_modules/.bin/perpwire', 'coins', '--limit', '1', '--csv'];
      assert.match((await run(node, cli, { cwd: project, env })).stdout, /^coin,/);
      assert.match(lines.at(-1) ?? '', /Z \S+ -?[\d.]+ 5 rows changed$/, 'the stream');
    });
  }
});
