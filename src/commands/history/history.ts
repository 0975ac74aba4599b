import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { systemClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import {
  CSV_HEADER,
  csvLines,
  csvRows,
  exportedPrints,
  HistoryFileError,
} from '../../history/settlements/files/files.ts';
import { importRows } from '../../history/settlements/files/import.ts';
import { parquetFileRows, writeParquet } from '../../history/settlements/files/parquet.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { time } from '../../query/kinds.ts';
import { processEnvironment, readSettings, SettingError, type Settings } from '../../settings.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { VENUES } from '../../venues/registry.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { type Command, UsageError } from '../command.ts';
import { actionOf, fileCause, flagsOf, refuseMore, table, timeText } from '../flags.ts';
import { STORAGE_HELP, STORE_OPTIONS } from '../stores.ts';
import { backfillByHand } from './backfill.ts';

const HELP = `perpwire history backfill [--venue LIST] [--coin LIST] [--days N] [--venues-url URL]
perpwire history export [--coin LIST] [--from TIME] [--to TIME] [--format csv|parquet] [--out FILE]
perpwire history import FILE... [--format csv|parquet]
perpwire history status [--venue LIST]

backfill  fetches settled prints from the venues, newest first, within their rate limits. It continues where it stopped.
          A running service backfills by itself; do not run both, because each process counts the limits separately.
export    writes the stored prints to standard output (csv) or to a file
import    reads an exported file. Prints that are stored already are not changed.
status    shows the stored prints of each venue and since when there are any

  --venue       comma-separated venues by folder name (binance,okx,...); all by default
  --coin        comma-separated tickers; all by default
  --days        how many days to backfill (default HISTORY_DAYS)
  --from, --to  ISO 8601 times, both inclusive
  --format      csv or parquet; by default chosen by the file name, else csv
  --out         file to write; required for parquet
  --venues-url  address of a venue simulator to use instead of the real venues
${STORAGE_HELP}`;

const OPTIONS = {
  ...STORE_OPTIONS,
  venue: { type: 'string' },
  coin: { type: 'string' },
  days: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  'venues-url': { type: 'string' },
} as const;

type Flags = { [Name in keyof typeof OPTIONS]?: string | undefined };

export const historyCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, OPTIONS);
    const [given, ...files] = positionals;
    const action = actionOf('history', given, ['backfill', 'export', 'import', 'status']);
    if (action !== 'import') refuseMore(`history ${action}`, files);
    const settings = settingsOf(values);
    switch (action) {
      case 'backfill':
        return await withKeeper(settings, (keeper, storage) =>
          backfillByHand({ keeper, storage, settings, coins: coinsOf(values) }),
        );
      case 'export':
        return await withKeeper(settings, (keeper) => exportHistory(keeper, values));
      case 'import':
        return await withKeeper(settings, (keeper) => importHistory(keeper, files, values));
      case 'status':
        return await withKeeper(settings, async (keeper) => printStatus(keeper, settings));
    }
  },
};

function settingsOf(flags: Flags): Settings {
  const names = {
    'data-dir': 'data-dir',
    'database-url': 'database-url',
    'venues-url': 'venues-url',
    venue: 'venues',
    days: 'history-days',
  } as const;
  const given = Object.entries(names).flatMap(([flag, setting]) => {
    const value = flags[flag as keyof Flags];
    return value === undefined ? [] : [`--${setting}`, value];
  });
  try {
    return readSettings(given, processEnvironment());
  } catch (error) {
    // The setting has another name than the flag of this command.
    if (error instanceof SettingError && flags.days !== undefined)
      throw new UsageError(error.message.replace('--history-days', '--days'));
    throw error;
  }
}

async function withKeeper(
  settings: Settings,
  work: (keeper: SettlementKeeper, storage: Storage) => Promise<void>,
): Promise<void> {
  const log = createLog('error');
  const storage = await openStorage({
    databaseUrl: settings.databaseUrl,
    replicaUrl: settings.databaseReplicaUrl,
    sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
    log,
  });
  try {
    const keeper = await SettlementKeeper.open({
      storage,
      clock: systemClock,
      log,
      metrics: createMetrics(),
    });
    await work(keeper, storage);
    await keeper.close();
  } catch (error) {
    throw error instanceof HistoryFileError ? new UsageError(error.message) : error;
  } finally {
    await storage.close();
  }
}

function coinsOf({ coin }: Flags): ReadonlySet<string> | null {
  return coin === undefined ? null : new Set(coin.toUpperCase().split(','));
}

function formatOf(flags: Flags, file: string): 'csv' | 'parquet' {
  const format = flags.format ?? (file.endsWith('.parquet') ? 'parquet' : 'csv');
  if (format !== 'csv' && format !== 'parquet')
    throw new UsageError(`--format takes csv or parquet; it is "${format}"`);
  return format;
}

