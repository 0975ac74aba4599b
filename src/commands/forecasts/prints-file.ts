import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { asyncBufferFromFile } from 'hyparquet';
import { LineTooLong, linesWithin } from '../../base/lines.ts';
import { decimalOrNull } from '../../base/numbers.ts';
import { ParquetFault } from '../../base/parquet/fault.ts';
import { parquetRows } from '../../base/parquet/read.ts';
import { printable } from '../../base/printable.ts';
import { isoTime, isPlausibleMs, MINUTE_MS } from '../../base/times.ts';
import type { ContractPrints } from '../../engines/forecast/print-pairs.ts';
import { csvCells } from '../../history/settlements/files/files.ts';
import { settlementMinute } from '../../history/settlements/times.ts';
import { UsageError } from '../command.ts';
import { fileCause } from '../flags.ts';

export const PRINT_COLUMNS = ['exchange', 'coin', 'settled_at', 'interval_hours', 'rate_pct'] as const;
type PrintColumn = (typeof PRINT_COLUMNS)[number];
type Cells = Readonly<Record<PrintColumn, unknown>>;

const LONGEST_INTERVAL_HOURS = 24;
const MINUTES_PER_HOUR = 60;
const MAX_RATE_PCT = 4 * LONGEST_INTERVAL_HOURS;
const MAX_LINE_LENGTH = 10_000;
const LIMITS = { rows: null, groupRows: 1024 * 1024, groupBytes: 256 * 1024 * 1024 };

/** The prints of a file by contract, oldest first, and how many rows were there twice. */
export interface PrintsFile {
  contracts: readonly ContractPrints[];
  prints: number;
  repeated: number;
}

interface Print {
  minute: number;
  /** 0: unknown. */
  intervalMinutes: number;
  ratePct: number;
  row: number;
}

/** Reads settled prints from CSV (also compressed with gzip) or Parquet. Throws a UsageError that names the place and the fault. */
export async function readPrints(file: string): Promise<PrintsFile> {
  const found = new Map<string, { exchange: string; coin: string; prints: Print[] }>();
  try {
    for await (const { cells, row } of file.endsWith('.parquet') ? parquetCells(file) : csvFileCells(file)) {
      const where = `${file} ${file.endsWith('.parquet') ? 'row' : 'line'} ${row}`;
      const exchange = nameOf(cells, 'exchange', where);
      const coin = nameOf(cells, 'coin', where);
      const key = `${exchange}\n${coin}`;
      let contract = found.get(key);
      if (!contract) {
        contract = { exchange, coin, prints: [] };
        found.set(key, contract);
      }
      contract.prints.push(printOf(cells, row, where));
    }
  } catch (error) {
    throw asUsageError(error, file);
  }
  let [prints, repeated] = [0, 0];
  const contracts = [...found.values()].map(({ exchange, coin, prints: all }) => {
    const own = withoutRepeated(all, `${exchange} ${coin}`, file);
    inferIntervals(own);
    prints += own.length;
    repeated += all.length - own.length;
    return {
      exchange,
      coin,
      minutes: Float64Array.from(own, ({ minute }) => minute),
      ratesPct: Float64Array.from(own, ({ ratePct }) => ratePct),
      intervalMinutes: Float64Array.from(own, ({ intervalMinutes }) => intervalMinutes),
    };
  });
  if (prints === 0)
    throw new UsageError(`${file} has no prints; it needs the columns ${PRINT_COLUMNS.join(', ')}`);
  return { contracts, prints, repeated };
}

function nameOf(cells: Cells, column: 'exchange' | 'coin', where: string): string {
  const text = cells[column];
  if (typeof text === 'string' && text !== '') return text;
  throw fault(cells, column, 'a name', where);
}

function printOf(cells: Cells, row: number, where: string): Print {
  const settledAtMs = timeOf(cells.settled_at);
  if (!isPlausibleMs(settledAtMs))
    throw fault(cells, 'settled_at', 'an ISO 8601 time such as 2026-11-01T08:00:00Z', where);
  const isUnknown = ['', 'null', null].includes(cells.interval_hours as string | null);
  const hours = isUnknown ? 0 : numberOf(cells.interval_hours);
  if (hours === null || (hours <= 0 && !isUnknown) || hours > LONGEST_INTERVAL_HOURS)
    throw fault(
      cells,
      'interval_hours',
      `a number of hours up to ${LONGEST_INTERVAL_HOURS}, or empty`,
      where,
    );
  const ratePct = numberOf(cells.rate_pct);
  if (ratePct === null || Math.abs(ratePct) > MAX_RATE_PCT)
    throw fault(cells, 'rate_pct', `a number of percent from -${MAX_RATE_PCT} to ${MAX_RATE_PCT}`, where);
  return { minute: settlementMinute(settledAtMs), intervalMinutes: hours * MINUTES_PER_HOUR, ratePct, row };
}

