import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { hammer, keyOn, openProcess, ownRedis, passed } from './processes.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;
const LIMIT = 120;

/** Counts requests in a process of its own, which then dies without storing anything. */
async function countAndDie(
  databaseUrl: string,
  redisUrl: string,
  key: string,
  count: number,
): Promise<number> {
  const program = join(import.meta.dirname, 'take-many.ts');
  const args = [program, databaseUrl, redisUrl, key, String(count), 'die'];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout: string }) => error,
  );
  return Number(stdout);
}

describe('a process and Redis that die together', { skip }, () => {
  for (const isReplaced of [false, true])
    test(`pass no more than the limit in a minute${isReplaced ? ', at the process that replaces it' : ''}`, async (t) => {
      const server = await ownRedis(t);
      const options = await freshPostgres(t);
      const survivor = await openProcess(t, options, server.url);
      const { text } = await keyOn(survivor, 'developer');
      const firstMs = performance.now();
      let total = passed(await hammer([survivor], (one) => one.callerOf(text), 50));
      total += await countAndDie(options.databaseUrl ?? '', server.url, text, 60);
      assert.equal(total, 110);
      await server.stop();
      const restarted = await ownRedis(t, server.port);
      const processes = [survivor];
      if (isReplaced) processes.push(await openProcess(t, options, restarted.url));
      let later = 0;
      await until(async () => {
        const takes = await hammer(processes, (one) => one.callerOf(text), 20);
        if (performance.now() - firstMs < 60_000) total += passed(takes);
        else later += passed(takes);
        return later > 0;
      }, 'requests after the lost minute');
      assert.ok(total <= LIMIT, `${total} requests in a minute`);
    });
});
