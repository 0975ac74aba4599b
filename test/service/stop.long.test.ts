import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { isListening, killGroup, NO_NPM, startNpm } from './npm-process.ts';

const START = () => ['start', '--', '--port', '0', '--admin-port', '0'];
const DEMO = (folder: string) => {
  const flags = ['--port', '0', '--coins', '3', '--venues', 'binance', '--data', folder];
  return ['run', 'demo', '--', ...flags];
};
const GROUP = 'the whole group, as Ctrl-C does';

suite('a signal to a service that npm has started stops it in order', { skip: NO_NPM }, () => {
  for (const [script, args, signal, to] of [
    ['npm start', START, 'SIGTERM', 'npm alone'],
    ['npm start', START, 'SIGINT', GROUP],
    ['npm run demo', DEMO, 'SIGINT', 'npm alone'],
    ['npm run demo', DEMO, 'SIGINT', GROUP],
  ] as const)
    test(`${script}: ${signal} to ${to}`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'perpwire-npm-'));
      const npm = startNpm(args(folder), {
        DATA_DIR: folder,
        VENUES: 'binance',
        VENUES_URL: 'http://127.0.0.1:1',
        LOG_LEVEL: 'silent',
      });
      t.after(() => {
        killGroup(npm);
        rmSync(folder, { recursive: true, force: true });
      });
      const baseUrl = await npm.baseUrl();
      const pid = npm.child.pid ?? 0;
      process.kill(to === GROUP ? -pid : pid, signal);
      // npm ends when the service has; a service that was cut off would have ended with 1.
      assert.equal(await npm.ended, 0, npm.printed());
      assert.equal(await isListening(baseUrl), false);
    });
});
