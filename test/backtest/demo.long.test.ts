import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { SIZES_USD } from '../../src/history/samples/model.ts';
import { killStarted, startPerpwire } from '../support/process.ts';
import { until } from '../support/until.ts';

interface Ready {
  base_url: string;
  keys: Record<'demo' | 'pro' | 'business', string>;
}

interface Answer {
  data: { withheld_top: number; spreads: unknown[] };
  meta: { as_of: string };
}

const SEVEN_DAYS_MINUTES = 7 * 1440;

after(killStarted);

suite('backtest in the demo', () => {
  test('the first start samples seven days, every size has rows, Demo gets delayed rows without the best ones', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-demo-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const running = startPerpwire(
      ['demo', '--port', '0', '--coins', '16', '--venues', 'binance,okx,gate', '--data', folder],
      { LOG_LEVEL: 'silent' },
    );
    const ready = JSON.parse(await running.line((line) => line.startsWith('{"ready"'))) as Ready;
    const request = async (plan: keyof Ready['keys'], sizeUsd: number) => {
      const reply = await fetch(`${ready.base_url}/api/v1/spreads/backtest?size_usd=${sizeUsd}&limit=50`, {
        headers: { 'x-api-key': ready.keys[plan] },
      });
      return { status: reply.status, body: (await reply.json()) as Answer };
    };
    assert.equal((await request('pro', 100)).status, 200, 'answers at once');
    assert.equal((await request('demo', 100)).status, 200);
    // The last hours come first, all seven days a little later.
    const database = new DatabaseSync(join(folder, 'perpwire.sqlite'), { readOnly: true });
    t.after(() => database.close());
    const stored = database.prepare('select sum(minutes) as minutes from depth_blocks');
    await until(() => Number(stored.get()?.minutes) >= SEVEN_DAYS_MINUTES, 'seven days of samples');
    // Polled with a key of its own: it may run into its minute window.
    await until(async () => {
      const { status, body } = await request('business', SIZES_USD[0]);
      return status === 200 && body.data.spreads.length > 3;
    }, 'the backtest of seven days');
    for (const sizeUsd of SIZES_USD) {
      const live = await request('pro', sizeUsd);
      assert.ok(live.body.data.spreads.length > 3, `${sizeUsd} USD: ${live.body.data.spreads.length} rows`);
      const late = await request('demo', sizeUsd);
      assert.equal(late.status, 200);
      assert.ok(late.body.data.withheld_top >= 3);
      assert.ok(Date.now() - Date.parse(late.body.meta.as_of) >= 900_000);
    }
    running.child.kill('SIGINT');
    assert.equal(await running.ended, 0);

    const { openStorage } = await import('../../src/storage/storage.ts');
    const { SampleStore } = await import('../../src/history/samples/store.ts');
    const { createLog } = await import('../../src/base/log.ts');
    const storage = await openStorage({
      databaseUrl: null,
      sqliteFile: join(folder, 'perpwire.sqlite'),
      log: createLog('silent'),
    });
    t.after(() => storage.close());
    const samples = new SampleStore(storage);
    await samples.open();
    const span = await samples.span();
    assert.ok(span && span.lastMinute - span.firstMinute >= SEVEN_DAYS_MINUTES - 1);
    assert.deepEqual(await samples.missing(span.firstMinute, span.lastMinute), [], 'without a gap');
  });
});
