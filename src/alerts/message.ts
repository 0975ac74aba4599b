import type { Row } from '../operations/answer/answer.ts';
import type { EventKind } from './alert-event.ts';

/** What a channel sends about one event. Texts are plain; channels escape them for their format. */
export interface AlertMessage {
  eventId: string;
  /** True for a message that the owner sent to try an endpoint. */
  isTest: boolean;
  ruleId: string;
  ruleName: string;
  /** The path of the list without its slash. */
  operation: string;
  kind: EventKind;
  row: Row;
  asOfMs: number;
  /** One or two sentences, with the time of the snapshot. */
  text: string;
  /** Only in a confirmation: a receiver that answers with it is confirmed. */
  challenge?: string;
  /** The page of the list with the filters of the rule. */
  pageUrl: string;
  /** Pauses the rule without sign-in, after a confirmation. */
  pauseUrl: string;
}
