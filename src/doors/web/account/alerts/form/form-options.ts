import type { Endpoint } from '../../../../../alerts/alerts.ts';
import type { Channel } from '../../../../../alerts/channels/channel.ts';
import type { StreamedOperation } from '../../../../../operations/operation.ts';
import { type Html, html } from '../../../markup/html.ts';
import type { Refusal } from '../refusals.ts';
import type { Subject } from '../subjects.ts';
import type { Previewed } from './preview-part.ts';
import type { TypedRule } from './typed-rule.ts';

export interface RuleFormOptions {
  csrf: string;
  typed: TypedRule;
  subject: Subject;
  operation: StreamedOperation;
  endpoints: readonly Endpoint[];
  /** Those that this server offers. */
  channels: readonly Channel[];
  /** The address of the account; null without one. */
  email: string | null;
  /** Whether the account has fees of its own. */
  hasOwnFees: boolean;
  /** What fields suggest. */
  coins: readonly string[];
  venues: readonly string[];
  /** Why the form was refused. */
  refusal: Refusal | null;
  preview: Previewed;
  /** Of the plan. */
  leastEveryMinutes: number;
  /** How to link a Telegram chat, after its button was pressed. */
  telegramCode: Html | null;
}

export function optionsOf(choices: readonly (readonly [string, string])[], chosen: string): Html[] {
  return choices.map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`,
  );
}