function timeOf(name: 'from' | 'to', text: string | undefined, otherwiseMs: number): number {
  if (text === undefined) return otherwiseMs;
  try {
    return time(name, '').parse(text);
  } catch {
    throw new UsageError(
      `--${name} takes an ISO 8601 UTC time such as 2026-11-01T00:00:00Z; it is "${text}"`,
    );
  }
}

async function exportHistory(keeper: SettlementKeeper, flags: Flags): Promise<void> {
  const format = formatOf(flags, flags.out ?? '');
  const fromMs = timeOf('from', flags.from, 0);
  const toMs = timeOf('to', flags.to, systemClock.nowMs());
  if (fromMs > toMs) throw new UsageError('--from must not be after --to');
  const coins = coinsOf(flags);
  const contracts = keeper.directory
    .all()
    .filter((contract) => coins === null || coins.has(contract.coin))
    .sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const unknown = [...(coins ?? [])].filter((coin) => !contracts.some((contract) => contract.coin === coin));
  if (unknown.length > 0)
    throw new UsageError(`no prints of ${unknown.join(', ')} are stored; see perpwire history status`);
  const parts = exportedPrints(keeper, contracts, fromMs, toMs);
  if (format === 'parquet') {
    if (flags.out === undefined) throw new UsageError('--format parquet needs --out FILE');
    const { out: file } = flags;
    const rows = await writeParquet(file, parts).catch((error: unknown) => {
      throw writeFault(file, error);
    });
    console.error(`${rows} prints written to ${flags.out}`);
    return;
  }
  const out = flags.out === undefined ? process.stdout : await openFile(flags.out);
  let rows = 0;
  await written(out, CSV_HEADER);
  for await (const part of parts) {
    rows += part.minutes.length;
    await written(out, csvLines(part));
  }
  if (flags.out !== undefined) {
    await new Promise<void>((resolve) => out.end(resolve));
    console.error(`${rows} prints written to ${flags.out}`);
  }
}

function orderOf({ coin, exchange, venueSymbol }: HeldContract): string {
  return `${coin} ${exchange} ${venueSymbol}`;
}

/** Resolves when the file is open, so that a wrong name is reported before any work is done. */
function openFile(file: string): Promise<Writable> {
  return new Promise((resolve, reject) => {
    const out = createWriteStream(file, { mode: 0o600 });
    out.once('open', () => resolve(out));
    out.on('error', (error) => reject(writeFault(file, error)));
  });
}

function writeFault(file: string, error: unknown): unknown {
  const cause = fileCause(error);
  return cause === null ? error : new UsageError(`cannot write ${file}: ${cause}; choose another --out`);
}

/** Resolves when the text is written, so that a slow reader does not fill the memory. */
function written(out: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) =>
      error ? reject(new UsageError(`cannot write the export: ${error.message}`)) : resolve(),
    );
  });
}

async function importHistory(
  keeper: SettlementKeeper,
  files: readonly string[],
  flags: Flags,
): Promise<void> {
  if (files.length === 0)
    throw new UsageError('history import needs a file: perpwire history import FILE...');
  const exchanges = new Set(VENUES.map((venue) => venue.facts.exchange));
  const bounds = { exchanges, nowMs: systemClock.nowMs() };
  for (const file of files) {
    if ((await stat(file).catch(() => null))?.isDirectory())
      throw new UsageError(`${file} is a folder; name a file`);
    const rows = formatOf(flags, file) === 'parquet' ? parquetFileRows(file, bounds) : csvRows(file, bounds);
    const report = await importRows(keeper, rows).catch((error: unknown) => {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      throw isMissing ? new UsageError(`there is no file ${file}`) : error;
    });
    const differing =
      report.differing === 0 ? '' : `, ${report.differing} stored with another value, which was kept`;
    console.log(
      `${file}: ${report.rows} prints of ${report.contracts} contracts, ${report.added} new${differing}`,
    );
  }
}

async function printStatus(keeper: SettlementKeeper, settings: Settings): Promise<void> {
  const gaps = await keeper.gaps.countByExchange();
  const rows = chosenVenues(settings.venues).map(({ facts: { exchange } }) => {
    const own = keeper.directory.all().filter((contract) => contract.exchange === exchange);
    const since = own.flatMap(({ heldSinceMs }) => (heldSinceMs === null ? [] : [heldSinceMs]));
    const last = own.flatMap(({ lastPrintMs }) => (lastPrintMs === null ? [] : [lastPrintMs]));
    return [
      exchange,
      String(own.length),
      String(own.reduce((sum, { printCount }) => sum + printCount, 0)),
      timeText(since.length === 0 ? null : Math.min(...since)),
      timeText(last.length === 0 ? null : Math.max(...last)),
      String(gaps.get(exchange) ?? 0),
    ];
  });
  console.log(table(['venue', 'contracts', 'prints', 'first print', 'last print', 'gaps'], rows));
}
