import type { Table } from '../../../market/table.ts';
import type { Answer } from '../../../operations/operation.ts';
import { firstRow, type Row } from './first-row.ts';

/** How a list's rows are called, and its first row in words. */
export interface DescribedRows {
  noun: string;
  /** Null for a list without rows. */
  firstInWords(answer: Answer): string | null;
}

/** Words of a snapshot's row are kept with it: few rows come first, and reading one again costs more than the words. */
export function described(noun: string, describe: (row: Row) => string): DescribedRows {
  const kept = new WeakMap<Table, Map<number, string>>();
  const wordsOf = (answer: Answer): string | null => {
    const row = firstRow(answer);
    return row === null ? null : describe(row);
  };
  return {
    noun,
    firstInWords: (answer) => {
      const first = answer.rows?.numbers[0];
      if (!answer.rows || first === undefined) return wordsOf(answer);
      const { table } = answer.rows;
      let known = kept.get(table);
      if (!known) {
        known = new Map();
        kept.set(table, known);
      }
      const words = known.get(first) ?? wordsOf(answer);
      if (words !== null) known.set(first, words);
      return words;
    },
  };
}
