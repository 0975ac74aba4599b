import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { openFoundation } from '../../src/wiring/foundation.ts';
import { silentLog } from '../storage/databases.ts';
import { freePort } from '../support/free-port.ts';
import { perpwire } from '../support/process.ts';
import { startRedis } from '../support/servers.ts';
import { ownRedis } from './processes.ts';

const server = await startRedis();
if (typeof server !== 'string') after(() => server.stop());
const skip = typeof server === 'string' ? server : false;
const url = typeof server === 'string' ? '' : server.url;

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'perpwire-redis-list-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const opening = (dataDir: string, redisUrl: string) =>
  openFoundation(readSettings([], { DATA_DIR: dataDir, REDIS_URL: redisUrl }), systemClock, silentLog);

describe('a list of Redis servers at a start', { skip }, () => {
  test('a server under two names is refused, and both are named', async (t) => {
    const other = url.replace('127.0.0.1', 'localhost');
    await assert.rejects(opening(folder(t), `${url},${other}`), (error) => {
      assert.match(
        String(error),
        /REDIS_URL names one server twice: Redis at 127.0.0.1:\d+ and Redis at localhost/,
      );
      return true;
    });
  });

  test('a new server that cannot be reached ends the start with one sentence', async (t) => {
    const port = await freePort();
    const environment = {
      DATA_DIR: folder(t),
      REDIS_URL: `${url},redis://:secret@127.0.0.1:${port}`,
      PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'silent',
    };
    const { code, stderr } = await perpwire(['serve'], environment);
    assert.notEqual(code, 0);
    const sentence = `REDIS_URL names Redis at 127.0.0.1:${port}, which cannot be reached: nothing listens there; start it or take it off the list`;
    assert.ok(stderr.includes(sentence), stderr);
    assert.ok(!stderr.includes('secret') && !stderr.includes('    at '), stderr);
  });

  test('a server that has counts may be unavailable at a start', async (t) => {
    const second = await ownRedis(t);
    const dataDir = folder(t);
    const list = `${url},${second.url}`;
    const first = await opening(dataDir, list);
    const name = first.redisServers[1]?.name ?? assert.fail();
    await first.storage.db
      .insertInto('window_layout')
      .values({ id: 1, version: 1, servers: JSON.stringify(['first', name]), previous: null })
      .execute();
    await first.close();
    await second.stop();
    const again = await opening(dataDir, list);
    t.after(() => again.close());
    assert.match(
      again.dependencies.unavailable().join(),
      /^Redis at 127.0.0.1:\d+ is unavailable: nothing listens there$/,
    );
  });
});
