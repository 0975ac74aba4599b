import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const script = join(import.meta.dirname, 'full-disk.ts');

/** What the script says, with files limited to so many blocks; the shell's blocks are 512 or 1,024 bytes. */
function written(bytes: number, limitBlocks: number | 'unlimited') {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-shelf-'));
  try {
    const command = `ulimit -f ${limitBlocks}; exec "$0" "$@"`;
    const args = ['-c', command, process.execPath, script, folder, String(bytes)];
    const { stdout, stderr, status } = spawnSync('sh', args, {
      encoding: 'utf8',
      // The cache of compiled code is a file too, and not what is limited here.
      env: { ...process.env, NODE_COMPILE_CACHE: '' },
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(readdirSync(folder), [], 'nothing is left behind');
    return JSON.parse(stdout) as { refused: number; wrong: number; beyond: number[] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite('a shelf when the disk takes no more', () => {
  test('goes on in memory, with what was written before and after, and says so once', () => {
    assert.deepEqual(written(3_000_000, 1_000), { refused: 1, wrong: 0, beyond: Array(10).fill(0) });
  });

  test('without a limit nothing is refused', () => {
    assert.deepEqual(written(3_000_000, 'unlimited'), { refused: 0, wrong: 0, beyond: Array(10).fill(0) });
  });
});
