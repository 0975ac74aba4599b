import { hash } from 'node:crypto';
import type { Row } from '../operations/answer/answer.ts';

/** What happens to a row. `returned`: the figure came back past the bound. */
export type RowEventKind = 'entered' | 'left' | 'crossed' | 'returned';

/**
 * `more`: further rows of the same snapshot, which are only counted. `limited`: events of all rules of the account that were
 * left out because of the limits of its plan. `confirmation`: asks a receiver whether it wants messages.
 */
export type EventKind = RowEventKind | 'more' | 'limited' | 'confirmation';

/** Something that a rule reports, once for each row and change. */
export interface AlertEvent {
  /** The same for every delivery and retry of the event, so that a receiver can drop duplicates. */
  eventId: string;
  /** Empty for `limited`, which is about the account. */
  ruleId: string;
  kind: EventKind;
  /** The values of the row's identity columns as JSON; for `more` and `limited` empty. */
  rowKey: string;
  /** The row in the snapshot; only its identity columns if it is gone. */
  row: Row;
  asOfMs: number;
  /** One sentence for people, with the time of the snapshot. */
  text: string;
}

/**
 * Made from what the event is about, so that an evaluation that runs twice makes the same id, and the database refuses
 * the second one.
 */
export function eventIdOf(ruleId: string, kind: EventKind, rowKey: string, asOfMs: number): string {
  return `evt_${hash('sha256', `${ruleId} ${kind} ${asOfMs} ${rowKey}`, 'base64url').slice(0, 24)}`;
}
