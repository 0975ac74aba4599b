import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../base/times.ts';
import { heldContract } from '../directory.ts';
import { CSV_HEADER, csvLines, csvRows } from './files.ts';

const MINUTE = Date.UTC(2026, 10, 1, 8) / MINUTE_MS;
const contract = heldContract({
  ...{ id: 1, exchange: 'Binance', venue_symbol: 'BTC,USDT', symbol: 'BTC-USDT', coin: 'BTC', is_inverse: 0 },
  ...{
    listed_at_ms: null,
    volume_24h_usdt: null,
    walked_from_ms: null,
    walked_to_ms: null,
    held_since_ms: 0,
    last_print_ms: 0,
  },
  ...{ print_count: 0, revision: 1 },
});

suite('lines of an exported file', () => {
  test('each has the names of the contract, its time and its rate', () => {
    const minutes = [Date.UTC(2026, 10, 1, 8) / MINUTE_MS, Date.UTC(2026, 10, 1, 16, 5) / MINUTE_MS];
    assert.equal(
      csvLines({ contract, minutes, ratesPct: [0.01, -0.00000025] }),
      'Binance,"BTC,USDT",BTC-USDT,BTC,false,2026-11-01T08:00:00Z,0.01\n' +
        'Binance,"BTC,USDT",BTC-USDT,BTC,false,2026-11-01T16:05:00Z,-2.5e-7\n',
    );
  });

  test('a name that a spreadsheet would compute has an apostrophe in front, which an import removes', async (t) => {
    const hostile = { ...contract, venueSymbol: '＝1;2', symbol: '=1+1', coin: '@A' };
    assert.equal(
      csvLines({ contract: hostile, minutes: [0], ratesPct: [-0.01] }),
      `Binance,"'＝1;2",'=1+1,'@A,false,1970-01-01T00:00:00Z,-0.01\n`,
    );
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-files-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'hostile.csv');
    writeFileSync(
      file,
      `${CSV_HEADER}${csvLines({ contract: hostile, minutes: [MINUTE], ratesPct: [-0.01] })}`,
    );
    const [read] = await Array.fromAsync(
      csvRows(file, { exchanges: new Set(['Binance']), nowMs: MINUTE * MINUTE_MS }),
    );
    assert.deepEqual(
      [read?.names.venueSymbol, read?.names.symbol, read?.names.coin, read?.minute, read?.ratePct],
      ['＝1;2', '=1+1', '@A', MINUTE, -0.01],
    );
  });

  test('times are the same as elsewhere, over the ends of days, months and leap years', () => {
    const minutes: number[] = [];
    for (let timeMs = Date.UTC(2023, 11, 30); timeMs < Date.UTC(2024, 2, 2); timeMs += HOUR_MS + MINUTE_MS)
      minutes.push(timeMs / MINUTE_MS);
    minutes.push((Date.UTC(2026, 0, 1) + DAY_MS) / MINUTE_MS);
    const times = csvLines({ contract, minutes, ratesPct: minutes.map(() => 0) })
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').at(-2));
    assert.deepEqual(
      times,
      minutes.map((minute) => isoTime(minute * MINUTE_MS)),
    );
  });

  test('no prints are no lines', () => {
    assert.equal(csvLines({ contract, minutes: [], ratesPct: [] }), '');
  });
});
