import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { BTC, keeping, minuteOf } from '../../test/history/keeping.ts';
import { freshSqlite, silentLog, temporaryFolder } from '../../test/storage/sqlite.ts';
import { duckRows } from '../../test/support/duckdb.ts';
import { DAY_MS, MINUTE_MS } from '../base/times.ts';
import { SHIPPED } from '../engines/forecast/models.ts';
import { FORECAST_CONTRACTS_TABLE, FORECAST_PAIRS_TABLE } from '../engines/forecast/published.ts';
import { DepthCostStore } from '../history/depth/store.ts';
import { ForecastStore } from '../history/forecasts/store.ts';
import { TapeWriter } from '../history/tape/writer.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { encodeTable } from '../market/tables/table-codec.ts';
import { buildLake } from './build.ts';
import type { LakeSource } from './dataset.ts';
import { LakeFolder } from './files/folder.ts';
import { LakeError } from './files/manifest.ts';
import { firstPrintDayMs, lakeSources } from './sources.ts';

const NOW_MS = Date.parse('2026-11-14T09:30:00Z');
const ETH = {
  ...BTC,
  exchange: 'OKX',
  venueSymbol: 'ETH-USD-SWAP',
  symbol: 'ETH-USD',
  coin: 'ETH',
  isInverse: true,
};
const everyEightHours = (from: string, count: number, ratePct: number) =>
  Array.from({ length: count }, (_, i) => ({
    minute: minuteOf(from) + i * 480,
    ratePct: ratePct + i / 1000,
  }));

async function lakeOf(t: TestContext) {
  const setting = await keeping(t, freshSqlite, NOW_MS, { batchWaitMs: 0 });
  const { keeper, storage, clock } = setting;
  const common = { walked: null, onConflict: 'replace' } as const;
  await keeper.submit({ names: ETH, prints: everyEightHours('2026-11-11T00:00:00Z', 9, -0.02), ...common });
  await keeper.submit({ names: BTC, prints: everyEightHours('2026-11-12T00:00:00Z', 7, 0.01), ...common });
  // What was learned within the last minute may still be being written, and is in the next file.
  clock.advanceMs(2 * MINUTE_MS);
  const folder = temporaryFolder(t);
  const store = new LakeFolder(folder);
  const sources = lakeSources(storage, keeper, silentLog);
  const build = async (lastDay?: string, only: readonly LakeSource[] = sources) =>
    await buildLake({
      store,
      sources: only,
      nowMs: clock.nowMs(),
      firstDayMs: () => firstPrintDayMs(keeper),
      lastDayMs: lastDay === undefined ? undefined : Date.parse(lastDay),
    });
  const rows = async (dataset: string, columns = '*') =>
    await duckRows(`select ${columns} from read_parquet('${folder}/${dataset}/*.parquet')`);
  return { ...setting, folder, store, sources, build, rows, common };
}

