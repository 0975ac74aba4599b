import type { Caller } from '../../accounts/keys/directory.ts';
import { PLANS } from '../../accounts/plans.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import type { WindowState, WindowStates } from '../../accounts/windows/windows.ts';
import type { Entrance } from '../../operations/entrance.ts';
import type { AnyOperation, Meta } from '../../operations/operation.ts';

/** Somebody who reads the pages without signing in: Demo data. */
export const VISITOR: Caller = {
  accountId: 'visitor',
  plan: PLANS.demo,
  scopes: SCOPES,
  keyPrefix: '',
  keyId: null,
  slotId: 'visitor',
};

const UNCOUNTED: WindowState = { limit: 0, used: 0, remaining: 0, resetsAtMs: 0, resetSeconds: 0 };
/** Pages are not counted on anybody's windows. */
const NO_WINDOWS: WindowStates = { minute: UNCOUNTED, month: UNCOUNTED };

export interface PageAnswer<T> {
  data: T;
  meta: Meta;
}

export type Row = Readonly<Record<string, unknown>>;

/** The same answer that the API gives for the same parameters. */
export async function answerForPage<T>(
  entrance: Entrance,
  operation: AnyOperation,
  caller: Caller,
  sent: ReadonlyMap<string, readonly string[]>,
): Promise<PageAnswer<T>> {
  const answer = await entrance.run(operation, caller, NO_WINDOWS, sent);
  return { data: JSON.parse(answer.data) as T, meta: answer.meta };
}

/** Query values by name. Empty fields of a form are not values: a browser sends every field it has. */
export function sentByForm(url: string): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start < 0) return sent;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (value === '') continue;
    sent.set(name, [...(sent.get(name) ?? []), value]);
  }
  return sent;
}

/** The rows of a list answer as their JSON, one text each. */
export interface ListAnswer {
  rows: readonly string[];
  meta: Meta;
  /** What the answer says beside its rows. */
  facts: Row;
}

/** Like `answerForPage`, but rows stay text: pages keep rendered rows by it. `rowsField` holds the rows, if not `data` itself. */
export async function listForPage(
  entrance: Entrance,
  operation: AnyOperation,
  caller: Caller,
  sent: ReadonlyMap<string, readonly string[]>,
  rowsField: string | null = null,
): Promise<ListAnswer> {
  const answer = await entrance.run(operation, caller, NO_WINDOWS, sent);
  const { meta } = answer;
  if (answer.rows) {
    const { table, numbers } = answer.rows;
    // The very texts that the table keeps: looking up what was made of them needs no hash anew.
    return { rows: numbers.map((row) => table.rowJson(row)), meta, facts: {} };
  }
  const { data } = answer;
  if (rowsField === null) return { rows: rowTexts(data), meta, facts: {} };
  // The rows come last in such objects, and no text before them can hold this: quotes in texts are escaped.
  const start = `"${rowsField}":[`;
  const at = data.indexOf(start);
  const facts = JSON.parse(`${data.slice(0, at)}"${rowsField}":null}`) as Row;
  return { rows: rowTexts(data.slice(at + start.length - 1, -1)), meta, facts };
}

/** Rows are flat objects, and inside a JSON text `{"` would read `{\"`: so this separates rows and nothing else. */
function rowTexts(json: string): string[] {
  if (json === '[]') return [];
  const rows = json.slice(1, -1).split('},{"');
  return rows.map((row, i) => `${i === 0 ? '' : '{"'}${row}${i === rows.length - 1 ? '' : '}'}`);
}
