import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { perpwire } from '../support/process.ts';
import { collectOnce, runService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-commands-'));
const environment = { DATA_DIR: folder };
after(() => rmSync(folder, { recursive: true, force: true }));

suite('perpwire commands', () => {
  test('help lists every command and every setting', async () => {
    assert.match(
      (await perpwire(['--help'])).stdout,
      /serve[\s\S]*demo[\s\S]*keys[\s\S]*accounts[\s\S]*venues/,
    );
    const help = (await perpwire(['serve', '--help'])).stdout;
    for (const name of ['PORT', 'DATABASE_URL', 'BASE_URL', 'VENUES', 'LOG_LEVEL'])
      assert.match(help, new RegExp(`\\b${name}\\b`));
  });

  for (const [args, env, message] of [
    [['serve', '--port', 'http'], {}, /--port takes a whole number from 0 to 65535; it is "http"/],
    [['serve'], { SNAPSHOT_SECONDS: '0' }, /SNAPSHOT_SECONDS takes a whole number from 1 to 60; it is "0"/],
    [['serve'], { BASE_URL: 'perpwire.example' }, /BASE_URL takes an http or https address/],
    [['serve'], { DATABASE_URL: 'mysql://x' }, /DATABASE_URL takes an address that starts with postgres/],
    [['serve'], { LOG_LEVEL: 'loud' }, /LOG_LEVEL takes one of/],
    [['serve'], { VENUES: 'binance,nyse' }, /no venue "nyse"/],
    [['dance'], {}, /no command "dance"/],
    [['keys'], {}, /keys has create, list, rotate and revoke/],
    [['keys', 'create'], {}, /needs --account/],
    [['keys', 'create', '--account', 'nobody'], {}, /no account "nobody"/],
    [['accounts', 'create'], {}, /needs --name/],
    [
      ['accounts', 'create', '--name', 'x', '--plan', 'gold'],
      {},
      /--plan takes demo, developer, pro, business/,
    ],
    [
      ['keys', 'create', '--days', '0', '--account', 'x'],
      {},
      /--days takes a whole number from 1 to 99999; it is "0"/,
    ],
    [['venues'], {}, /venues has check/],
    [['history', 'status', '--venue', 'nyse'], {}, /no venue "nyse"; choose from binance, /],
    [
      ['listings', 'review', '--exchange', 'okx'],
      {},
      /--exchange takes one of Binance, .*OKX.*; it is "okx"/,
    ],
  ] as const) {
    test(`${[...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'perpwire', ...args].join(' ')} names the fault`, async () => {
      const finished = await perpwire(args, { ...environment, ...env });
      assert.equal(finished.code, 1);
      assert.match(finished.stderr, message);
      assert.doesNotMatch(finished.stderr, /\n\s+at /, 'no stack');
    });
  }

  test('the printed command to create a key uses the same database as the account', async () => {
    const dataDir = mkdtempSync(join(folder, 'elsewhere-'));
    const made = await perpwire(
      ['accounts', 'create', '--name', 'trader', '--host-tier', 'top', '--data-dir', dataDir],
      environment,
    );
    assert.match(made.stdout, /^account acc_\w+ on the demo plan, with the host tier top\n/);
    const printed = /npm run perpwire -- (keys create .+)\n/.exec(made.stdout)?.[1] ?? '';
    const key = await perpwire(printed.split(' '), environment);
    assert.match(key.stdout, /^pw_live_/, key.stderr);
  });

  test('a running service accepts keys that the command creates or rotates, and refuses a revoked one', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-keys-'));
    const running = await runService({ venues: ['binance'], coins: 10, dataDir });
    await collectOnce(running);
    const env = { DATA_DIR: dataDir };
    const status = async (key: string) =>
      (await fetch(`${running.service.baseUrl}/api/v1/coins`, { headers: { 'x-api-key': key } })).status;

    const created = await perpwire(
      ['accounts', 'create', '--name', 'cli', '--email', 'cli@example.org', '--plan', 'developer'],
      env,
    );
    assert.equal(created.code, 0, created.stderr);
    const first =
      (
        await perpwire(['keys', 'create', '--account', 'cli@example.org', '--test', '--name', 'bot'], env)
      ).stdout.split('\n')[0] ?? '';
    assert.match(first, /^pw_test_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    assert.equal(await status(first), 200);
    const second = (await perpwire(['keys', 'rotate', first], env)).stdout.split('\n')[0] ?? '';
    assert.equal(await status(second), 200);
    assert.equal(await status(first), 200, 'the old key works for another 24 hours');
    const listed = (await perpwire(['keys', 'list', '--account', 'cli@example.org'], env)).stdout;
    assert.match(listed, /bot/);
    assert.doesNotMatch(listed, new RegExp(second.slice(20)), 'a key is never shown again');
    assert.equal((await perpwire(['keys', 'revoke', second], env)).code, 0);
    assert.equal(await status(second), 401, 'revoked at once');
    await perpwire(['accounts', 'set-plan', 'cli@example.org', '--plan', 'business'], env);
    assert.match((await perpwire(['accounts', 'list'], env)).stdout, /cli@example\.org +business/);
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
