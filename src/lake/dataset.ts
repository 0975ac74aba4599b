/** A column of a lake file. A time is in milliseconds since 1970 here, and a timestamp in UTC in the file. Numbers are a list. */
export interface LakeColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'flag' | 'time' | 'numbers';
  readonly isNullable: boolean;
  readonly description: string;
}

export type LakeValue = string | number | boolean | readonly number[] | null;
export type LakeRows = readonly (readonly LakeValue[])[];

/** What the files of a dataset contain. Its name is also the folder of its files. */
export interface LakeTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly LakeColumn[];
  /** The column with the time that a row is of. */
  readonly timeColumn: string;
  /** The columns by which rows are sorted, the first of which a reader filters by. */
  readonly sortedBy: readonly string[];
  /** Few rows, so that reading one contract touches little; many, so that the index at the end of a file stays small. */
  readonly rowsPerGroup: number;
}

const text = (name: string, description: string): LakeColumn => ({
  ...{ name, type: 'text', isNullable: false, description },
});
export const COIN = text('coin', 'Ticker without multiplier');
export const EXCHANGE = text('exchange', 'Venue');
export const VENUE_SYMBOL = text('venue_symbol', "The venue's own name of the contract");

/** Columns that name the contract of a row, in every dataset of contracts. */
export const CONTRACT_COLUMNS: readonly LakeColumn[] = [COIN, EXCHANGE, VENUE_SYMBOL];

export const KNOWN_AT: LakeColumn = {
  name: 'known_at',
  type: 'time',
  isNullable: true,
  description: 'When this service learned it; null if that was not recorded',
};

/** The part of time that one file covers. */
export interface LakeDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
  /** What was learned up to here is in this file or an earlier one. */
  readonly knownToMs: number;
  /** The same of the file before; null for the first. What was learned since then and is of an earlier day is in this file. */
  readonly previous: { readonly endMs: number; readonly knownToMs: number } | null;
  /** Whether no later day is built in the same run. */
  readonly isNewest: boolean;
}

/**
 * Whether a row belongs into the file of a day: it is in the first file whose day is not before its own, and that was
 * built when the row was known. So each row is in one file, and what is learned later is in a later file.
 */
export function isOfDay(day: LakeDay, atMs: number, knownAtMs: number | null): boolean {
  const isIn = (file: { endMs: number; knownToMs: number }) =>
    atMs < file.endMs && (knownAtMs === null || knownAtMs <= file.knownToMs);
  return isIn(day) && (day.previous === null || !isIn(day.previous));
}

/** A dataset and where its rows come from. */
export interface LakeSource {
  readonly table: LakeTable;
  /** The rows of a day in the order of the file, some at a time, with their values in the order of the columns. */
  rows(day: LakeDay): AsyncIterable<LakeRows>;
}
