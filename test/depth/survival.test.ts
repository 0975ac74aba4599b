import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Disk } from '../../chaos/world/disk.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { decodeCosts, encodeCosts } from '../../src/history/depth/cost-codec.ts';
import { onBothDatabases, openFor } from '../storage/databases.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { costsAt, EXCHANGES } from './made-costs.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
type Row = Record<string, unknown>;

suite('kill -9 while costs are stored', () => {
  onBothDatabases((fresh) => {
    test('what was acknowledged is there, whole, and no time has only some of the venues', async (t) => {
      const options = await fresh(t);
      const program = join(import.meta.dirname, 'store-and-die.ts');
      const args = [program, options.databaseUrl ?? '', options.sqliteFile];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        // At a different point of the work on each machine and in each run.
        if (output.split('\n').length > 40) child.kill('SIGKILL');
      });
      const [, signal] = await once(child, 'close');
      assert.equal(signal, 'SIGKILL');
      const acknowledged = output.slice(0, output.lastIndexOf('\n')).split('\n').map(Number);

      const storage = await openFor(t, options);
      const stored = await storage.db.selectFrom('depth_costs').selectAll().orderBy('minute').execute();
      const byMinute = Map.groupBy(stored, ({ minute }) => minute);
      assert.ok(acknowledged.length >= 40);
      assert.deepEqual(
        acknowledged.filter((minute) => !byMinute.has(minute)),
        [],
      );
      for (const [minute, rows] of byMinute) {
        const made = costsAt(minute);
        assert.deepEqual(rows.map(({ exchange }) => exchange).sort(), EXCHANGES, `of ${minute}`);
        for (const { exchange, block } of rows) {
          const expected = decodeCosts(encodeCosts(made.get(exchange) ?? []));
          assert.deepEqual(decodeCosts(block), expected);
        }
      }
    });
  });
});

/** Collects all venues and fetches every book that is due, then publishes. */
async function nextTable(running: Running, clock: ManualClock, minutes: number): Promise<void> {
  clock.advanceMs(minutes * MINUTE_MS);
  const pump = setInterval(() => clock.advanceMs(20), 5);
  await collectOnce(running);
  await running.service.samples.fetchBooks(clock.nowMs() + 25_000);
  clearInterval(pump);
  clock.advanceMs(MINUTE_MS - (clock.nowMs() % MINUTE_MS));
  await running.service.publisher.publish(clock.nowMs());
}

suite('a restart after a kill', () => {
  test('all rows are there at once, at their true age, and are fetched again', async (t) => {
    const clock = new ManualClock(START_MS);
    const options = { venues: ['binance', 'hyperliquid', 'okx'], coins: 8, clock };
    const list = '/api/v1/depth?limit=500&sort=exchange_asc&size_usd=30000';
    const read = async (from: Running) => rowsOf(await from.get(list));
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-depth-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const first = await runService(options);
    await nextTable(first, clock, 0);
    const before = await read(first);
    // What a kill leaves are the files as they are while the process runs.
    cpSync(first.dataDir, folder, { recursive: true });
    await first.stop();
    assert.ok(before.length > 15, `${before.length} rows`);

    clock.advanceMs(12 * MINUTE_MS);
    const second = await runService({ ...options, dataDir: folder });
    try {
      // No book is fetched.
      const pump = setInterval(() => clock.advanceMs(20), 5);
      await collectOnce(second);
      clearInterval(pump);
      clock.advanceMs(MINUTE_MS - (clock.nowMs() % MINUTE_MS));
      await second.service.publisher.publish(clock.nowMs());
      const after = await read(second);
      const asOfMs = clock.nowMs();
      const nameOf = ({ exchange, venue_symbol }: Row) => `${exchange}/${venue_symbol}`;
      assert.deepEqual(after.map(nameOf).sort(), before.map(nameOf).sort());
      for (const row of after) {
        const then = before.find((one) => nameOf(one) === nameOf(row)) as Row;
        for (const name of ['book_at', 'mid_price', 'bid_10bp_usd', 'ask_received_usd', 'ask_reach_bp'])
          assert.equal(row[name], then[name], `${name} of ${nameOf(row)}`);
        assert.equal(row.buy_cost_pct, then.buy_cost_pct);
        const ageSeconds = (asOfMs - Date.parse(String(row.book_at))) / 1000;
        assert.ok(Math.abs(Number(row.book_age_seconds) - ageSeconds) < 1, `${row.book_age_seconds}`);
        assert.ok(Number(row.book_age_seconds) > 12 * 60);
      }
      await nextTable(second, clock, 1);
      const fetched = await read(second);
      assert.equal(fetched.length, before.length);
      assert.ok(fetched.every(({ book_age_seconds }) => Number(book_age_seconds) < 120));
    } finally {
      await second.stop();
    }
  });
});

suite('a full disk', () => {
  test('depth goes on answering, the log says why costs are missing, and they are stored again', async (t) => {
    const disk = new Disk('48m');
    if (disk.cannotFill !== null) {
      disk.remove();
      return t.skip(disk.cannotFill);
    }
    const clock = new ManualClock(START_MS);
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => lines.push(line) });
    const running = await runService({
      ...{ venues: ['binance', 'okx'], coins: 5, clock, dataDir: disk.folder },
      serviceOptions: { log },
    });
    try {
      const points = async () => {
        const reply = await running.get('/api/v1/depth/history?coin=BTC&exchange=OKX&days=1');
        assert.equal(reply.status, 200, reply.text);
        return (reply.body as { data: { points: Row[] } }).data.points.length;
      };
      await nextTable(running, clock, 5);
      assert.equal(await points(), 1);
      disk.fill();
      await nextTable(running, clock, 5);
      assert.equal(await points(), 1);
      const depth = await running.get('/api/v1/depth?limit=500');
      assert.ok(rowsOf(depth).length > 5, depth.text);
      assert.ok(
        lines.some((line) =>
          /could not store what orders cost.*disk.*full|disk.*full.*could not store what/.test(line),
        ),
        lines.join(''),
      );
      disk.free();
      await nextTable(running, clock, 0);
      // The answer of before is cached for half a minute.
      clock.advanceMs(MINUTE_MS / 2);
      assert.equal(await points(), 2);
    } finally {
      await running.stop();
      disk.remove();
    }
  });
});