suite('building a lake', () => {
  test('DuckDB reads every print that is stored, with the names of its contract, its interval and its day', async (t) => {
    const { build, folder, rows } = await lakeOf(t);
    assert.deepEqual(await build(), ['2026-11-11', '2026-11-12', '2026-11-13']);
    assert.deepEqual(readdirSync(join(folder, 'prints')), [
      '2026-11-11.parquet',
      '2026-11-12.parquet',
      '2026-11-13.parquet',
    ]);
    const found = await rows('prints', "*, regexp_extract(filename, '[0-9-]+.parquet') as file");
    // BTC has prints on two of the three days, and one of today that is in no file yet.
    assert.equal(found.length, 9 + 6);
    assert.deepEqual(found.at(-1), {
      ...{ coin: 'ETH', exchange: 'OKX', venue_symbol: 'ETH-USD-SWAP', symbol: 'ETH-USD', is_inverse: true },
      settled_at: new Date('2026-11-13T16:00:00Z'),
      rate_pct: -0.012,
      interval_hours: 8,
      known_at: new Date(NOW_MS),
      file: '2026-11-13.parquet',
    });
  });

  test('the manifest states rows, bytes and SHA-256 of each file', async (t) => {
    const { build, folder, store } = await lakeOf(t);
    await build();
    const { days } = await store.manifest();
    assert.equal(days.length, 3);
    for (const { files } of days)
      for (const { path, bytes, rows, sha256 } of files) {
        const content = readFileSync(join(folder, path));
        assert.equal(content.length, bytes);
        assert.equal(createHash('sha256').update(content).digest('hex'), sha256);
        const [counted] = await duckRows(`select count(*)::int as n from read_parquet('${folder}/${path}')`);
        assert.equal(counted?.n, rows);
      }
  });

  test('files are sorted by contract and time, compressed with zstd, with statistics of each group', async (t) => {
    const { build, folder } = await lakeOf(t);
    await build();
    const file = join(folder, 'prints/2026-11-12.parquet');
    const { row_groups, key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(file));
    assert.deepEqual(key_value_metadata, [
      { key: 'sorted_by', value: 'coin,exchange,venue_symbol,settled_at' },
    ]);
    for (const { columns } of row_groups)
      for (const { meta_data } of columns) {
        assert.equal(meta_data?.codec, 'ZSTD');
        const name = meta_data?.path_in_schema[0];
        const { min_value, max_value, null_count } = meta_data?.statistics ?? {};
        if (name === 'coin') assert.deepEqual([min_value, max_value], ['BTC', 'ETH']);
        if (name === 'settled_at')
          assert.deepEqual(
            [min_value, max_value],
            [new Date('2026-11-12T00:00:00Z'), new Date('2026-11-12T16:00:00Z')],
          );
        if (name === 'known_at') assert.deepEqual([min_value, null_count], [new Date(NOW_MS), 0n]);
      }
    const read = await duckRows(`select coin, settled_at from read_parquet('${file}')`);
    const sorted = read.toSorted(
      (a, b) => String(a.coin).localeCompare(String(b.coin)) || Number(a.settled_at) - Number(b.settled_at),
    );
    assert.deepEqual(read, sorted);
  });

  test('a second run adds the days that are over since then and leaves the files as they are', async (t) => {
    const { build, folder, store, clock, keeper, common } = await lakeOf(t);
    await build();
    const before = readFileSync(join(folder, 'prints/2026-11-13.parquet'));
    const known = (await store.manifest()).days;
    await keeper.submit({ names: BTC, prints: everyEightHours('2026-11-14T00:00:00Z', 4, 0.5), ...common });
    clock.advanceMs(DAY_MS);
    assert.deepEqual(await build(), ['2026-11-14']);
    assert.deepEqual(await build(), [], 'nothing is left to build');
    assert.deepEqual(readFileSync(join(folder, 'prints/2026-11-13.parquet')), before);
    const after = (await store.manifest()).days;
    assert.deepEqual(after.slice(0, 3), known);
    assert.equal(after[3]?.previous, known[2]?.hash);
  });

  test('a rate that the venue corrects later is in a later file, with the time at which it was learned', async (t) => {
    const { build, rows, clock, keeper, common } = await lakeOf(t);
    await build();
    const minute = minuteOf('2026-11-12T08:00:00Z');
    clock.advanceMs(2 * MINUTE_MS);
    const correctedAtMs = clock.nowMs();
    await keeper.submit({ names: BTC, prints: [{ minute, ratePct: 0.7 }], ...common });
    clock.advanceMs(DAY_MS);
    await build();
    const found = await rows('prints', 'rate_pct, known_at, settled_at, coin');
    assert.deepEqual(
      found.filter(({ coin, settled_at }) => coin === 'BTC' && Number(settled_at) === minute * MINUTE_MS),
      [
        {
          rate_pct: 0.011,
          known_at: new Date(NOW_MS),
          settled_at: new Date(minute * MINUTE_MS),
          coin: 'BTC',
        },
        {
          rate_pct: 0.7,
          known_at: new Date(correctedAtMs),
          settled_at: new Date(minute * MINUTE_MS),
          coin: 'BTC',
        },
      ],
    );
  });

  test('a print that arrives late is in a file of its own of a later day, once', async (t) => {
    const { build, rows, clock, keeper, common, folder, store } = await lakeOf(t);
    await build();
    const learnedAtMs = clock.nowMs();
    const prints = everyEightHours('2026-11-11T00:00:00Z', 1, 0.33);
    await keeper.submit({ names: BTC, prints, ...common });
    clock.advanceMs(DAY_MS);
    await build();
    clock.advanceMs(DAY_MS);
    await build();
    const late = (await rows('prints', 'rate_pct, known_at, filename')).filter(
      ({ rate_pct }) => rate_pct === 0.33,
    );
    assert.deepEqual(late, [
      {
        rate_pct: 0.33,
        known_at: new Date(learnedAtMs),
        filename: `${folder}/prints/2026-11-14-late.parquet`,
      },
    ]);
    const { files } = (await store.manifest()).days.find(({ day }) => day === '2026-11-14') ?? {};
    assert.deepEqual(
      files
        ?.filter(({ dataset }) => dataset === 'prints')
        .map(({ path, rows: count, from }) => [path, count, from]),
      [
        ['prints/2026-11-14-late.parquet', 1, '2026-11-11'],
        ['prints/2026-11-14.parquet', 1, '2026-11-14'],
      ],
    );
  });

  test('the tape is in the file of its day: rates by minute, other figures every five minutes', async (t) => {
    const { build, rows, storage } = await lakeOf(t);
    const writer = new TapeWriter(storage, silentLog);
    const start = minuteOf('2026-11-13T10:00:00Z');
    const names = { exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', symbol: 'BTC-USDT', coin: 'BTC' };
    const nextFundingAtMs = (start + 360) * MINUTE_MS;
    for (const [i, ratePct] of [0.02, 0.05, 0.01, 0.03].entries()) {
      const figures = {
        ratePct,
        intervalHours: 8,
        nextFundingAtMs,
        premiumPct: ratePct / 2,
        markPrice: 100 + i,
      };
      const ofFive = { openInterestUsdt: 7000 + i, volume24hUsdt: Number.NaN };
      await writer.save(start + i, [{ names, figures: { ...figures, ...ofFive } }], null);
    }
    await build();
    const contract = { coin: 'BTC', exchange: 'OKX', venue_symbol: 'BTC-USDT-SWAP' };
    const at = new Date(start * MINUTE_MS);
    assert.deepEqual(await rows('running'), [
      {
        ...{ ...contract, at, interval_hours: 8, next_funding_at: new Date(nextFundingAtMs) },
        rates_pct: [0.02, 0.05, 0.01, 0.03],
      },
    ]);
    assert.deepEqual(await rows('open_interest'), [
      {
        ...{ ...contract, at, open_interest_usdt: 7003, mark_price: 103 },
        ...{ premium_pct: 0.015, volume_24h_usdt: null },
      },
    ]);
  });

  test('a gap, a new hour, another interval and another settlement start a row of running rates', async (t) => {
    const { build, folder, rows, storage } = await lakeOf(t);
    const writer = new TapeWriter(storage, silentLog);
    const start = minuteOf('2026-11-13T10:56:00Z');
    const names = { exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', symbol: 'BTC-USDT', coin: 'BTC' };
    const unknown = { premiumPct: Number.NaN, markPrice: Number.NaN, openInterestUsdt: Number.NaN };
    const minutes: [place: number, ratePct: number, hours: number, settlement: number][] = [
      [0, 0.1, 8, 300],
      [1, 0.2, 8, 300],
      [3, 0.3, 8, 300],
      [4, 0.4, 8, 300],
      [5, 0.5, 4, 300],
      [6, 0.6, 4, Number.NaN],
      [7, 0.7, 4, Number.NaN],
    ];
    for (const [place, ratePct, intervalHours, settlement] of minutes) {
      const nextFundingAtMs = (start + settlement) * MINUTE_MS;
      const figures = { ...unknown, volume24hUsdt: Number.NaN, ratePct, intervalHours, nextFundingAtMs };
      await writer.save(start + place, [{ names, figures }], null);
    }
    await build();
    const found = await rows(
      'running',
      '"at", interval_hours, next_funding_at is null as is_unknown, rates_pct',
    );
    assert.deepEqual(
      found.map(({ at, ...row }) => ({ place: Number(at) / MINUTE_MS - start, ...row })),
      [
        { place: 0, interval_hours: 8, is_unknown: false, rates_pct: [0.1, 0.2] },
        { place: 3, interval_hours: 8, is_unknown: false, rates_pct: [0.3] },
        { place: 4, interval_hours: 8, is_unknown: false, rates_pct: [0.4] },
        { place: 5, interval_hours: 4, is_unknown: false, rates_pct: [0.5] },
        { place: 6, interval_hours: 4, is_unknown: true, rates_pct: [0.6, 0.7] },
      ],
    );
    // As docs/lake.md shows it: one row per minute.
    const byMinute = await duckRows(
      `select "at" + to_minutes(unnest(range(len(rates_pct)))) as minute, unnest(rates_pct) as rate_pct
       from read_parquet('${folder}/running/*.parquet') where coin = 'BTC' and exchange = 'OKX' order by minute`,
    );
    assert.deepEqual(
      byMinute.map(({ minute, rate_pct }) => [Number(minute) / MINUTE_MS - start, rate_pct]),
      minutes.map(([place, ratePct]) => [place, ratePct]),
    );
  });

  test('costs against the books are in the file of their day, in percent for each size', async (t) => {
    const { build, rows, storage } = await lakeOf(t);
    await storage.db
      .insertInto('depth_contracts')
      .values({ id: 5, exchange: 'Binance', venue_symbol: 'BTCUSDT', coin: 'BTC', quote: 'USDT' } as never)
      .execute();
    const costsPct = Float64Array.from({ length: 12 }, (_, i) =>
      i === 11 ? Number.NaN : 0.0002 * 1.02 ** (i * 10),
    );
    const minute = minuteOf('2026-11-13T10:05:00Z');
    await new DepthCostStore(storage).save(minute, new Map([['Binance', [{ id: 5, costsPct }]]]), null);
    await build();
    const [row, ...more] = await rows('depth');
    assert.equal(more.length, 0);
    assert.deepEqual([row?.coin, row?.exchange, row?.at], ['BTC', 'Binance', new Date(minute * MINUTE_MS)]);
    assert.ok(Math.abs(Number(row?.buy_100_pct) - 0.0002) < 1e-9);
    assert.ok(Math.abs(Number(row?.sell_75000_pct) / (0.0002 * 1.02 ** 100) - 1) < 1e-9);
    assert.equal(row?.sell_250000_pct, null);
  });

  test('each published state of a listing is in the file of its day', async (t) => {
    const { build, rows, storage } = await lakeOf(t);
    const detectedAtMs = Date.parse('2026-11-12T10:00:00Z');
    const effectiveAtMs = Date.parse('2026-11-15T08:00:00Z');
    const listing = { exchange: 'OKX', symbol: 'NEW-USDT', kind: 'listing', source: 'announcement' };
    await storage.db
      .insertInto('listing_episodes')
      .values({ ...listing, detected_at_ms: detectedAtMs, said_at_ms: detectedAtMs })
      .execute();
    for (const [changedAtMs, isCancelled] of [
      [detectedAtMs, 0],
      [detectedAtMs + DAY_MS, 1],
    ] as const)
      await storage.db
        .insertInto('listing_versions')
        .values({
          ...{ detected_at_ms: detectedAtMs, changed_at_ms: changedAtMs, venue_symbol: null, coin: 'NEW' },
          ...{
            effective_at_ms: effectiveAtMs,
            effective_by: 'announcement',
            effective_said_at_ms: detectedAtMs,
          },
          ...{
            announcement_url: 'https://okx.example/1',
            done_at_ms: null,
            is_held: 0,
            is_cancelled: isCancelled,
          },
        })
        .execute();
    await build();
    assert.deepEqual(
      (await rows('listings', '*, filename')).map((row) => [
        ...[row.coin, row.kind, row.effective_at, row.is_cancelled, row.known_at],
        String(row.filename).slice(-18),
      ]),
      [
        ['NEW', 'listing', new Date(effectiveAtMs), false, new Date(detectedAtMs), '2026-11-12.parquet'],
        [
          'NEW',
          'listing',
          new Date(effectiveAtMs),
          true,
          new Date(detectedAtMs + DAY_MS),
          '2026-11-13.parquet',
        ],
      ],
    );
  });

  test('forecasts of pairs are those of the models of their day', async (t) => {
    const { build, rows, storage, keeper, common } = await lakeOf(t);
    const other = { ...BTC, exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP' };
    await keeper.submit({ names: other, prints: everyEightHours('2026-11-13T00:00:00Z', 1, 0), ...common });
    const contracts = new TableBuilder(FORECAST_CONTRACTS_TABLE);
    const known = (now: number) => ({
      ...{ now, mean_1d: now, mean_7d: now, mean_30d: now },
      absolute_pct_day: now,
    });
    contracts.add({
      contract: 'Binance/BTCUSDT',
      exchange: 'Binance',
      asset_class: 'crypto',
      ...known(0.01),
    });
    contracts.add({ contract: 'OKX/BTC-USDT-SWAP', exchange: 'OKX', asset_class: 'crypto', ...known(0.03) });
    const pairs = new TableBuilder(FORECAST_PAIRS_TABLE);
    pairs.add({ long: 0, short: 1, scale_pct_day: 0.05, cost_pct: 0.2, net_apr_pct: 5 });
    const minute = minuteOf('2026-11-13T00:10:00Z');
    const stored = { contracts: encodeTable(contracts.build()), pairs: encodeTable(pairs.build()) };
    const day = Date.parse('2026-11-13') / DAY_MS;
    await new ForecastStore(storage).save(
      { day, minute, models: JSON.stringify(SHIPPED), ...stored },
      0,
      null,
    );
    await build();
    const [row, ...more] = await rows('forecasts');
    assert.equal(more.length, 0);
    assert.deepEqual(
      [row?.coin, row?.long_exchange, row?.short_venue_symbol, row?.cost_pct, row?.published_at],
      ['BTC', 'Binance', 'BTC-USDT-SWAP', 0.2, new Date(minute * MINUTE_MS)],
    );
    const week = SHIPPED.pairs.find(({ days }) => days === 7);
    assert.ok(week);
    const expected = week.weights.reduce((sum, weight) => sum + weight * 0.02, 0) * 7;
    assert.ok(Math.abs(Number(row?.expected_7d_pct) - expected) < 1e-12);
    assert.ok(Number(row?.low_7d_pct) < expected && expected < Number(row?.high_7d_pct));
  });

  test('the list of contracts is in the newest day of a run', async (t) => {
    const { build, folder, rows } = await lakeOf(t);
    await build();
    assert.deepEqual(readdirSync(join(folder, 'contracts')), ['2026-11-13.parquet']);
    assert.deepEqual(
      (await rows('contracts')).map(({ coin, venue_symbol, print_count }) => [
        coin,
        venue_symbol,
        print_count,
      ]),
      [
        ['BTC', 'BTCUSDT', 7],
        ['ETH', 'ETH-USD-SWAP', 9],
      ],
    );
  });

  test('a build that fails leaves no half file and no entry; the next one builds the day', async (t) => {
    const { build, folder, store, sources } = await lakeOf(t);
    const failing: LakeSource = {
      table: { ...(sources[0] as LakeSource).table, name: 'failing' },
      rows: async function* () {
        yield [['BTC', 'Binance', NOW_MS, 1, 'BTCUSDT', 'BTC-USDT', false, 8, null]];
        throw new Error('the database is away');
      },
    };
    await assert.rejects(build('2026-11-11', [...sources, failing]), /the database is away/);
    assert.deepEqual((await store.manifest()).days, []);
    assert.ok(!existsSync(join(folder, 'failing/2026-11-11.parquet')));
    assert.deepEqual(await build('2026-11-11'), ['2026-11-11']);
  });

  test('files of a killed process are replaced, and its lock is taken over', async (t) => {
    const { build, folder, store } = await lakeOf(t);
    await build('2026-11-11');
    writeFileSync(join(folder, 'prints/2026-11-12.parquet'), 'half a file');
    writeFileSync(join(folder, '.lock'), '999999999');
    assert.deepEqual(await build('2026-11-12'), ['2026-11-12']);
    assert.equal(
      (await duckRows(`select count(*)::int as n from read_parquet('${folder}/prints/*.parquet')`))[0]?.n,
      9,
    );
    assert.equal((await store.manifest()).days.length, 2);
    assert.ok(!existsSync(join(folder, '.lock')));
  });

  test('a lake that another process is changing is left alone', async (t) => {
    const { build, folder } = await lakeOf(t);
    writeFileSync(join(folder, '.lock'), String(process.ppid));
    await assert.rejects(build(), (error) => error instanceof LakeError && /is changing/.test(error.message));
  });

  test('a day that is not over is refused', async (t) => {
    const { build } = await lakeOf(t);
    await assert.rejects(
      build('2026-11-14'),
      /2026-11-14 is not over; the last day that can be built is 2026-11-13/,
    );
  });

  test('an altered manifest is refused before anything is built on it', async (t) => {
    const { build, folder } = await lakeOf(t);
    await build('2026-11-12');
    const file = join(folder, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"rows":3', '"rows":4'));
    await assert.rejects(build(), /the entry of 2026-11-11 was altered/);
  });
});
