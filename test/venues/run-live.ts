import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILED } from '../support/process.ts';

const LIVE = join(import.meta.dirname, '../../live/venues.live.ts');

/** Runs the live tests against the venues at VENUES_URL. */
export function runLive(environment: Record<string, string>): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', LIVE], {
    env: { PATH: process.env.PATH, ...COMPILED, ...environment },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, text })));
}
