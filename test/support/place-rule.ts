import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { noteServerUse, usesServer } from './server-use.ts';

/**
 * Loaded with `--import` before the test files that `process.argv` names. Checks the rule of CONTRIBUTING.md: a test that
 * opens a port or starts a process lives in `test/`, any other beside its source.
 */
const files = process.argv.slice(1);
const STARTERS = ['spawnSync', 'execSync', 'execFileSync'] as const;

function checkPlace(call: string): void {
  if (files.some((file) => !file.startsWith('test/')))
    throw new Error(`${call} in a test beside its source: a test that starts a server lives in test/`);
  noteServerUse();
}

/** The same function, with the check before it. */
function checked<Call extends (...values: never[]) => unknown>(name: string, call: Call): Call {
  return new Proxy(call, {
    apply: (target, self, values) => {
      checkPlace(name);
      return Reflect.apply(target, self, values);
    },
  });
}

// Worker threads inherit `--import`.
if (isMainThread) {
  Server.prototype.listen = checked('listen', Server.prototype.listen);
  // The one method behind spawn, fork, exec and execFile, promisified too. Its types do not name it.
  const child = childProcess.ChildProcess.prototype as unknown as { spawn: () => void };
  child.spawn = checked('spawn', child.spawn);
  for (const name of STARTERS)
    Object.assign(childProcess, { [name]: checked(name, childProcess[name] as never) });
  syncBuiltinESMExports();

  process.on('exit', () => {
    for (const file of files.filter((candidate) => candidate.startsWith('test/') && !usesServer(candidate))) {
      console.error(`${file} opens no port and starts no process: it belongs beside its source`);
      process.exitCode = 1;
    }
  });
}
