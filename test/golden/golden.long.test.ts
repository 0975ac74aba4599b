import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';

const RUN = join(import.meta.dirname, '../../golden/run.ts');

suite('the golden run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-golden-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const recording = join(folder, 'recording');
  const golden = async (action: string) => {
    const child = spawn(
      process.execPath,
      [RUN, action, recording, '--venues', 'binance,hyperliquid', '--minutes', '5', '--forms', 'one process'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'exit');
    const printed = await text(child.stdout);
    const [status] = await ended;
    return { status, printed };
  };

  test('the same code gives the same recording, and a changed figure is found', async () => {
    assert.equal((await golden('record')).status, 0);
    const same = await golden('compare');
    assert.equal(same.status, 0, same.printed);
    assert.equal(same.printed, 'No difference.\n');

    const file = join(recording, 'one-process~rest~coins.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('\\"venue_count\\":2', '\\"venue_count\\":3'));
    const changed = await golden('compare');
    assert.equal(changed.status, 1);
    assert.match(changed.printed, /one process\/rest\/coins: data\.venue_count differs/);
  });
});
