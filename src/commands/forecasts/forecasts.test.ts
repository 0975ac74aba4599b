import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parquetWriteFile } from 'hyparquet-writer';
import { isoTime } from '../../base/times.ts';
import { UsageError } from '../command.ts';
import { forecastsCommand, scoreFile } from './forecasts.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-forecasts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = 'exchange,coin,settled_at,interval_hours,rate_pct';
const START_MS = Date.UTC(2025, 0, 1);

interface Row {
  exchange: string;
  coin: string;
  settled_at: string;
  interval_hours: number;
  rate_pct: number;
}

/** Prints of two coins at two venues, every eight hours. */
function rowsOf(days: number): Row[] {
  const rows: Row[] = [];
  for (const [i, exchange] of ['A', 'B'].entries())
    for (const [k, coin] of ['BTC', 'ETH'].entries())
      for (let hour = 8; hour <= days * 24; hour += 8)
        rows.push({
          exchange,
          coin,
          settled_at: isoTime(START_MS + hour * 3_600_000),
          interval_hours: 8,
          rate_pct: Number(
            (0.01 * Math.sin(hour / (90 + 50 * i + 20 * k)) + 0.001 * ((hour * 7) % 13)).toFixed(6),
          ),
        });
  return rows;
}

const lineOf = (row: Row) => Object.values(row).join(',');
const ROWS = rowsOf(60);
const LINES = ROWS.map(lineOf);

