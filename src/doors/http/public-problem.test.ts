import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { createLog } from '../../base/log.ts';
import { publicProblem } from './server.ts';

/** The error of a statement on a database in memory. */
function errorOf(prepare: string, statement: string): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(prepare);
    database.exec(statement);
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('the statement succeeded');
}

function shown(error: unknown, url = '/sign-in') {
  const lines: string[] = [];
  const log = createLog('error', { write: (line: string) => lines.push(line) });
  const { status, detail, headers } = publicProblem(error, 'req-1', url, log);
  return { status, detail, retryAfter: headers['retry-after'], lines };
}

const TABLE = 'create table t (a unique); insert into t values (zeroblob(1));';

suite('what a client is told when something cannot be stored', () => {
  for (const [what, error] of [
    [
      'a full disk under SQLite',
      errorOf(`${TABLE} pragma max_page_count = 4`, 'insert into t values (zeroblob(100000))'),
    ],
    ['a read-only database', errorOf(`${TABLE} pragma query_only = 1`, 'insert into t values (2)')],
    ['a full disk under a file', Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
  ] as const)
    test(`${what}: 503 with Retry-After, and the operator reads the cause`, () => {
      const { status, detail, retryAfter, lines } = shown(error);
      assert.equal(status, 503);
      assert.equal(retryAfter, '60');
      assert.match(detail, /cannot store anything just now/);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /request failed/);
    });

  for (const [what, error] of [
    ['a violated constraint', errorOf(TABLE, 'insert into t values (zeroblob(1))')],
    ['a missing file', Object.assign(new Error('no such file'), { code: 'ENOENT' })],
    ['a bug', new TypeError('x is undefined')],
  ] as const)
    test(`${what}: 500`, () => {
      const { status, detail } = shown(error);
      assert.equal(status, 500);
      assert.doesNotMatch(detail, /undefined|constraint|file/);
    });

  test('the log has the query of the API, and of no page: it can be the token of a mailed link', () => {
    const urlIn = (url: string) => JSON.parse(shown(new TypeError('a bug'), url).lines[0] ?? '').url;
    assert.equal(urlIn('/reset-password?token=secret'), '/reset-password');
    assert.equal(urlIn('/oauth/callback?code=secret#x'), '/oauth/callback');
    assert.equal(urlIn('/api/v1/funding?coin=BTC'), '/api/v1/funding?coin=BTC');
  });
});
