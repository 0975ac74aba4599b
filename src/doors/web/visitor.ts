import type { Caller } from '../../accounts/directory.ts';
import { PLANS } from '../../accounts/plans.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import type { WindowState, WindowStates } from '../../accounts/windows.ts';
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
