import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { demoKeys } from '../../src/commands/demo/keys.ts';
import { type Running, runService } from '../support/service.ts';

suite('the keys of the demo', () => {
  let running: Running;
  let file: string;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 2 });
    file = join(running.dataDir, 'demo-keys.json');
  });
  after(() => running.stop());
  const statusWith = async (key: string) =>
    (await fetch(`${running.service.baseUrl}/api/v1/usage`, { headers: { 'x-api-key': key } })).status;

  test('are the same after a restart, in a file of their owner only', async () => {
    const first = await demoKeys(running.service, file);
    assert.deepEqual(await demoKeys(running.service, file), first);
    for (const key of Object.values(first)) assert.equal(await statusWith(key), 200);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('a key that the user has created works after a restart', async () => {
    const { accounts, keys } = running.service.accounts;
    const account = await accounts.find('pro@demo.perpwire.invalid');
    assert.ok(account);
    const own = await keys.create({ accountId: account.id, name: 'mine', kind: 'test' });
    await demoKeys(running.service, file);
    assert.equal(await statusWith(own.text), 200);
  });

  test('a revoked one is replaced, the others stay', async () => {
    const before = await demoKeys(running.service, file);
    const { keys } = running.service.accounts;
    const key = await keys.find(before.demo);
    assert.ok(key);
    await keys.revoke(key.id);
    const now = await demoKeys(running.service, file);
    assert.notEqual(now.demo, before.demo);
    assert.equal(await statusWith(now.demo), 200);
    assert.deepEqual({ ...now, demo: '' }, { ...before, demo: '' });
  });

  for (const [what, text] of [
    ['damaged', '{"demo": '],
    ['no object', '[]'],
    ['without known keys', '{"demo":"nothing","pro":7}'],
  ] as const)
    test(`a file that is ${what} gives new keys that work`, async () => {
      writeFileSync(file, text);
      const now = await demoKeys(running.service, file);
      for (const key of Object.values(now)) assert.equal(await statusWith(key), 200);
    });
});
