import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { removeAbandonedDisks } from '../../chaos/world/disk.ts';
import { onPath } from '../support/servers.ts';
import { until } from '../support/until.ts';

const RUN = join(import.meta.dirname, '../../chaos/run.ts');

const skip = onPath('setpriv') === null ? 'setpriv is not installed' : false;

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Before, the process is a copy of its parent and then setpriv, which sets the signal that ends it with its parent. */
function isService(pid: number): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.startsWith(process.execPath) && !command.includes(RUN);
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

suite('a simulation that is killed', { skip }, () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    test(`leaves no process behind after ${signal}, not even a suspended one, and no data for the next`, async (t) => {
      const run = spawn(process.execPath, [RUN, '--seed', '1', '--hours', '48'], { stdio: 'ignore' });
      const pid = run.pid ?? assert.fail();
      const ended = once(run, 'exit');
      t.after(() => run.kill('SIGKILL'));
      let children: number[] = [];
      await until(() => {
        children = childrenOf(pid);
        return children.length > 0 && children.every(isService);
      }, 'processes of the service');
      t.after(() => {
        for (const child of children.filter(isRunning)) process.kill(child, 'SIGKILL');
      });
      for (const child of children) process.kill(child, 'SIGSTOP');
      run.kill(signal);
      await until(() => !children.some(isRunning), 'the end of its processes');
      await ended;
      removeAbandonedDisks();
      assert.deepEqual(
        readdirSync(tmpdir()).filter((name) => name.startsWith(`perpwire-chaos-disk-${pid}-`)),
        [],
      );
    });
});
