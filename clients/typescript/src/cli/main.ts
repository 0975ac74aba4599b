#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { readSecret } from './read-secret.ts';
import { runCommandLine } from './run.ts';

const stopping = new AbortController();
process.once('SIGINT', () => {
  stopping.abort();
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', () => process.exit(130));
});
// `perpwire funding | head` closes the pipe early.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    version,
    env: process.env,
    homeFolder: homedir(),
    stdout: process.stdout,
    stderr: process.stderr,
    readSecret: (prompt) => readSecret(prompt, process.stdin, process.stderr),
    signal: stopping.signal,
  });
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  process.exitCode = 130;
}
