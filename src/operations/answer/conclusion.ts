import { perSnapshot } from '../../base/per-snapshot.ts';
import type { Table } from '../../market/tables/table.ts';
import type { ToolDescription } from '../operation.ts';
import { type Answer, type AnswerRows, type Row, rowObject } from './answer.ts';
import { plural } from './words.ts';

/** The first line of a tool's result: the operation's own sentence, and how old the data is. */
export function conclusionOf(tool: ToolDescription, answer: Answer): string {
  const { as_of, delayed_seconds } = answer.meta;
  const delay = delayed_seconds > 0 ? ` (${delayed_seconds} s late on this plan)` : '';
  return `${tool.conclusion(answer)} As of ${as_of}${delay}.`;
}

/** The conclusion of a list: how many rows match, and the first of them as `firstRow` describes it. */
export function listConclusion(noun: string, firstRow: (row: Row) => string): (answer: Answer) => string {
  // Few rows are ever the first one, and describing a row costs more than the lookup.
  const described = perSnapshot((_table: Table) => new Map<number, string>());
  const firstOf = (rows: AnswerRows): string | null => {
    const [first] = rows.numbers;
    if (first === undefined) return null;
    const words = () => firstRow(rowObject({ ...rows, columns: null }, first));
    return described(rows.table).getOrInsertComputed(first, words);
  };
  return ({ rows, meta }) => {
    const first = rows && firstOf(rows);
    if (first === null) return `No ${noun} matches these filters.`;
    const total = meta.total ?? meta.count ?? 0;
    const shown = meta.count !== null && meta.count < total ? `, ${meta.count} shown here` : '';
    return `${total} ${plural(total, noun)} ${total === 1 ? 'matches' : 'match'}${shown}; first: ${first}.`;
  };
}
