import type { Caller } from '../../../accounts/keys/directory.ts';
import { PLANS } from '../../../accounts/plans.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import type { WindowState, WindowStates } from '../../../accounts/windows/windows.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import { type AnswerRows, dataOf, type Row } from '../../../operations/answer/answer.ts';
import type { Meta } from '../../../operations/answer/meta.ts';
import type { AnyOperation } from '../../../operations/operation.ts';

export type { Row } from '../../../operations/answer/answer.ts';

/** The caller of pages without a session: Demo data. */
export const VISITOR: Caller = {
  accountId: 'visitor',
  plan: PLANS.demo,
  scopes: SCOPES,
  keyPrefix: '',
  keyId: null,
  slotId: 'visitor',
};

const UNCOUNTED: WindowState = { limit: 0, used: 0, remaining: 0, resetsAtMs: 0, resetSeconds: 0 };
/** `admitPage` counts a page before it runs its operations, which show no windows. */
export const NO_WINDOWS: WindowStates = { minute: UNCOUNTED, month: UNCOUNTED };

export interface PageAnswer<T> {
  data: T;
  meta: Meta;
}

/** The answer that the API gives for the same parameters. */
export async function answerForPage<T>(
  entrance: Entrance,
  operation: AnyOperation,
  caller: Caller,
  sent: ReadonlyMap<string, readonly string[]>,
): Promise<PageAnswer<T>> {
  // A page shows every field.
  const query = new Map([...sent].filter(([name]) => name !== 'fields'));
  const answer = await entrance.run(operation, caller, NO_WINDOWS, query);
  return { data: dataOf(answer) as T, meta: answer.meta };
}

/** The query values by name, without empty ones: a browser sends every field of a form. */
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

/** The answer of a list operation: its table rows, and the other fields of `data`. */
export interface PageList {
  rows: AnswerRows;
  meta: Meta;
  fields: Row;
}

/** Like `answerForPage`, but leaves the rows in their table: pages cache rendered rows and read only new ones. */
export async function listForPage(
  entrance: Entrance,
  operation: AnyOperation,
  caller: Caller,
  sent: ReadonlyMap<string, readonly string[]>,
): Promise<PageList> {
  const { rows, meta, fields } = await entrance.run(operation, caller, NO_WINDOWS, sent);
  if (rows === null) throw new Error(`${operation.id} is not a list`);
  return { rows, meta, fields: (fields ?? {}) as Row };
}
