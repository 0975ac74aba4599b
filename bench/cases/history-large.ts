import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '../../src/base/log.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { CSV_HEADER, csvLines, exportedPrints } from '../../src/history/settlements/files/files.ts';
import type { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { type Ask, asker, openKeeper } from '../history/asking.ts';
import {
  coinName,
  contractIdOf,
  END_MS,
  HISTORY_DAYS,
  printsOf,
  VENUES_PER_COIN,
} from '../history/prints.ts';
import { packPrints, rawSqlite, sameForEveryCoin } from '../history/stores.ts';
import { sized } from '../size.ts';

/** A tenth and the whole of 100 million prints: 83,220 of each coin, in two years on 20 venues. */
const COINS = Number(process.env.BENCH_HISTORY_COINS ?? sized(1_202, 40, 10));
const MOST_GROWTH = 1.1;
const MOST_EXPORT_RATIO = 2;
/** Exports are compared on these coins, so that the table of raw prints need not hold all. */
const EXPORTED_COINS = 5;
const EXPORT_ROUNDS = sized(8, 3, 1);
const CHUNKS = sized(40, 10, 1);
const REQUESTS_PER_CHUNK = 25;
const WARM_UP_CHUNKS = sized(8, 2, 1);

const period = (days: number) => ({ from: isoTime(END_MS - days * DAY_MS), to: isoTime(END_MS - 1000) });
const PAGES: Readonly<Record<string, (coin: number) => Record<string, string>>> = {
  'a page of 30 days by day over 20 venues': (coin) => ({ coin: coinName(coin), ...period(30) }),
  'a page of 92 days of hourly prints': (coin) => ({
    ...{ coin: coinName(coin), exchange: VENUES[0]?.facts.exchange ?? '', resolution: 'settlement' },
    ...period(92),
  }),
  'a page of 92 days of hourly prints a year ago': (coin) => ({
    ...{ coin: coinName(coin), exchange: VENUES[0]?.facts.exchange ?? '', resolution: 'settlement' },
    ...{ from: isoTime(END_MS - 457 * DAY_MS), to: isoTime(END_MS - 365 * DAY_MS) },
  }),
};

interface Large {
  coins: number;
  millions: string;
  keeper: SettlementKeeper;
  ask: Ask;
  bytesPerPrint: number;
  close(): Promise<void>;
}

async function opened(folder: string, coins: number): Promise<Large> {
  const sqliteFile = join(folder, `prints-${coins}.sqlite`);
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
  await packPrints(storage, coins, sameForEveryCoin());
  const keeper = await openKeeper(storage);
  const perCoin = Array.from({ length: VENUES_PER_COIN }, (_, venue) => printsOf(0, venue).minutes.length);
  const prints = coins * perCoin.reduce((sum, count) => sum + count, 0);
  return {
    coins,
    millions: `${(prints / 1e6).toFixed(1)} million prints`,
    keeper,
    ask: asker(keeper),
    bytesPerPrint: statSync(sqliteFile).size / prints,
    close: async () => {
      await keeper.close();
      await storage.close();
    },
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** CPU milliseconds of one request on each store. They take turns in chunks, because the clock of CPU time is coarse. */
async function cpuOfPages(
  stores: readonly Large[],
  page: (coin: number) => Record<string, string>,
): Promise<number[]> {
  const sums = stores.map(() => 0);
  for (let chunk = 0; chunk < WARM_UP_CHUNKS + CHUNKS; chunk++) {
    for (const [i, { ask, coins }] of stores.entries()) {
      const startedMs = cpuMs();
      for (let one = 0; one < REQUESTS_PER_CHUNK; one++)
        await ask(page(((chunk * REQUESTS_PER_CHUNK + one) * 37) % coins));
      if (chunk >= WARM_UP_CHUNKS) sums[i] = (sums[i] ?? 0) + cpuMs() - startedMs;
    }
  }
  return sums.map((sum) => sum / (CHUNKS * REQUESTS_PER_CHUNK));
}

/** The CSV of a year of a coin over all venues, as `perpwire history export` writes it, without the file. */
async function exportYear({ keeper }: Large, coin: number): Promise<{ rows: number; bytes: number }> {
  const contracts = keeper.directory.all().filter((contract) => contract.coin === coinName(coin));
  let [rows, bytes] = [0, CSV_HEADER.length];
  for await (const part of exportedPrints(keeper, contracts, END_MS - 365 * DAY_MS, END_MS)) {
    rows += part.minutes.length;
    bytes += Buffer.from(csvLines(part)).length;
  }
  return { rows, bytes };
}

async function rawReader(folder: string): Promise<{ read(coin: number): number; close(): void }> {
  const file = join(folder, 'raw.sqlite');
  const raw = rawSqlite(file);
  for (let coin = 0; coin < EXPORTED_COINS; coin++) {
    for (let venue = 0; venue < VENUES_PER_COIN; venue++) {
      const { minutes, ratesPct } = printsOf(coin, venue);
      const id = contractIdOf(coin, venue);
      await raw.insert(minutes.map((minute, i) => [id, minute * MINUTE_MS, ratesPct[i] ?? 0]));
    }
  }
  await raw.index();
  await raw.close();
  const database = new DatabaseSync(file, { readOnly: true });
  const ids = Array.from({ length: VENUES_PER_COIN }, () => '?').join(', ');
  const query = database.prepare(
    `select contract_id, settled_at_ms, rate_pct from raw_prints
     where contract_id in (${ids}) and settled_at_ms >= ? order by contract_id, settled_at_ms`,
  );
  return {
    read: (coin) => {
      const wanted = Array.from({ length: VENUES_PER_COIN }, (_, venue) => contractIdOf(coin, venue));
      return query.all(...wanted, END_MS - 365 * DAY_MS).length;
    },
    close: () => database.close(),
  };
}

async function exportBeside(large: Large, folder: string): Promise<BenchResult> {
  const raw = await rawReader(folder);
  let [exportMs, rawMs, rows] = [0, 0, 0];
  for (let round = -2; round < EXPORT_ROUNDS; round++) {
    for (let coin = 0; coin < EXPORTED_COINS; coin++) {
      const startedMs = cpuMs();
      const exported = await exportYear(large, coin);
      const exportedMs = cpuMs();
      const read = raw.read(coin);
      if (read !== exported.rows) throw new Error(`exported ${exported.rows} of ${read} prints`);
      rows = read;
      if (round < 0) continue;
      exportMs += exportedMs - startedMs;
      rawMs += cpuMs() - exportedMs;
    }
  }
  raw.close();
  const runs = EXPORT_ROUNDS * EXPORTED_COINS;
  return result({
    name: `${large.millions}: export of a year of a coin over all venues as CSV, ${rows} prints`,
    value: exportMs / runs,
    unit: 'ms of CPU time',
    baseline: 'reading the same rows from an indexed SQLite table of raw prints',
    baselineValue: rawMs / runs,
    target: { at: 'most', ratio: MOST_EXPORT_RATIO },
  });
}

async function historyLarge(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-history-'));
  const stores: Large[] = [];
  try {
    const small = await opened(folder, Math.max(1, Math.round(COINS / 10)));
    stores.push(small);
    const large = await opened(folder, COINS);
    stores.push(large);
    const results: BenchResult[] = [];
    for (const [name, page] of Object.entries(PAGES)) {
      const [smallMs = 1, largeMs = 1] = await cpuOfPages([small, large], page);
      results.push(
        result({
          name: `${large.millions}: ${name}`,
          value: largeMs,
          unit: 'ms of CPU time',
          baseline: `with ${small.millions}`,
          baselineValue: smallMs,
          target: { at: 'most', ratio: MOST_GROWTH },
        }),
      );
    }
    results.push(await exportBeside(large, folder));
    results.push(
      result({
        name: `${large.millions}: on disk, ${HISTORY_DAYS} days, day sums included`,
        value: large.bytesPerPrint,
        unit: 'bytes/print',
        baseline: 'time and rate as two 8-byte numbers',
        baselineValue: 16,
      }),
    );
    return results;
  } finally {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const cases: BenchCase[] = [
  // The full size takes minutes and half a gigabyte of disk.
  { name: 'history-large', isOneCore: true, quickSeconds: 18, run: historyLarge },
];
