import type { Answer } from '../../../operations/answer/answer.ts';
import { conclusionOf } from '../../../operations/answer/conclusion.ts';
import { bytesOf, shortTable } from '../../../operations/answer/short-rows.ts';
import type { AnyOperation, ToolDescription } from '../../../operations/operation.ts';

/** Assistants pay for every token of a text, and some refuse long ones. */
export const MAX_TEXT_BYTES = 6000;

/**
 * The text of a result: the conclusion, the values of an answer that is no list, the first rows as a table, where the other
 * rows are, and the address of the page.
 */
export function resultWords(
  tool: ToolDescription,
  { shortRows }: Pick<AnyOperation, 'shortRows'>,
  answer: Answer,
): string {
  const { meta } = answer;
  const head = [conclusionOf(tool, answer), ...valueLines(answer)];
  const cursor = meta.next_cursor ? [`Next page: cursor ${meta.next_cursor}`] : [];
  const rest = 'All rows with all their fields are in structuredContent.';
  const table = shortRows
    ? shortTable(answer, shortRows, MAX_TEXT_BYTES - bytesOf([...head, rest, ...cursor, meta.url]))
    : [];
  return [...head, ...table, ...(table.length > 0 ? [rest] : []), ...cursor, meta.url].join('\n');
}

/** `name: value` of the fields beside the rows; fields of fields have dotted names. */
function valueLines({ fields }: Answer): string[] {
  if (fields === null) return [];
  const linesOf = (name: string, value: unknown): string[] => {
    if (Array.isArray(value)) return value.every(isPlain) ? [`${name}: ${value.join(', ')}`] : [];
    if (isPlain(value)) return [`${name}: ${value}`];
    return Object.entries(value as object).flatMap(([inner, own]) => linesOf(`${name}.${inner}`, own));
  };
  return Object.entries(fields).flatMap(([name, value]) => linesOf(name, value));
}

const isPlain = (value: unknown) => value === null || typeof value !== 'object';
