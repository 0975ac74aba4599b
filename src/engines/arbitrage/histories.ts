import { Table, type TableSpec, type TextData } from '../../market/tables/table.ts';
import type { PairHistory } from './pair-history.ts';
import type { TimesAboveFee } from './times-above-fee.ts';

/** The stored form of the 30-day figures: one row per pair of contracts, for both directions. */
export const PAIR_HISTORIES_TABLE: TableSpec = {
  name: 'arbitrage-histories',
  columns: [
    { name: 'contract_a', type: 'text', nullable: false, description: 'The leg that comes first' },
    { name: 'contract_b', type: 'text', nullable: false, description: 'The other leg' },
    {
      name: 'positivePct',
      type: 'number',
      nullable: true,
      description: 'Hours in which long A, short B earned',
    },
    {
      name: 'negativePct',
      type: 'number',
      nullable: true,
      description: 'Hours in which long A, short B paid',
    },
    { name: 'worstDayPct', type: 'number', nullable: true, description: 'Worst day of long A, short B' },
    { name: 'bestDayPct', type: 'number', nullable: true, description: 'Best day of long A, short B' },
    {
      name: 'maxDrawdownPct',
      type: 'number',
      nullable: true,
      description: 'Largest fall of long A, short B',
    },
    { name: 'maxRisePct', type: 'number', nullable: true, description: 'Largest rise of long A, short B' },
    { name: 'gapLowPct', type: 'number', nullable: true, description: 'Lowest price gap of long A, short B' },
    {
      name: 'gapHighPct',
      type: 'number',
      nullable: true,
      description: 'Highest price gap of long A, short B',
    },
    { name: 'gapFromMs', type: 'time', nullable: true, description: 'Since when the price gap is known' },
    {
      name: 'meanAbsolutePct',
      type: 'number',
      nullable: true,
      description: 'Mean of the absolute carry of an hour',
    },
    {
      name: 'medianHours',
      type: 'number',
      nullable: true,
      description: 'Median length of the times of long A, short B above the fee',
    },
    {
      name: 'medianHoursReversed',
      type: 'number',
      nullable: true,
      description: 'Median length of the times of long B, short A above the fee',
    },
    {
      name: 'times',
      type: 'integer',
      nullable: true,
      description: 'Times of long A, short B above the fee',
    },
    {
      name: 'timesReversed',
      type: 'integer',
      nullable: true,
      description: 'Times of long B, short A above the fee',
    },
    {
      name: 'nowHours',
      type: 'integer',
      nullable: true,
      description: 'Length of the time above the fee that has not ended; negative for long B, short A',
    },
  ],
};

export const HISTORY_FIGURES = [
  'positivePct',
  'negativePct',
  'worstDayPct',
  'bestDayPct',
  'maxDrawdownPct',
  'maxRisePct',
  'meanAbsolutePct',
] as const satisfies readonly (keyof PairHistory)[];

export const FEE_FIGURES = [
  'medianHours',
  'medianHoursReversed',
  'times',
  'timesReversed',
  'nowHours',
] as const satisfies readonly (keyof TimesAboveFee)[];

export const GAP_FIGURES = ['gapLowPct', 'gapHighPct', 'gapFromMs'] as const;

export type HistoryColumns = Readonly<
  Record<keyof PairHistory | keyof TimesAboveFee | (typeof GAP_FIGURES)[number], Float64Array>
>;

export function newHistoryColumns(count: number): HistoryColumns {
  return Object.fromEntries(
    [...HISTORY_FIGURES, ...FEE_FIGURES, ...GAP_FIGURES].map((name) => [
      name,
      new Float64Array(count).fill(Number.NaN),
    ]),
  ) as unknown as HistoryColumns;
}

/** `a` and `b` are codes of `contracts`; code 0 means none. */
export function historiesTable(
  contracts: readonly string[],
  a: Uint32Array,
  b: Uint32Array,
  figures: HistoryColumns,
): Table {
  const texts = new Map<string, TextData>([
    ['contract_a', { codes: a, values: contracts }],
    ['contract_b', { codes: b, values: contracts }],
  ]);
  return new Table(PAIR_HISTORIES_TABLE, a.length, new Map(Object.entries(figures)), texts);
}

/** Where the rows of each first contract are. */
interface RowGroups {
  codeOf: ReadonlyMap<string, number>;
  /** By code of the first contract: where its rows begin in the two lists; one more entry marks the end. */
  starts: Uint32Array;
  others: Uint32Array;
  rows: Uint32Array;
}

const lookups = new WeakMap<Table, HistoryLookup>();

/**
 * Finds the row of two contracts. Built once per table: the rows are grouped by their first contract, which has at most one
 * with each other venue. A Map of 88,000 pairs took twice as long to build and four times the memory.
 */
export class HistoryLookup {
  readonly table: Table;
  readonly #groups: RowGroups;

  private constructor(table: Table, groups: RowGroups) {
    this.table = table;
    this.#groups = groups;
  }

  static of(table: Table): HistoryLookup {
    const known = lookups.get(table);
    if (known) return known;
    const lookup = new HistoryLookup(table, groupRows(table));
    lookups.set(table, lookup);
    return lookup;
  }

  codeOf(contract: string): number {
    return this.#groups.codeOf.get(contract) ?? 0;
  }

  /** -1 if there is none. */
  rowOf(codeA: number, codeB: number): number {
    const { starts, others, rows } = this.#groups;
    const end = starts[codeA + 1] ?? 0;
    for (let place = starts[codeA] ?? 0; place < end; place++)
      if (others[place] === codeB) return rows[place] as number;
    return -1;
  }
}

function groupRows(table: Table): RowGroups {
  const { rowCount } = table;
  const { values, codes: a } = table.texts('contract_a');
  // Both columns have the same list of texts where this process made the table, but not after decoding.
  const b = table.texts('contract_b');
  const codeOf = new Map(values.map((text, code) => [text, code]));
  const codeOfOther = Uint32Array.from(b.values, (text) => codeOf.get(text) ?? 0);
  const ends = new Uint32Array(values.length + 1);
  for (let row = 0; row < rowCount; row++) ends[a[row] as number] = (ends[a[row] as number] as number) + 1;
  for (let code = 1; code < ends.length; code++)
    ends[code] = (ends[code] as number) + (ends[code - 1] as number);
  const others = new Uint32Array(rowCount);
  const rows = new Uint32Array(rowCount);
  // From the last row to the first: the end of each group moves down to its start.
  for (let row = rowCount - 1; row >= 0; row--) {
    const code = a[row] as number;
    const place = (ends[code] as number) - 1;
    ends[code] = place;
    others[place] = codeOfOther[b.codes[row] as number] as number;
    rows[place] = row;
  }
  return { codeOf, starts: ends, others, rows };
}
