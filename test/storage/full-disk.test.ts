import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const script = join(import.meta.dirname, 'full-disk.ts');

/** The output of the script with a limit on file sizes, in blocks of the shell: 512 or 1,024 bytes. */
function written(bytes: number, limitBlocks: number | 'unlimited') {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-scratch-'));
  try {
    const command = `ulimit -f ${limitBlocks}; exec "$0" "$@"`;
    const args = ['-c', command, process.execPath, script, folder, String(bytes)];
    const { stdout, stderr, status } = spawnSync('sh', args, {
      encoding: 'utf8',
      // The compile cache writes files too, which the limit must not affect.
      env: { ...process.env, NODE_COMPILE_CACHE: '' },
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(readdirSync(folder), [], 'nothing is left behind');
    return JSON.parse(stdout) as { refused: number; wrong: number; beyond: number[] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite('a scratch file on a full disk', () => {
  test('moves to memory with everything written before and after, and reports it once', () => {
    assert.deepEqual(written(3_000_000, 1_000), { refused: 1, wrong: 0, beyond: Array(10).fill(0) });
  });

  test('without a limit every write succeeds', () => {
    assert.deepEqual(written(3_000_000, 'unlimited'), { refused: 0, wrong: 0, beyond: Array(10).fill(0) });
  });
});
