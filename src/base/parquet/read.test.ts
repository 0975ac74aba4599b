import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { asyncBufferFromFile } from 'hyparquet';
import { temporaryFolder } from '../../../test/storage/sqlite.ts';
import { duckRows } from '../../../test/support/duckdb.ts';
import { type MadePage, madeParquet, plain, varint } from '../../../test/support/made-parquet.ts';
import { ParquetFault } from './fault.ts';
import { type ParquetLimits, parquetRows } from './read.ts';

const LIMITS: ParquetLimits = { rows: null, groupRows: 1_000, groupBytes: 64 * 1024 };
const DICTIONARY: MadePage = { kind: 2, values: 2, encoding: 0, bytes: plain(7, 9) };

async function read(bytes: Uint8Array, limits: Partial<ParquetLimits> = {}): Promise<unknown[]> {
  const copy = Uint8Array.from(bytes).buffer;
  const file = { byteLength: bytes.length, slice: (start: number, end?: number) => copy.slice(start, end) };
  const values: unknown[] = [];
  for await (const { columns } of parquetRows(file, { columns: ['n'], limits: { ...LIMITS, ...limits } }))
    values.push(...columns.n);
  return values;
}
const refused = async (bytes: Uint8Array, message: RegExp, limits: Partial<ParquetLimits> = {}) =>
  await assert.rejects(read(bytes, limits), (error) => {
    assert.ok(error instanceof ParquetFault, String(error));
    assert.match(error.message, message);
    return true;
  });