/** NaN if it is no time. A text without a zone is UTC. */
function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
}

function numberOf(value: unknown): number | null {
  return decimalOrNull(typeof value === 'bigint' ? Number(value) : value);
}

function fault(cells: Cells, column: PrintColumn, must: string, where: string): UsageError {
  return new UsageError(
    `${where}: ${column} must be ${must}; it is "${printable(String(cells[column]).slice(0, 40))}"`,
  );
}

/**
 * A print without an interval gets the time to the nearer of its neighbours: after a hole the one before it is too far away. Without a
 * neighbour within a day its interval stays unknown.
 */
function inferIntervals(prints: Print[]): void {
  const minuteAt = (i: number) => prints[i]?.minute ?? Number.NaN;
  for (const [i, print] of prints.entries()) {
    if (print.intervalMinutes > 0) continue;
    const gaps = [print.minute - minuteAt(i - 1), minuteAt(i + 1) - print.minute];
    const nearest = Math.min(...gaps.filter((gap) => gap <= LONGEST_INTERVAL_HOURS * MINUTES_PER_HOUR));
    print.intervalMinutes = Number.isFinite(nearest) ? nearest : 0;
  }
}

/** In the order of time. A print that is there twice counts once; two rates for one settlement are a fault. */
function withoutRepeated(prints: Print[], contract: string, file: string): Print[] {
  prints.sort((a, b) => a.minute - b.minute);
  return prints.filter((print, i) => {
    const before = prints[i - 1];
    if (print.minute !== before?.minute) return true;
    const [one, other] = [print.intervalMinutes, before.intervalMinutes];
    if (print.ratePct === before.ratePct && (one === other || one === 0 || other === 0)) {
      // The next one is compared with this one, so both get the interval that is known.
      print.intervalMinutes = before.intervalMinutes = Math.max(one, other);
      return false;
    }
    const [first, second] = [before.row, print.row].sort((a, b) => a - b);
    throw new UsageError(
      `${file} has two rates of ${contract} at ${isoTime(print.minute * MINUTE_MS)}, in rows ${first} and ${second}; keep one`,
    );
  });
}

async function* csvFileCells(file: string): AsyncGenerator<{ cells: Cells; row: number }> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  // A pipe does not pass on the errors of its source.
  bytes.on('error', (error) => input.destroy(error));
  let places: readonly number[] | null = null;
  let row = 0;
  for await (const line of linesWithin(input, MAX_LINE_LENGTH)) {
    row++;
    if (line === '') continue;
    const values = csvCells(line);
    if (!places) {
      places = placesOf(
        values.map((name) => name.replace(/^\uFEFF/, '').trim()),
        file,
      );
      continue;
    }
    const [exchange, coin, settled_at, interval_hours, rate_pct] = places.map((place) => values[place]);
    yield { cells: { exchange, coin, settled_at, interval_hours, rate_pct }, row };
  }
  if (!places) throw new UsageError(`${file} is empty; it must start with ${PRINT_COLUMNS.join(',')}`);
}

function placesOf(names: readonly string[], file: string): readonly number[] {
  const missing = PRINT_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0)
    throw new UsageError(`${file} has no column ${missing.join(', ')}; it needs ${PRINT_COLUMNS.join(', ')}`);
  return PRINT_COLUMNS.map((column) => names.indexOf(column));
}

async function* parquetCells(file: string): AsyncGenerator<{ cells: Cells; row: number }> {
  const buffer = await asyncBufferFromFile(file);
  for await (const { rowStart, count, columns } of parquetRows(buffer, {
    columns: PRINT_COLUMNS,
    limits: LIMITS,
  })) {
    const { exchange, coin, settled_at, interval_hours, rate_pct } = columns;
    for (let i = 0; i < count; i++) {
      const cells = {
        ...{ exchange: exchange[i], coin: coin[i], settled_at: settled_at[i] },
        ...{ interval_hours: interval_hours[i], rate_pct: rate_pct[i] },
      };
      yield { cells, row: rowStart + i + 1 };
    }
  }
}

function asUsageError(error: unknown, file: string): unknown {
  if (error instanceof UsageError) return error;
  if (error instanceof ParquetFault)
    return new UsageError(`${file} ${error.message}; it needs the columns ${PRINT_COLUMNS.join(', ')}`);
  if (error instanceof LineTooLong) return new UsageError(`${file} line ${error.line}: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new UsageError(`there is no file ${file}`);
  if (code.startsWith('Z_')) return new UsageError(`${file} is not a complete gzip file`);
  const cause = fileCause(error);
  return cause === null ? error : new UsageError(`cannot read ${file}: ${cause}`);
}