function fileOf(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

const score = async (file: string) => await scoreFile(file, null, () => undefined);
const good = fileOf('good.csv', [HEADER, ...LINES]);

suite('perpwire forecasts score', () => {
  test('the JSON has the fields that the documents name', async () => {
    const printed: string[] = [];
    const { log, error } = console;
    console.log = (text: string) => void printed.push(text);
    console.error = () => undefined;
    try {
      await forecastsCommand.run(['score', '--prints', good, '--from', '2025-02-10', '--json']);
    } finally {
      Object.assign(console, { log, error });
    }
    const { horizons } = JSON.parse(printed.join('\n'));
    assert.deepEqual(
      horizons.map((one: { days: number; observations: number }) => [one.days, one.observations]),
      // 59 days have an end before the last midnight of the file; from day 40 on, two pairs each.
      [
        [1, 40],
        [7, 28],
        [30, 0],
      ],
    );
    const [first] = horizons;
    assert.deepEqual(Object.keys(first), [
      'days',
      'observations',
      'mean_error_bp',
      'coverage_pct',
      'top_tenth',
    ]);
    assert.deepEqual(Object.keys(first.mean_error_bp), ['expected', 'now', 'mean_7d', 'mean_30d', 'zero']);
    assert.deepEqual(Object.keys(first.top_tenth), ['by_now', 'by_expected']);
    for (const order of Object.values(first.top_tenth))
      assert.deepEqual(Object.keys(order as object), ['promised_apr_pct', 'earned_apr_pct']);
  });

  test('unsorted rows, other column orders, gzip and Parquet give the same score', async () => {
    const wanted = await score(good);
    assert.deepEqual(await score(fileOf('unsorted.csv', [HEADER, ...LINES.toReversed()])), wanted);
    assert.deepEqual(await score(fileOf('packed.csv.gz', [HEADER, ...LINES])), wanted);
    const reordered = ROWS.map((row) => [
      row.rate_pct,
      'note',
      row.interval_hours,
      row.settled_at,
      row.coin,
      row.exchange,
    ]);
    const names = 'rate_pct,note,interval_hours,settled_at,coin,exchange';
    assert.deepEqual(
      await score(fileOf('order.csv', [names, ...reordered.map((row) => row.join(','))])),
      wanted,
    );
    const parquet = join(folder, 'prints.parquet');
    const column = (name: keyof Row) => ROWS.map((row) => row[name]);
    parquetWriteFile({
      filename: parquet,
      columnData: [
        { name: 'exchange', data: column('exchange'), type: 'STRING' },
        { name: 'coin', data: column('coin'), type: 'STRING' },
        { name: 'settled_at', data: column('settled_at').map((text) => new Date(text)), type: 'TIMESTAMP' },
        { name: 'interval_hours', data: column('interval_hours').map(Number), type: 'INT32' },
        { name: 'rate_pct', data: column('rate_pct').map(Number), type: 'DOUBLE' },
      ],
    });
    assert.deepEqual(await score(parquet), wanted);
  });

  test('a print that is there twice counts once', async () => {
    const said: string[] = [];
    const file = fileOf('twice.csv', [HEADER, ...LINES, ...LINES.slice(0, 3)]);
    assert.deepEqual(await scoreFile(file, null, (text) => said.push(text)), await score(good));
    assert.equal(said[0], '720 prints of 4 contracts; 3 rows were there twice');
  });

  const withInterval = (hours: (row: Row, i: number) => string | number) =>
    ROWS.map((row, i) => Object.values({ ...row, interval_hours: hours(row, i) }).join(','));

  test('an empty or null interval is that of the neighbours', async () => {
    const wanted = await score(good);
    assert.deepEqual(await score(fileOf('without.csv', [HEADER, ...withInterval(() => '')])), wanted);
    const some = withInterval((row, i) => (i % 3 === 0 ? 'null' : row.interval_hours));
    assert.deepEqual(await score(fileOf('some.csv', [HEADER, ...some])), wanted);
    // After a hole the print before is too far away, and the one after says the interval.
    const hole = (lines: readonly string[]) => [HEADER, ...lines.filter((_, i) => i % 180 !== 50)];
    assert.deepEqual(
      await score(fileOf('hole.csv', hole(withInterval(() => '')))),
      await score(fileOf('known.csv', hole(LINES))),
    );
  });

  test('a print that is there twice, once without its interval, counts once with it', async () => {
    const without = withInterval(() => '').slice(0, 3);
    assert.deepEqual(await score(fileOf('two.csv', [HEADER, ...without, ...LINES])), await score(good));
  });

  test('a print without an interval in Parquet is read', async () => {
    const file = join(folder, 'null.parquet');
    const column = (name: keyof Row) => ROWS.map((row) => row[name]);
    parquetWriteFile({
      filename: file,
      columnData: [
        { name: 'exchange', data: column('exchange'), type: 'STRING' },
        { name: 'coin', data: column('coin'), type: 'STRING' },
        { name: 'settled_at', data: column('settled_at').map((text) => new Date(text)), type: 'TIMESTAMP' },
        { name: 'interval_hours', data: ROWS.map(() => null), type: 'INT32', nullable: true },
        { name: 'rate_pct', data: column('rate_pct').map(Number), type: 'DOUBLE' },
      ],
    });
    assert.deepEqual(await score(file), await score(good));
  });

  test('--pool scores the ten best of lists by each order, beside the same figures as without it', async () => {
    const plain = await score(good);
    const pooled = await scoreFile(good, null, () => undefined, [8, 1000]);
    for (const [i, { pooled: lists, ...others }] of pooled.entries()) {
      assert.deepEqual(others, plain[i]);
      assert.ok(lists);
      const counted = (plain[i] as { observations: number }).observations;
      assert.deepEqual(
        lists.map(({ pairs, order, is_default, top }) => [pairs, order, is_default, top]),
        [Math.min(8, counted), Math.min(1000, counted)].flatMap((pairs) => [
          [pairs, 'net_apr', false, 10],
          [pairs, 'realised_30d', false, 10],
          [pairs, 'expected_net', false, 10],
          [pairs, 'expected_low_net', true, 10],
        ]),
      );
      // Venues that are not served are taken to charge 0.05 %, so a day never earns what four fills cost.
      if (i === 0) assert.ok(lists.every(({ below_costs_pct: below }) => below === 100));
    }
  });

  for (const value of ['0', '-5', '1.5', 'many'])
    test(`--pool ${value} is refused`, async () => {
      await assert.rejects(
        forecastsCommand.run(['score', '--prints', good, `--pool=${value}`]),
        /--pool takes a number of pairs such as 1740; it is "/,
      );
    });

  const broken = (place: number, value: string) => {
    const cells = (LINES[0] ?? '').split(',');
    cells[place] = value;
    return [HEADER, cells.join(','), ...LINES.slice(1)];
  };
  const [first = ''] = LINES;
  const FAULTS: Readonly<Record<string, readonly [lines: readonly string[], message: RegExp]>> = {
    'a missing column': [
      [HEADER.replace(',interval_hours', ''), 'A,BTC,2025-01-01T08:00:00Z,1'],
      /has no column interval_hours; it needs exchange, coin/,
    ],
    'no header': [LINES, /has no column exchange, coin, settled_at, interval_hours, rate_pct/],
    'an empty file': [[], /is empty; it must start with exchange,coin,settled_at,interval_hours,rate_pct/],
    'a file with a header only': [[HEADER], /has no prints; it needs the columns exchange/],
    'an unknown date': [
      broken(2, 'yesterday'),
      /line 2: settled_at must be an ISO 8601 time .*; it is "yesterday"/,
    ],
    'a date in another unit': [broken(2, '1735718400'), /line 2: settled_at must be an ISO 8601 time/],
    'a rate that is no number': [
      broken(4, 'n/a'),
      /line 2: rate_pct must be a number of percent .*; it is "n\/a"/,
    ],
    'an enormous rate': [broken(4, '1000'), /line 2: rate_pct must be a number of percent from -96 to 96/],
    'an interval of zero': [
      broken(3, '0'),
      /line 2: interval_hours must be a number of hours up to 24, or empty; it is "0"/,
    ],
    'a line that ends early': [
      [HEADER, 'A,BTC', ...LINES],
      /line 2: settled_at must be .*; it is "undefined"/,
    ],
    'no exchange': [broken(0, ''), /line 2: exchange must be a name; it is ""/],
    'two rates for one settlement': [
      [HEADER, ...LINES, first.replace(/[^,]*$/, '0.5')],
      /two rates of A BTC at 2025-01-01T08:00:00Z, in rows 2 and 722; keep one/,
    ],
    'one venue only': [
      [HEADER, ...LINES.filter((line) => line.startsWith('A'))],
      /has no coin at two exchanges/,
    ],
    'too short a history': [
      [HEADER, ...rowsOf(20).map(lineOf)],
      /has prints of 21 days; a forecast and its outcome take 31/,
    ],
    'history with holes': [
      [HEADER, ...LINES.filter((_, i) => i % 4 !== 0)],
      /has no forecast to score: no pair has complete prints/,
    ],
  };
  for (const [name, [lines, message]] of Object.entries(FAULTS))
    test(`${name} is refused with its place`, async () => {
      await assert.rejects(score(fileOf('bad.csv', lines)), (error) => {
        assert.ok(error instanceof UsageError, String(error));
        assert.match(error.message, message);
        return true;
      });
    });

  const FILES: Readonly<Record<string, readonly [file: string, message: RegExp]>> = {
    'a file that does not exist': [join(folder, 'none.csv'), /there is no file /],
    'a gzip file that does not exist': [join(folder, 'none.csv.gz'), /there is no file /],
    'a folder': [folder, /cannot read .*: it is a folder$/],
    'text with the name of Parquet': [fileOf('text.parquet', LINES), /is not a Parquet file/],
  };
  for (const [name, [file, message]] of Object.entries(FILES))
    test(`${name} is refused`, async () => await assert.rejects(score(file), message));

  test('text with the name of gzip is refused', async () => {
    const file = join(folder, 'text.csv.gz');
    writeFileSync(file, HEADER);
    await assert.rejects(score(file), /is not a complete gzip file/);
  });
});