suite('a Parquet file from elsewhere', () => {
  test('plain values, packed ones, and indexes of a dictionary are read', async () => {
    const page: MadePage = { kind: 0, values: 3, encoding: 0, bytes: plain(1, 2, 3) };
    assert.deepEqual(await read(madeParquet({ name: 'n', rows: 3, pages: [page] })), [1n, 2n, 3n]);
    const bytes = zstdCompressSync(plain(4, 5));
    const packed: MadePage = { kind: 3, values: 2, encoding: 0, bytes, unpackedBytes: 16 };
    assert.deepEqual(await read(madeParquet({ name: 'n', rows: 2, codec: 6, pages: [packed] })), [4n, 5n]);
    // One bit each: a run of three times 1, then eight packed ones.
    const indexes: MadePage = {
      kind: 0,
      values: 6,
      encoding: 8,
      bytes: [1, ...varint(3 << 1), 1, (1 << 1) | 1, 0b010],
    };
    assert.deepEqual(await read(madeParquet({ name: 'n', rows: 6, pages: [DICTIONARY, indexes] })), [
      9n,
      9n,
      9n,
      7n,
      9n,
      7n,
    ]);
  });

  for (const compression of ['zstd', 'snappy', 'uncompressed'])
    test(`what DuckDB writes with ${compression} is read, with nulls`, async (t) => {
      const file = join(temporaryFolder(t), 'made.parquet');
      const query =
        'select case when i % 7 = 0 then null else (i % 5)::bigint end as n from range(300000) r(i)';
      await duckRows(`copy (${query}) to '${file}' (format parquet, compression ${compression})`);
      let [sum, nulls, rows] = [0, 0, 0];
      const limits = { rows: 300_000, groupRows: 200_000, groupBytes: 16 * 1024 * 1024 };
      for await (const { columns } of parquetRows(await asyncBufferFromFile(file), {
        columns: ['n'],
        limits,
      }))
        for (const value of columns.n) {
          rows++;
          if (value === null || value === undefined) nulls++;
          else sum += Number(value);
        }
      const [wanted] = await duckRows(
        `select sum(n)::int as total, count(*) filter (n is null)::int as nulls from (${query})`,
      );
      assert.deepEqual([rows, sum, nulls], [300_000, wanted?.total, wanted?.nulls]);
    });

  const one = (page: Partial<MadePage>, rows = 3, more: object = {}) =>
    madeParquet({
      ...{ name: 'n', rows },
      pages: [DICTIONARY, { kind: 0, values: rows, encoding: 8, bytes: [], ...page }],
      ...more,
    });
  for (const [what, bytes, message] of [
    [
      'a run of a billion values in a page of three',
      one({ bytes: [1, ...varint((2 ** 27 - 1) * 2), 1] }),
      /a run that is longer than its page/,
    ],
    [
      'a run of a billion packed values',
      one({ bytes: [1, ...varint((2 ** 27 - 1) * 2 + 1), 1] }),
      /a run that is longer than its page/,
    ],
    ['runs of nothing', one({ bytes: [1, 0, 0, 0, 0] }), /a run that is longer than its page/],
    [
      'a run of nulls that is too long',
      one({ bytes: [4, 0, 0, 0, ...varint((2 ** 27 - 1) * 2), 0] }, 3, { isOptional: true }),
      /a run that is longer than its page/,
    ],
    ['more values than rows', one({ values: 2 ** 30 }), /more in it than the file may have/],
    ['less than no values', one({ values: -5 }), /more in it than the file may have/],
    ['less than no nulls', one({ kind: 3, nulls: -(2 ** 30) }), /more in it than the file may have/],
    [
      'a dictionary of a billion values',
      madeParquet({ name: 'n', rows: 3, pages: [{ ...DICTIONARY, values: 2 ** 30 }] }),
      /more in it than the file may have/,
    ],
    [
      'a page that says it unpacks to a gigabyte',
      madeParquet({
        ...{ name: 'n', rows: 3, codec: 6 },
        pages: [{ kind: 0, values: 3, encoding: 0, bytes: [1], unpackedBytes: 2 ** 30 }],
      }),
      /more in it than the file may have/,
    ],
    [
      'a page that unpacks to more than it says',
      madeParquet({
        ...{ name: 'n', rows: 3, codec: 6 },
        pages: [
          {
            kind: 0,
            values: 3,
            encoding: 0,
            bytes: zstdCompressSync(Buffer.alloc(2 ** 24)),
            unpackedBytes: 24,
          },
        ],
      }),
      /unpacks to more than its header says/,
    ],
    [
      'values in differences, whose count nothing bounds',
      one({ encoding: 5, bytes: [1] }),
      /in an encoding that is not read/,
    ],
    ['an index of 200 bits', one({ bytes: [200, 6, 1] }), /is damaged/],
    ['a page of another kind', one({ kind: 1 as 0 }), /a page of an unknown kind/],
    ['pages that end too early', madeParquet({ name: 'n', rows: 3, pages: [DICTIONARY] }), /cut off/],
    ['a group that is too large', one({}, 5_000), /a group of 5000 rows; at most 1000 are read/],
    [
      'a list of groups with fewer groups than it says',
      one({}, 3, { statedGroups: 2 ** 31 }),
      /cut off|not Parquet|too long/,
    ],
    ['a column of lists in place of values', one({}, 3, { name: 'other' }), /has no column n/],
    ['no Parquet', Buffer.from('x'.repeat(100)), /is not a Parquet file/],
    ['nothing', Buffer.alloc(0), /is not a Parquet file/],
    [
      'a footer that is longer than the file',
      Buffer.from('PAR1\u007f\u007f\u007f\u007fPAR1'),
      /is not a Parquet file/,
    ],
    [
      'a footer of structs in structs',
      Buffer.concat([Buffer.alloc(5_000, 0x1c), Buffer.from([0x88, 0x13, 0, 0]), Buffer.from('PAR1')]),
      /nested too deep/,
    ],
  ] as const)
    test(`refused: ${what}`, async () => await refused(bytes, message));

  test('refused: another number of rows than was said', async () => {
    const page: MadePage = { kind: 0, values: 3, encoding: 0, bytes: plain(1, 2, 3) };
    const file = madeParquet({ name: 'n', rows: 3, pages: [page], groups: 2 });
    assert.equal((await read(file, { rows: 6 })).length, 6);
    await refused(file, /has 6 rows, and the manifest says 3/, { rows: 3 });
  });

  test('refused: pages that unpack to more than the limit together', async () => {
    const page: MadePage = { kind: 0, values: 100, encoding: 0, bytes: plain(...Array(100).keys()) };
    const file = madeParquet({ name: 'n', rows: 300, pages: [page, page, page] });
    assert.equal((await read(file)).length, 300);
    await refused(file, /more in it than the file may have/, { groupBytes: 2_000 });
  });
});
