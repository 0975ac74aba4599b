import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import type { TestSending } from '../../../../alerts/alerts.ts';
import type { Problem } from '../../../../base/problems.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import type { Visit } from '../../sign-in/visits.ts';
import type { AccountPageOptions } from '../account-page.ts';
import type { Done } from './paths.ts';

/** What the routes of rules and channels share. */
export interface AlertsRoutes {
  options: AccountPageOptions;
  /** The page of all alerts, with a notice or the reason why a form was refused. */
  show(
    visit: Visit,
    account: SignedIn,
    outcome?: { notice?: HtmlValue; problem?: Problem; wrongCodeOf?: string | null },
  ): Promise<FastifyReply>;
  /** A form that changes something and then returns to the page. A Problem is shown on the page. */
  change(
    apply: (fields: URLSearchParams, account: SignedIn) => Promise<Done | Html>,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** The results of test messages, one for each channel. */
export function testResults(sendings: readonly TestSending[]): Html {
  const isBad = sendings.some(({ result }) => !result.isDelivered);
  return html`<div class="ban ${isBad ? 'bad' : 'ok'}" role="status">
    ${icon(isBad ? 'warn' : 'check')}
    <div>
      <b>Test message</b>
      <ul>
        ${sendings.map(
          ({ endpoint, result }) => html`<li>
            ${endpoint.description}: ${result.isDelivered ? 'delivered' : `not delivered: ${result.reason}`}
          </li>\n`,
        )}
      </ul>
    </div>
  </div>`;
}
