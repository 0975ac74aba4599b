import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { Perpwire } from '../../clients/typescript/src/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog, type Log } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { buildLake } from '../../src/lake/build.ts';
import type { LakeDay, LakeSource, LakeValue } from '../../src/lake/dataset.ts';
import { OpenInterestSource } from '../../src/lake/datasets/open-interest.ts';
import { byContract, PRINTS } from '../../src/lake/datasets/prints.ts';
import { RunningSource } from '../../src/lake/datasets/running.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { importPrints } from '../../src/lake/pull/import.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type BenchCase, type Figure, valueAtMost } from '../figure.ts';
import { storeTapeDay } from '../lake/tape-day.ts';
import { sized } from '../size.ts';

const CONTRACTS = sized(9_000, 9_000, 300);
const DAYS = sized(32, 4, 2);
const TAPE_CONTRACTS = sized(900, 300, 20);
const TWO_YEARS_PRINTS = 35_000_000;
/** Hours between settlements, as often as venues have them: 5.3 prints of a contract a day. */
const INTERVALS_HOURS = [8, 8, 8, 8, 4, 4, 4, 4, 4, 2];
const EXCHANGES = VENUES.filter(({ facts }) => !facts.endedAt).map(({ facts }) => facts.exchange);
const END_MS = Date.parse('2026-11-18');

let seed = 1;
function random(): number {
  seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

const contracts = Array.from({ length: CONTRACTS }, (_, i) => {
  // Few coins have many contracts, and many coins few.
  const coin = `C${Math.floor((CONTRACTS / 4) * random() ** 2)}`;
  const exchange = EXCHANGES[i % EXCHANGES.length] ?? '';
  return { coin, exchange, venueSymbol: `${coin}${i}USDT`, hours: INTERVALS_HOURS[i % 10] ?? 8 };
}).sort(byContract);

const source: LakeSource = {
  table: PRINTS,
  rows: async function* ({ startMs }: LakeDay) {
    for (const { coin, exchange, venueSymbol, hours } of contracts) {
      const rows: LakeValue[][] = [];
      for (let atMs = startMs; atMs < startMs + DAY_MS; atMs += hours * HOUR_MS) {
        // A third of the contracts pays the base rate of its venue.
        const ratePct = random() < 0.35 ? 0.01 : Math.round((random() - 0.45) * 40_000) / 1e6;
        const knownAtMs = atMs + Math.round(5_000 + random() * 120_000);
        rows.push([
          ...[coin, exchange, atMs, ratePct],
          ...[venueSymbol, `${coin}-USDT`, false, hours, knownAtMs],
        ]);
      }
      yield rows;
    }
  },
};

/** The same rows of a day as most would store them. */
async function asCsv(): Promise<{ seconds: number; bytes: number }> {
  const before = process.cpuUsage();
  const lines: string[] = [];
  for await (const rows of source.rows({ startMs: END_MS - DAY_MS } as LakeDay))
    for (const row of rows) lines.push(row.join(','));
  const { length } = zstdCompressSync(lines.join('\n'));
  return { seconds: cpuSeconds(process.cpuUsage(before)), bytes: length };
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;

/** Bytes that a client reads of one contract, in percent of the files. */
async function bytesShare(store: LakeFolder): Promise<number> {
  let touched = 0;
  const read = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const bytes = await readFile(join(store.where, new URL(String(url)).pathname.replace('/lake/', '')));
    const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('range') ?? '');
    if (!range) return new Response(bytes, { headers: { 'content-type': 'application/json' } });
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    touched += part.length;
    return new Response(part, { status: 206 });
  };
  const perpwire = new Perpwire({ apiKey: 'x', baseUrl: 'http://lake.example', fetch: read });
  let total = 0;
  const asked = contracts.filter((_, i) => i % Math.ceil(CONTRACTS / 20) === 0);
  const columns = ['coin', 'exchange', 'settled_at', 'rate_pct'];
  for (const { coin } of asked) {
    for await (const row of perpwire.lake('prints', { coin, columns }))
      if (row.coin !== coin) throw new Error();
    for (const { files } of (await store.manifest()).days) for (const { bytes } of files) total += bytes;
  }
  return (100 * touched) / total;
}

/** Of running rates by minute and open interest of a day, at the rate of some contracts. */
async function tapeSeconds(storage: Storage, folder: string, log: Log): Promise<number> {
  const startMs = END_MS - DAY_MS;
  await storeTapeDay(storage, startMs, TAPE_CONTRACTS);
  const before = process.cpuUsage();
  await buildLake({
    store: new LakeFolder(join(folder, 'tape')),
    sources: [new RunningSource(storage, log), new OpenInterestSource(storage, log)],
    nowMs: END_MS + HOUR_MS,
    firstDayMs: () => startMs,
  });
  return (cpuSeconds(process.cpuUsage(before)) * CONTRACTS) / TAPE_CONTRACTS;
}

async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-lake-'));
  const log = createLog('error');
  const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
  try {
    const store = new LakeFolder(join(folder, 'lake'));
    const building = process.cpuUsage();
    const firstDayMs = () => END_MS - DAYS * DAY_MS;
    await buildLake({ store, sources: [source], nowMs: END_MS + HOUR_MS, firstDayMs });
    const buildSeconds = cpuSeconds(process.cpuUsage(building)) / DAYS;
    const files = (await store.manifest()).days.flatMap((day) => day.files);
    const share = await bytesShare(store);
    const csv = await asCsv();
    const ofTape = await tapeSeconds(storage, folder, log);
    const fileBytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / DAYS;
    const options = { storage, clock: systemClock, log, metrics: createMetrics(), isReader: true };
    const keeper = await SettlementKeeper.open({ ...options, batchWaitMs: 0 });
    const importing = process.cpuUsage();
    const exchanges = new Set(EXCHANGES);
    const { added } = await importPrints({
      store,
      keeper,
      files,
      isWanted: ({ exchange }) => exchanges.has(exchange),
      clock: systemClock,
      signal: new AbortController().signal,
    });
    const importSeconds = cpuSeconds(process.cpuUsage(importing));
    await keeper.close();
    return [
      {
        name: `prints of a day, ${CONTRACTS} contracts, written`,
        value: buildSeconds,
        unit: 's of CPU',
        baseline: { name: 'CSV, zstd', value: csv.seconds },
      },
      {
        name: 'bytes of a day',
        value: fileBytes / 1e6,
        unit: 'MB',
        baseline: { name: 'CSV, zstd', value: csv.bytes / 1e6 },
      },
      {
        name: `rates by minute and open interest of a day, ${CONTRACTS} contracts, written`,
        value: ofTape,
        unit: 's of CPU',
      },
      { name: 'bytes of one coin over Range', value: share, unit: '% of the files', target: valueAtMost(5) },
      {
        name: 'prints of two years stored by lake pull, from its rate',
        value: (importSeconds * TWO_YEARS_PRINTS) / added,
        unit: 's of CPU',
        target: valueAtMost(300),
      },
    ];
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const bench: BenchCase = { run };
