import type { Caller } from '../../accounts/keys/directory.ts';
import type { Receipt, WindowStates } from '../../accounts/windows/windows.ts';
import type { Answer } from '../answer/answer.ts';
import type { MatchedRows } from '../operation.ts';

/** A caller who passed all checks of access, with the request already counted. */
export interface Admission {
  caller: Caller;
  states: WindowStates;
  receipt: Receipt;
}

/** What a stream keeps of its admission. */
export type StreamAdmission = Pick<Admission, 'caller' | 'states'>;

/** The list of one or more streams, with checked parameters. */
export interface StreamedList {
  /** Equal for callers who get the same events: operation, plan and parameters. */
  readonly key: string;
  newestAsOfMs(): number | null;
  /** Null if the snapshot is not held, or the plan may not see it yet. */
  pageAt(asOfMs: number): Answer | null;
  /** All rows that match the filters, in no order. Null as for `pageAt`. */
  matchesAt(asOfMs: number): MatchedRows | null;
  /** Fetches a snapshot that is not held but that another process may have; resolves to whether it is held now. */
  fetch(asOfMs: number): Promise<boolean>;
}

/** The result of looking up an access token. An expired token was valid once, so it does not count as a guess. */
export type GrantFinding = Caller | 'unknown' | 'expired' | 'suspended';
