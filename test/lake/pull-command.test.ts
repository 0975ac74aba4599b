import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { temporaryFolder } from '../storage/sqlite.ts';
import { perpwire } from '../support/process.ts';
import { type Running, runService } from '../support/service.ts';
import { madeLake } from './made-lake.ts';

suite('perpwire lake pull', () => {
  let service: Running;
  before(async () => {
    service = await runService({ venues: ['binance'], coins: 5 });
    await madeLake(join(service.dataDir, 'lake'), Date.now(), 5);
  });
  after(() => service.stop());

  const pull = async (folder: string, ...args: string[]) =>
    await perpwire(['lake', 'pull', service.service.baseUrl, '--venues-url', service.sim.url, ...args], {
      DATA_DIR: folder,
      LAKE_KEY: service.keys.business,
    });

  test('prints that the venue contradicts are shown and not stored, unless they are accepted', async (t) => {
    const folder = temporaryFolder(t);
    const refused = await pull(folder);
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stdout, /5 days of .*\/lake are in .*; every hash and the chain fit/);
    assert.match(
      refused.stdout,
      /Binance: \d+ prints compared with the venue, \d+ differ\n {2}\w+USDT .*Z: .* in the lake, .* at the venue/,
    );
    assert.match(
      refused.stdout,
      /45 prints read: 0 added, 0 differ from stored ones, which stay, 45 left out/,
    );
    assert.match(refused.stderr, /Prints of Binance were not stored, because the venue says otherwise/);

    const accepted = await pull(folder, '--accept-differences');
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.match(accepted.stdout, /45 prints read: 45 added/);
    const status = await perpwire(['history', 'status', '--venue', 'binance'], { DATA_DIR: folder });
    assert.match(status.stdout, /Binance +3 +45/);
  });

  test('what could not be compared is not stored, unless it is trusted', async (t) => {
    const folder = temporaryFolder(t);
    const nobody = ['--venues-url', 'http://127.0.0.1:9'];
    const refused = await pull(folder, ...nobody);
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stdout, /Binance: not compared, the venue lists none of its contracts now/);
    assert.match(
      refused.stdout,
      /45 prints read: 0 added, 0 differ from stored ones, which stay, 45 left out/,
    );
    assert.match(
      refused.stderr,
      /Prints of Binance were not stored, because they could not be compared; --trust stores them/,
    );
    // Trust in prints that nobody could check is not trust in those that the venue contradicts.
    assert.match((await pull(folder, '--trust')).stdout, /45 prints read: 0 added/);
    const trusted = await pull(folder, '--trust', ...nobody);
    assert.equal(trusted.code, 0, trusted.stderr);
    assert.match(trusted.stdout, /45 prints read: 45 added/);
  });

  test('prints of a contract that its venue does not list are not stored, unless they are trusted', async (t) => {
    const [folder, other] = [temporaryFolder(t), temporaryFolder(t)];
    const lake = await runService({ venues: ['binance'], coins: 1 });
    t.after(() => lake.stop());
    const accept = ['--accept-differences', '--venues-url', lake.sim.url];
    const listed = await pull(folder, ...accept);
    assert.match(listed.stdout, /45 prints read: 15 added, .*, 30 left out/);
    assert.match(
      listed.stderr,
      /Prints of 2 contracts, such as Binance ETHUSDT, were not stored, because their venue does not list them now; --trust stores them/,
    );
    assert.match((await pull(other, '--trust', ...accept)).stdout, /45 prints read: 45 added/);
  });

  test('a refused key ends it with one sentence', async (t) => {
    const { code, stderr } = await perpwire(['lake', 'pull', service.service.baseUrl], {
      DATA_DIR: temporaryFolder(t),
      LAKE_KEY: 'pw_test_wrong',
    });
    assert.equal(code, 1);
    assert.match(stderr, /^perpwire: .*manifest.json answered 401: .*\n$/);
  });

  test('progress is shown', async (t) => {
    const { stderr } = await pull(temporaryFolder(t), '--accept-differences');
    assert.match(stderr, /5\/5 files {2}[\d.]+\/[\d.]+ MB/);
  });
});
