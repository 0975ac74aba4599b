import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { optionsOf, type StartOptions, startOptions } from './start-options.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What a reader of the start command would not expect. */
const SURPRISES: Readonly<Record<string, RegExp>> = {
  'a process that replaces itself': /\bexecve\b/,
  'flags of V8 that are set at run time': /\bsetFlagsFromString\b/,
  'a flag of V8 that moves work between its collectors': /--page-promotion-threshold/,
  'a hook that resolves modules':
    /\bregisterHooks\b|\bmodule\.register\b|\bregister\b[^;]*from 'node:module'|--(experimental-)?loader\b/,
};

const surprisesIn = (text: string) =>
  Object.keys(SURPRISES).filter((surprise) => SURPRISES[surprise]?.test(text));

suite('the program starts plainly', () => {
  test('no file starts the process again, sets flags at run time or resolves modules itself', () => {
    const own = 'scripts/plain-start.test.ts';
    const folders = '{src,sim,scripts,test,bench,chaos,live,clients,examples}/**/*.{ts,js,cjs,mjs}';
    const files = globSync([folders, 'deploy/*', 'package.json'], { cwd: root }).filter(
      (file) => file !== own && !file.includes('node_modules'),
    );
    assert.ok(files.length > 1000, `${files.length} files`);
    const found = files.flatMap((file) => surprisesIn(read(file)).map((surprise) => `${file}: ${surprise}`));
    assert.deepEqual(found, []);
  });

  for (const [surprise, text] of Object.entries({
    'a process that replaces itself': 'process.execve(process.execPath, [])',
    'flags of V8 that are set at run time': "import { setFlagsFromString } from 'node:v8';",
    'a flag of V8 that moves work between its collectors':
      'node --page-promotion-threshold=30 src/perpwire.js',
    'a hook that resolves modules': "import { enableCompileCache, register } from 'node:module';",
  }))
    test(`finds ${surprise}`, () => assert.deepEqual(surprisesIn(text), [surprise]));

  test('the npm scripts, the container and the unit start Node with the same flags', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const entrypoint = /^ENTRYPOINT (.*)$/m.exec(read('deploy/Dockerfile'))?.[1] ?? '[]';
    const unit = /^ExecStart=(.*)$/m.exec(read('deploy/perpwire@.service'))?.[1] ?? '';
    const set = (file: string, word: string) =>
      [...read(file).matchAll(new RegExp(`^${word}[ =](.*)$`, 'gm'))].map(([, pairs]) => pairs).join(' ');
    const found: Record<string, StartOptions> = {
      demo: optionsOf(scripts.demo ?? ''),
      perpwire: optionsOf(scripts.perpwire ?? ''),
      container: optionsOf(
        `${set('deploy/Dockerfile', 'ENV')} ${(JSON.parse(entrypoint) as string[]).join(' ')}`,
      ),
      unit: optionsOf(`${set('deploy/perpwire@.service', 'Environment')} ${unit}`),
    };
    const { flags, variables } = startOptions();
    assert.ok(flags.length > 0);
    for (const [name, options] of Object.entries(found)) {
      assert.deepEqual(options.flags, flags, name);
      for (const [variable, value] of Object.entries(variables))
        assert.equal(options.variables[variable], value, `${variable} of ${name}`);
    }
  });

  test('the npm scripts replace their shell, so that a signal reaches the service', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const name of ['start', 'demo', 'perpwire'])
      assert.match(scripts[name] ?? '', /(^| )exec node /, name);
  });
});
