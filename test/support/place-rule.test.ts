import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-place-'));
after(() => rmSync(folder, { recursive: true }));

const LISTENS = 'createServer().listen(0, function () { this.close(); })';
const CALLS = {
  'opens a port': LISTENS,
  'starts a process': "child.spawn(process.execPath, ['--version'])",
  'runs a process': "promisify(child.execFile)(process.execPath, ['--version'])",
  'waits for a process': "child.execFileSync(process.execPath, ['--version'])",
};

/** Runs test files, each with one test of the given code, under the rule, in one process. */
function runUnderRule(codeOfFiles: Record<string, string>): { code: number | null; output: string } {
  for (const [file, code] of Object.entries(codeOfFiles)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    const imports =
      "import child from 'node:child_process';\nimport { createServer } from 'node:net';\nimport { test } from 'node:test';\nimport { promisify } from 'node:util';";
    writeFileSync(join(folder, file), `${imports}\ntest('one', async () => void (await ${code}));\n`);
  }
  const rule = join(import.meta.dirname, 'place-rule.ts');
  const args = ['--import', rule, '--test', '--test-isolation=none', ...Object.keys(codeOfFiles)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

suite('the place of a test', () => {
  for (const [what, code] of Object.entries(CALLS)) {
    test(`a test beside its source that ${what} fails`, () => {
      const { code: status, output } = runUnderRule({ 'src/one.test.mjs': code });
      assert.equal(status, 1);
      assert.match(output, /a test that starts a server lives in test\//);
    });

    test(`a test in test/ that ${what} passes`, () => {
      const { code: status, output } = runUnderRule({ 'test/one.test.mjs': code });
      assert.equal(status, 0, output);
    });
  }

  test('a file in test/ that does neither fails, and is named among those of its process', () => {
    const { code, output } = runUnderRule({ 'test/idle.test.mjs': '0', 'test/one.test.mjs': LISTENS });
    assert.equal(code, 1);
    assert.match(output, /test\/idle\.test\.mjs opens no port and starts no process/);
    assert.doesNotMatch(output, /test\/one\.test\.mjs opens no port/);
  });

  test('a test beside its source that does neither passes', () => {
    const { code, output } = runUnderRule({ 'src/one.test.mjs': '0' });
    assert.equal(code, 0, output);
  });
});
