import { type Answer, type AnswerRows, answerJson, rowText } from '../../operations/answer/answer.ts';

/** A page of a list at one snapshot: the JSON of its rows by their identity, in the order of the list. */
export interface StreamPage {
  asOfMs: number;
  /** By the identity of the row as a JSON object. */
  rows: ReadonlyMap<string, string>;
  /** The fields of `data` beside the rows as a JSON object; null if `data` is the list of rows. */
  fields: string | null;
  meta: string;
  total: number | null;
  /** The JSON before and after the rows. */
  head: string;
  tail: string;
}

export function pageOf(asOfMs: number, answer: Answer, identity: readonly string[]): StreamPage {
  const { rows, fields, meta } = answer;
  if (rows === null) throw new Error('the answer of a stream has no rows');
  const { head, tail } = answerJson(answer);
  const identityOf = identityReader(rows, identity);
  return {
    asOfMs,
    rows: new Map(rows.numbers.map((row) => [identityOf(row), rowText(rows, row)])),
    fields: fields === null ? null : JSON.stringify(fields),
    meta: JSON.stringify(meta),
    total: meta.total,
    head,
    tail,
  };
}

function identityReader({ table }: AnswerRows, identity: readonly string[]): (row: number) => string {
  const columns = table.spec.columns.filter(({ name }) => identity.includes(name));
  return (row) => table.fieldsJson(row, columns);
}

/** The data of `snapshot`: the same JSON as the list's answer. */
export function snapshotData({ rows, head, tail }: StreamPage): string {
  return `${head}${[...rows.values()].join(',')}${tail}`;
}

/** The data of `change`, which turns one page into another; null if both are the same but for their time. */
export function changeData(from: StreamPage, to: StreamPage): string | null {
  const upsert: string[] = [];
  const remove: string[] = [];
  for (const [identity, row] of to.rows) if (from.rows.get(identity) !== row) upsert.push(row);
  for (const identity of from.rows.keys()) if (!to.rows.has(identity)) remove.push(identity);
  const isSame = upsert.length === 0 && remove.length === 0 && from.total === to.total;
  if (isSame && from.fields === to.fields) return null;
  const fields = to.fields === null ? '' : `,"fields":${to.fields}`;
  return `{"upsert":[${upsert.join(',')}],"remove":[${remove.join(',')}]${fields},"meta":${to.meta}}`;
}
