import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { decodeDay, encodeDay } from '../../src/history/audit/codec.ts';
import {
  type AuditedSettlement,
  dayOf,
  MINUTES_PER_DAY,
  settlementKey,
} from '../../src/history/audit/model.ts';
import { AuditStore } from '../../src/history/audit/store.ts';
import { FencedError } from '../../src/storage/fences.ts';
import { freshPostgres, nextFence, onBothDatabases, openFor, skipPostgres } from '../storage/databases.ts';
import { AuditSteps, FROM_MS, storedSettlements } from './audit-steps.ts';

const DAY = 20_771;
const MINUTE = DAY * MINUTES_PER_DAY + 480;

const settlement = (change: Partial<AuditedSettlement> = {}): AuditedSettlement => ({
  venueSymbol: 'BTCUSDT',
  minute: MINUTE,
  publishedPct: 0.0104,
  publishedSecondsBefore: 5,
  earlierPct: -0.00012345,
  intervalHours: 8,
  isAccrual: false,
  printPct: null,
  previousPrintPct: null,
  gapMinutes: null,
  delaySeconds: null,
  ...change,
});
const PRINTED = { printPct: 0.01, previousPrintPct: 0.02, gapMinutes: 480, delaySeconds: 31 };

suite('blocks of the audit', () => {
  test('what goes in comes out, to 10⁻⁸ percent, nulls too', () => {
    const day = [
      settlement(),
      settlement({ venueSymbol: 'ETH', ...PRINTED }),
      settlement({ minute: MINUTE + 60 }),
    ];
    const back = decodeDay(encodeDay(day));
    assert.deepEqual(
      back.toSorted((a, b) => a.minute - b.minute || (a.venueSymbol < b.venueSymbol ? -1 : 1)),
      day,
    );
  });

  test('a damaged block is an empty day', () => {
    const block = encodeDay([settlement()]);
    for (const bytes of [new Uint8Array(0), Buffer.from('junk'), block.slice(0, block.length - 9)])
      assert.deepEqual(decodeDay(bytes), []);
  });

  test('a day of a large venue takes at most 14 bytes a comparison', () => {
    const day: AuditedSettlement[] = [];
    for (let contract = 0; contract < 500; contract++)
      for (let step = 1; step <= 6; step++) {
        const rate = (by: number) => Math.round(1e4 * Math.sin(contract * 7.3 + (step + by) * 2.1)) / 1e6;
        day.push(
          settlement({
            venueSymbol: `COIN${contract}USDT`,
            minute: DAY * MINUTES_PER_DAY + step * 240,
            publishedPct: rate(0) + (contract % 7) / 1e6,
            earlierPct: rate(0) + (contract % 5) / 1e6,
            printPct: rate(0),
            previousPrintPct: rate(-1),
            gapMinutes: 240,
            intervalHours: 4,
            delaySeconds: 30 + (contract % 40),
          }),
        );
      }
    const bytes = encodeDay(day).length / day.length;
    assert.ok(bytes <= 14, `${bytes.toFixed(1)} bytes`);
  });
});

suite('the audit in the database', () => {
  onBothDatabases((fresh) => {
    test('settlements are merged: a print fills a settlement in, and a repeated write changes nothing', async (t) => {
      const store = new AuditStore(await openFor(t, await fresh(t)));
      const late = settlement({ minute: MINUTE + MINUTES_PER_DAY });
      await store.merge('OKX', [settlement(), late], null);
      await store.merge('OKX', [settlement(PRINTED)], null);
      await store.merge('OKX', [settlement(), settlement({ ...PRINTED, printPct: 5 })], null);
      assert.deepEqual(await store.load('OKX', DAY), [settlement(PRINTED)]);
      assert.deepEqual(await store.load('OKX', dayOf(late.minute)), [late]);
      assert.deepEqual(await store.load('Bybit', DAY), []);
      await store.deleteBefore(DAY + 1);
      assert.deepEqual(await store.load('OKX', DAY), []);
      assert.deepEqual(await store.load('OKX', DAY + 1), [late]);
    });

    test('documents are replaced', async (t) => {
      const store = new AuditStore(await openFor(t, await fresh(t)));
      assert.equal(await store.loadDocument('report'), null);
      await store.saveDocument('report', { asOfMs: 1, value: { a: [1] } }, null);
      await store.saveDocument('report', { asOfMs: 2, value: { a: [2] } }, null);
      assert.deepEqual(await store.loadDocument('report'), { asOfMs: 2, value: { a: [2] } });
    });
  });

  test('a holder that another has followed writes nothing', { skip: skipPostgres }, async (t) => {
    const storage = await openFor(t, await freshPostgres(t));
    const store = new AuditStore(storage);
    const old = await nextFence(storage, 'engine');
    const current = await nextFence(storage, 'engine');
    await assert.rejects(store.merge('OKX', [settlement()], old), FencedError);
    await assert.rejects(store.saveDocument('report', { asOfMs: 1, value: {} }, old), FencedError);
    assert.deepEqual(await store.load('OKX', DAY), []);
    await store.merge('OKX', [settlement()], current);
    assert.equal((await store.load('OKX', DAY)).length, 1);
  });
});

suite('kill -9 while the audit is saved', () => {
  onBothDatabases((fresh) => {
    test('loses nothing that was saved, and doubles nothing after the restart', async (t) => {
      const options = await fresh(t);
      const program = join(import.meta.dirname, 'audit-and-die.ts');
      const args = [program, options.databaseUrl ?? '', options.sqliteFile];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        // At a different point of the work on each machine and in each run.
        if (output.includes('hour 7\n')) child.kill('SIGKILL');
      });
      const [, signal] = await once(child, 'close');
      assert.equal(signal, 'SIGKILL');
      const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
      const saved = (word: string) =>
        lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
      const seenHour = Number(saved('hour').at(-1));

      const store = new AuditStore(await openFor(t, options));
      const found = await storedSettlements(store, seenHour + 1);
      const keys = found.map(settlementKey);
      assert.equal(new Set(keys).size, keys.length, 'none twice');
      const compared = new Set(found.filter(({ printPct }) => printPct !== null).map(settlementKey));
      assert.deepEqual(
        saved('expected').filter((key) => !keys.includes(key)),
        [],
      );
      assert.deepEqual(
        saved('compared').filter((key) => !compared.has(key)),
        [],
      );

      // The killed process may have been ahead of what it had written out. A restart is never before what is stored.
      const storedHour = Math.max(...found.map(({ minute }) => (minute * MINUTE_MS - FROM_MS) / HOUR_MS));
      const hour = Math.max(seenHour, storedHour - 1);
      const restarted = new AuditSteps(store);
      await restarted.restore(hour);
      await restarted.pass(hour + 1);
      await restarted.pass(hour + 2);
      const wanted = (hour + 2) * 40;
      const after = await storedSettlements(store, hour + 2);
      assert.equal(new Set(after.map(settlementKey)).size, after.length);
      assert.deepEqual([after.length, after.filter(({ printPct }) => printPct === null)], [wanted, []]);
      assert.equal(restarted.comparisons(720, hour + 2), wanted);
    });
  });
});
