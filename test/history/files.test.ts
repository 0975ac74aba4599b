import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { isExpected } from '../../src/commands/command.ts';
import { historyCommand } from '../../src/commands/history/history.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { silentLog, temporaryFolder } from '../storage/databases.ts';
import { madeParquet, plain, varint } from '../support/made-parquet.ts';
import { perpwire } from '../support/process.ts';
import { BTC, minuteOf, NOW_MS } from './keeping.ts';

const FIRST = minuteOf('2025-03-01T00:00:00Z');
const PRINTS = Array.from({ length: 500 }, (_, i) => ({
  minute: FIRST + i * 480,
  // Rates with few and with many decimals, zero, negative.
  ratePct: [0.01, -0.000125, 0, 1 / 3, 7.9238688534e-5][i % 5] ?? 0,
}));
const HEADER = 'exchange,venue_symbol,symbol,coin,is_inverse,settled_at,rate_pct';
const GOOD = 'Binance,BTCUSDT,BTC-USDT,BTC,false,2025-11-01T08:00:00Z,0.01';

async function withKeeper<T>(folder: string, work: (keeper: SettlementKeeper) => Promise<T>): Promise<T> {
  const sqliteFile = join(folder, 'perpwire.sqlite');
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: silentLog });
  const clock = new ManualClock(NOW_MS);
  const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics: createMetrics() });
  const result = await work(keeper);
  await keeper.close();
  await storage.close();
  return result;
}

async function heldFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  await withKeeper(folder, async (keeper) => {
    const common = { walked: null, onConflict: 'replace' } as const;
    await keeper.submit({ names: BTC, prints: PRINTS, ...common });
    const eth = {
      ...BTC,
      exchange: 'OKX',
      venueSymbol: 'ETH-USD-SWAP',
      symbol: 'ETH-USD',
      coin: 'ETH',
      isInverse: true,
    };
    await keeper.submit({ names: eth, prints: PRINTS.slice(0, 100), ...common });
  });
  return folder;
}

const run = (folder: string, ...args: string[]) => perpwire(['history', ...args], { DATA_DIR: folder });

/** Runs the command in this process, because starting one takes most of the time. */
async function assertRefused(folder: string, args: readonly string[], message: RegExp): Promise<void> {
  await assert.rejects(historyCommand.run([...args, '--data-dir', folder]), (error) => {
    assert.ok(isExpected(error), String(error));
    assert.match(error.message, message);
    return true;
  });
}

