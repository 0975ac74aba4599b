import { createReadStream } from 'node:fs';
import { csvCell, textOfCell } from '../../../base/csv.ts';
import { LineTooLong, linesWithin } from '../../../base/lines.ts';
import { decimalOrNull } from '../../../base/numbers.ts';
import { isPrintable, printable } from '../../../base/printable.ts';
import { isoTime, isPlausibleMs, MINUTE_MS } from '../../../base/times.ts';
import type { ContractNames, HeldContract } from '../directory.ts';
import type { SettlementKeeper } from '../keeper.ts';
import { settlementMinute } from '../times.ts';

/** A file that cannot be imported; the message names the place and the fault. */
export class HistoryFileError extends Error {}

/** Columns of a history file, in this order. A row is one settled print and the names of its contract. */
export const FILE_COLUMNS = [
  'exchange',
  'venue_symbol',
  'symbol',
  'coin',
  'is_inverse',
  'settled_at',
  'rate_pct',
] as const;

export interface FileRow {
  names: ContractNames;
  minute: number;
  ratePct: number;
}

type FileColumn = (typeof FILE_COLUMNS)[number];

const MAX_RATE_PCT = 4 * 24;
const MAX_NAME_LENGTH = 80;
/** A row has six short values. */
const MAX_LINE_LENGTH = 10_000;
/** Clocks differ. */
const FUTURE_MS = MINUTE_MS;

/** What the rows of a file may have. */
export interface ImportBounds {
  exchanges: ReadonlySet<string>;
  nowMs: number;
}

/** Parses one row; `where` names it in messages. */
export function parseRow(
  cells: Readonly<Partial<Record<FileColumn, unknown>>>,
  { exchanges, nowMs }: ImportBounds,
  where: string,
): FileRow {
  const fault = (column: FileColumn, must: string) =>
    new HistoryFileError(
      `${where}: ${column} must be ${must}; it is "${printable(String(cells[column]).slice(0, 40))}"`,
    );
  const name = (column: 'venue_symbol' | 'symbol' | 'coin'): string => {
    const text = cells[column];
    if (typeof text !== 'string' || text === '' || text.length > MAX_NAME_LENGTH)
      throw fault(column, 'a name');
    if (!isPrintable(text)) throw fault(column, 'a name without control characters');
    return text;
  };
  const { exchange, is_inverse: isInverse, settled_at: settledAt } = cells;
  if (typeof exchange !== 'string' || !exchanges.has(exchange))
    throw fault('exchange', 'a venue as /exchanges spells it');
  if (!['true', 'false'].includes(String(isInverse))) throw fault('is_inverse', 'true or false');
  const settledAtMs = settledAt instanceof Date ? settledAt.getTime() : Date.parse(String(settledAt));
  if (Number.isNaN(settledAtMs) || !isPlausibleMs(settledAtMs))
    throw fault('settled_at', 'an ISO 8601 time such as 2026-11-01T08:00:00Z');
  if (settledAtMs > nowMs + FUTURE_MS) throw fault('settled_at', 'in the past');
  const ratePct = decimalOrNull(cells.rate_pct);
  if (ratePct === null || Math.abs(ratePct) > MAX_RATE_PCT)
    throw fault('rate_pct', `a number of percent from -${MAX_RATE_PCT} to ${MAX_RATE_PCT}`);
  return {
    names: {
      exchange,
      venueSymbol: name('venue_symbol'),
      symbol: name('symbol'),
      coin: name('coin'),
      isInverse: String(isInverse) === 'true',
      listedAtMs: null,
    },
    minute: settlementMinute(settledAtMs),
    ratePct,
  };
}

export interface ExportedPrints {
  contract: HeldContract;
  minutes: readonly number[];
  ratesPct: readonly number[];
}

/** The stored prints of the contracts in [fromMs, toMs], one contract at a time. */
export async function* exportedPrints(
  keeper: SettlementKeeper,
  contracts: readonly HeldContract[],
  fromMs: number,
  toMs: number,
): AsyncGenerator<ExportedPrints> {
  for (const contract of contracts) {
    const first = Math.max(fromMs, contract.heldSinceMs ?? Number.POSITIVE_INFINITY);
    const last = Math.min(toMs, contract.lastPrintMs ?? 0);
    if (first > last) continue;
    const { minutes, ratesPct } = await keeper.prints(contract, first, last);
    if (minutes.length > 0) yield { contract, minutes, ratesPct };
  }
}

export const CSV_HEADER = `${FILE_COLUMNS.join(',')}\n`;

export function csvLines({ contract, minutes, ratesPct }: ExportedPrints): string {
  const { exchange, venueSymbol, symbol, coin, isInverse } = contract;
  const names = [exchange, venueSymbol, symbol, coin, isInverse].map(csvCell).join(',');
  let [text, day, date] = ['', Number.NaN, ''];
  for (let i = 0; i < minutes.length; i++) {
    const minute = minutes[i] ?? 0;
    const timeOfDay = minute % MINUTES_PER_DAY;
    if (minute - timeOfDay !== day) {
      day = minute - timeOfDay;
      date = isoTime(day * MINUTE_MS).slice(0, 'YYYY-MM-DD'.length);
    }
    text += `${names},${date}T${clockTimes()[timeOfDay]}:00Z,${ratesPct[i]}\n`;
  }
  return text;
}

const MINUTES_PER_DAY = 1440;
let allClockTimes: readonly string[] | null = null;

/** `00:00` to `23:59`. Formatting a date takes longer than all else in a line, and a day has few times. */
function clockTimes(): readonly string[] {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  allClockTimes ??= Array.from(
    { length: MINUTES_PER_DAY },
    (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
  );
  return allClockTimes;
}

/** Reads the rows of a CSV file one by one. */
export async function* csvRows(file: string, bounds: ImportBounds): AsyncGenerator<FileRow> {
  let number = 0;
  for await (const line of importLines(file)) {
    number++;
    const where = `${file} line ${number}`;
    if (number === 1) {
      if (line.replace(/^\uFEFF/, '') !== FILE_COLUMNS.join(','))
        throw new HistoryFileError(`${where}: the header must be ${FILE_COLUMNS.join(',')}`);
      continue;
    }
    if (line === '') continue;
    const cells = csvCells(line);
    if (cells.length !== FILE_COLUMNS.length)
      throw new HistoryFileError(`${where}: ${cells.length} values, expected ${FILE_COLUMNS.length}`);
    yield parseRow(Object.fromEntries(FILE_COLUMNS.map((column, i) => [column, cells[i]])), bounds, where);
  }
  if (number === 0)
    throw new HistoryFileError(`${file} is empty; it must start with ${FILE_COLUMNS.join(',')}`);
}

/** The lines of a file that is imported. */
async function* importLines(file: string): AsyncGenerator<string> {
  try {
    yield* linesWithin(createReadStream(file), MAX_LINE_LENGTH);
  } catch (error) {
    throw error instanceof LineTooLong
      ? new HistoryFileError(`${file} line ${error.line}: ${error.message}; is it a CSV file?`)
      : error;
  }
}

export function csvCells(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map(textOfCell);
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    textOfCell(quoted?.replaceAll('""', '"') ?? plain ?? ''),
  );
}
