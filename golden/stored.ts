import { join } from 'node:path';
import { ManualClock } from '../src/base/clock.ts';
import { createLog } from '../src/base/log.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { isoTime } from '../src/base/times.ts';
import { PAIR_HISTORIES_TABLE } from '../src/engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../src/engines/arbitrage/legs.ts';
import { BACKTEST_TABLES } from '../src/engines/backtest/rows.ts';
import { DEPTH_TABLE } from '../src/engines/depth/table.ts';
import { FORECAST_MODELS_TABLE } from '../src/engines/forecast/models.ts';
import { FUNDING_TABLE } from '../src/engines/funding/table.ts';
import { LEGS_TABLE } from '../src/engines/spreads/legs.ts';
import { SettlementKeeper } from '../src/history/settlements/keeper.ts';
import { buildLake } from '../src/lake/build.ts';
import { LakeFolder } from '../src/lake/files/folder.ts';
import { manifestText } from '../src/lake/files/manifest.ts';
import { firstPrintDayMs, lakeSources } from '../src/lake/sources.ts';
import { storedFrames } from '../src/market/frame-store.ts';
import type { Table, TableSpec } from '../src/market/tables/table.ts';
import { decodeTable } from '../src/market/tables/table-codec.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';
import type { Answered, Recording } from './recording.ts';

const TABLES: readonly TableSpec[] = [
  FUNDING_TABLE,
  LEGS_TABLE,
  ARBITRAGE_LEGS_TABLE,
  PAIR_HISTORIES_TABLE,
  FORECAST_MODELS_TABLE,
  DEPTH_TABLE,
  ...Object.values(BACKTEST_TABLES),
];

/** The newest frame of each table, decoded, and the manifest of a lake that is built from the data. */
export async function recordStored(
  dataFolder: string,
  lakeFolder: string,
  nowMs: number,
): Promise<Recording> {
  const log = createLog('warn');
  const storage = await openStorage({
    databaseUrl: null,
    sqliteFile: join(dataFolder, 'perpwire.sqlite'),
    log,
  });
  try {
    const frames = await Promise.all(TABLES.map((spec) => newestFrame(storage, spec)));
    return new Map([
      ['stored/frames', frames.flat()],
      ['stored/lake', [await lakeManifest(storage, lakeFolder, nowMs)]],
    ]);
  } finally {
    await storage.close();
  }
}

async function newestFrame(storage: Storage, spec: TableSpec): Promise<Answered[]> {
  const newest = (await storedFrames(storage).load(spec.name, 0)).at(-1);
  const table = newest ? decodeTable(newest.frame, spec) : null;
  if (!newest || !table) return [];
  const data = Array.from({ length: table.rowCount }, (_, row) => rowOf(table, row));
  return [
    {
      name: `frame of ${spec.name}`,
      status: 200,
      headers: { as_of: isoTime(newest.asOfMs) },
      body: JSON.stringify({ data }),
    },
  ];
}

function rowOf(table: Table, row: number): Record<string, unknown> {
  const { columns, internalColumns = [], internalTexts = [] } = table.spec;
  const texts = [...columns.filter(({ type }) => type === 'text').map(({ name }) => name), ...internalTexts];
  const numbers = columns.filter(({ type }) => type !== 'text' && type !== 'texts').map(({ name }) => name);
  return Object.fromEntries([
    ...texts.map((name) => [name, table.text(name, row)]),
    ...[...numbers, ...internalColumns].map((name) => [name, table.numbers(name)[row]]),
  ]);
}

async function lakeManifest(storage: Storage, folder: string, nowMs: number): Promise<Answered> {
  const log = createLog('warn');
  const clock = new ManualClock(nowMs);
  const keeper = await SettlementKeeper.open({
    storage,
    clock,
    log,
    metrics: createMetrics(),
    isReader: true,
  });
  const store = new LakeFolder(folder);
  await buildLake({
    store,
    sources: lakeSources(storage, keeper, log),
    nowMs,
    firstDayMs: () => firstPrintDayMs(keeper),
  });
  await keeper.close();
  return { name: 'manifest', status: 200, headers: {}, body: manifestText(await store.manifest()) };
}