suite('perpwire history export and import', () => {
  for (const format of ['csv', 'parquet'] as const) {
    test(`${format}: an export imported elsewhere gives the same prints, bit by bit`, async (t) => {
      const from = await heldFolder(t);
      const file = join(from, `all.${format}`);
      const exported = await run(from, 'export', '--format', format, '--out', file);
      assert.equal(exported.code, 0, exported.stderr);
      assert.match(exported.stderr, /600 prints written/);
      assert.equal(statSync(file).mode & 0o777, 0o600, 'readable only by its owner');
      const to = temporaryFolder(t);
      const imported = await run(to, 'import', file);
      assert.equal(imported.code, 0, imported.stderr);
      assert.match(imported.stdout, /600 prints of 2 contracts, 600 new/);
      await withKeeper(to, async (keeper) => {
        const btc = keeper.directory.find('Binance', 'BTCUSDT');
        assert.ok(btc);
        const held = await keeper.prints(btc, 0, NOW_MS * 2);
        assert.deepEqual(
          held.minutes,
          PRINTS.map((print) => print.minute),
        );
        assert.deepEqual(
          held.ratesPct,
          PRINTS.map((print) => print.ratePct),
        );
        assert.deepEqual(
          keeper.directory.ofCoin('ETH').map(({ symbol, isInverse }) => [symbol, isInverse]),
          [['ETH-USD', true]],
        );
      });
      assert.match(
        (await run(to, 'import', file)).stdout,
        /600 prints of 2 contracts, 0 new/,
        'twice is once',
      );
    });
  }

  test('csv is written to standard output, for one coin and a window that includes both ends', async (t) => {
    const folder = await heldFolder(t);
    const finished = await run(
      folder,
      'export',
      '--coin',
      'btc',
      '--from',
      '2025-03-01T08:00:00Z',
      '--to',
      '2025-03-02',
    );
    assert.equal(finished.code, 0, finished.stderr);
    assert.deepEqual(finished.stdout.trimEnd().split('\n'), [
      HEADER,
      'Binance,BTCUSDT,BTC-USDT,BTC,false,2025-03-01T08:00:00Z,-0.000125',
      'Binance,BTCUSDT,BTC-USDT,BTC,false,2025-03-01T16:00:00Z,0',
      'Binance,BTCUSDT,BTC-USDT,BTC,false,2025-03-02T00:00:00Z,0.3333333333333333',
    ]);
  });

  test('Parquet has typed columns that other programs can read', async (t) => {
    const folder = await heldFolder(t);
    const file = join(folder, 'eth.parquet');
    await run(folder, 'export', '--coin', 'ETH', '--format', 'parquet', '--out', file);
    const bytes = readFileSync(file);
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    assert.deepEqual(rows[1], {
      exchange: 'OKX',
      venue_symbol: 'ETH-USD-SWAP',
      symbol: 'ETH-USD',
      coin: 'ETH',
      is_inverse: true,
      settled_at: new Date((FIRST + 480) * MINUTE_MS),
      rate_pct: -0.000125,
    });
  });

  test('an import never replaces stored prints', async (t) => {
    const folder = await heldFolder(t);
    const file = join(folder, 'other.csv');
    writeFileSync(file, `${HEADER}\nBinance,BTCUSDT,BTC-USDT,BTC,false,2025-03-01T00:00:00Z,0.5\n${GOOD}\n`);
    const finished = await run(folder, 'import', file);
    assert.match(
      finished.stdout,
      /2 prints of 1 contracts, 1 new, 1 stored with another value, which was kept/,
    );
    const exported = await run(folder, 'export', '--coin', 'BTC', '--to', '2025-03-01T00:00:00Z');
    assert.match(exported.stdout, /2025-03-01T00:00:00Z,0\.01\n/);
  });

  test('status shows the stored prints of each venue, and since when', async (t) => {
    const { stdout } = await run(await heldFolder(t), 'status', '--venue', 'binance,okx');
    assert.match(stdout, /Binance +1 +500 +2025-03-01T00:00:00Z/);
    assert.match(stdout, /OKX +1 +100 +2025-03-01T00:00:00Z/);
    assert.doesNotMatch(stdout, /Kraken/);
  });

  for (const [what, text, message] of [
    ['an empty file', '', /is empty; it must start with exchange,/],
    ['a foreign header', 'a,b\n1,2\n', /line 1: the header must be exchange,venue_symbol/],
    ['too few values', `${HEADER}\nBinance,BTCUSDT\n`, /line 2: 2 values, expected 7/],
    [
      'an unknown venue',
      `${HEADER}\n${GOOD.replace('Binance', 'binance')}\n`,
      /line 2: exchange must be a venue.*"binance"/,
    ],
    [
      'no contract name',
      `${HEADER}\n${GOOD.replace('BTCUSDT', '')}\n`,
      /line 2: venue_symbol must be a name/,
    ],
    [
      'a bad flag',
      `${HEADER}\n${GOOD.replace('false', 'no')}\n`,
      /line 2: is_inverse must be true or false; it is "no"/,
    ],
    [
      'a bad time',
      `${HEADER}\n${GOOD}\n${GOOD.replace('2025-11-01T08:00:00Z', 'noon')}\n`,
      /line 3: settled_at must be an ISO 8601/,
    ],
    ['a time of another age', `${HEADER}\n${GOOD.replace('2025', '1970')}\n`, /line 2: settled_at must be/],
    [
      'a settlement in the future',
      `${HEADER}\n${GOOD.replace('2025', '2099')}\n`,
      /line 2: settled_at must be in the past; it is "2099-11-01T08:00:00Z"/,
    ],
    [
      'NUL in a name',
      `${HEADER}\n${GOOD.replace('BTC-USDT', 'BTC\u0000USDT')}\n`,
      /line 2: symbol must be a name without control characters; it is "BTC USDT"/,
    ],
    [
      'an escape sequence in a name',
      `${HEADER}\n${GOOD.replace('BTCUSDT', '\u001b[2JBTC')}\n`,
      /line 2: venue_symbol must be a name without control characters; it is "\[2JBTC"/,
    ],
    [
      'one long line',
      `${HEADER}\n${GOOD}\n${'x'.repeat(10_001)}`,
      /line 3: the line has more than 10000 characters/,
    ],
    [
      'a first line without an end',
      'x'.repeat(3_000_000),
      /line 1: the line has more than 10000 characters; is it a CSV file/,
    ],
    [
      'a rate that is no number',
      `${HEADER}\n${GOOD.replace('0.01', '')}\n`,
      /line 2: rate_pct must be a number/,
    ],
    [
      'an impossible rate',
      `${HEADER}\n${GOOD.replace('0.01', '970')}\n`,
      /line 2: rate_pct must be a number of percent from -96 to 96/,
    ],
  ] as const) {
    test(`an import of ${what} names the place and the fault`, async (t) => {
      const folder = temporaryFolder(t);
      const file = join(folder, 'bad.csv');
      writeFileSync(file, text);
      await assertRefused(folder, ['import', file], message);
    });
  }

  test('a file that is not Parquet is refused with a message', async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'bad.parquet');
    writeFileSync(file, 'PAR0 is not it, whatever it may be');
    const finished = await run(folder, 'import', file);
    assert.equal(finished.code, 1);
    assert.match(finished.stderr, /bad\.parquet is not a Parquet file/);
    assert.doesNotMatch(finished.stderr, /\n\s+at /);
  });

  test('a Parquet file with a run of a billion values, or with a print of tomorrow, is refused', async (t) => {
    const folder = temporaryFolder(t);
    const bomb = join(folder, 'bomb.parquet');
    const dictionary = { kind: 2, values: 1, encoding: 0, bytes: plain(7) } as const;
    const page = { kind: 0, values: 3, encoding: 8, bytes: [1, ...varint(2 ** 28 - 2), 0] } as const;
    writeFileSync(bomb, madeParquet({ name: HEADER.split(','), rows: 3, pages: [dictionary, page] }));
    await assertRefused(folder, ['import', bomb], /bomb.parquet has a run that is longer than its page/);
    const future = join(folder, 'future.parquet');
    const column = (name: string, type: 'STRING' | 'BOOLEAN' | 'TIMESTAMP' | 'DOUBLE', value: unknown) => ({
      ...{ name, type, data: [value] },
    });
    parquetWriteFile({
      filename: future,
      columnData: [
        column('exchange', 'STRING', 'Binance'),
        column('venue_symbol', 'STRING', 'BTCUSDT'),
        column('symbol', 'STRING', 'BTC-USDT'),
        column('coin', 'STRING', 'BTC'),
        column('is_inverse', 'BOOLEAN', false),
        column('settled_at', 'TIMESTAMP', new Date('2099-01-01T00:00:00Z')),
        column('rate_pct', 'DOUBLE', 0.01),
      ],
    });
    await assertRefused(folder, ['import', future], /future.parquet row 1: settled_at must be in the past/);
  });

  for (const [args, message] of [
    [[], /history has backfill, export, import and status/],
    [['import'], /history import needs a file/],
    [['import', 'nowhere.csv'], /there is no file nowhere\.csv/],
    [['export', '--coin', 'NOPE'], /no prints of NOPE are stored/],
    [['export', '--format', 'xml'], /--format takes csv or parquet; it is "xml"/],
    [['export', '--format', 'parquet'], /--format parquet needs --out FILE/],
    [['export', '--from', 'today'], /--from takes an ISO 8601 UTC time.*"today"/],
    [['export', '--from', '2026-02-01', '--to', '2026-01-01'], /--from must not be after --to/],
    [['backfill', '--days', '0'], /--days takes a whole number from 1 to 3650/],
    [['backfill', '--venue', 'nyse'], /no venue "nyse"/],
    [
      ['backfill', '--venue', 'binance', '--venues-url', 'http://127.0.0.1:9'],
      /no venue sent its contract list/,
    ],
  ] as const) {
    test(`perpwire history ${args.join(' ')} names the fault`, async (t) => {
      await assertRefused(temporaryFolder(t), args, message);
    });
  }
});
