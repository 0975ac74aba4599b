import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startPostgres } from '../support/servers.ts';
import { collectOnce, rowsOf, runService } from '../support/service.ts';

const postgres = await startPostgres();
const skip = typeof postgres === 'string' ? postgres : false;
after(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

suite('the service on PostgreSQL', { skip }, () => {
  test('keys, rate limits and snapshots work, and a restarted process serves the last snapshot', async () => {
    assert.ok(typeof postgres !== 'string');
    const settings = {
      DATABASE_URL: await postgres.createDatabase(),
      SECRET_KEY: 'the same key at all processes of a test',
    };
    const first = await runService({ venues: ['binance', 'okx'], coins: 20, settings });
    await collectOnce(first);
    const rows = rowsOf(await first.get('/api/v1/funding?limit=500'));
    assert.ok(rows.length > 30);
    await first.stop();
    const second = await runService({ venues: ['binance', 'okx'], coins: 20, settings });
    assert.equal(rowsOf(await second.get('/api/v1/funding?limit=500')).length, rows.length);
    await second.stop();
  });
});
