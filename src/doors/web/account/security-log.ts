import type { FastifyInstance } from 'fastify';
import { actionText, type SecurityEvent } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account/security-log';
const SHOWN = 200;
const ACTORS: Readonly<Record<SecurityEvent['actor'], string>> = {
  owner: 'You',
  operator: 'An operator',
  system: 'The service',
};

/** What was done to the account, by whom and when. */
export const SECURITY_LOG_PAGE: AccountPage = { path: PATH, label: 'Security log', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, securityLogDays, navigation }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const events = await accounts.securityLog.read(visit.account.accountId, SHOWN);
    return visit.page({
      title: 'Security log',
      body: html`<h1>Security log</h1>
${navigation(PATH)}
<p class="lead">What was done to your account, newest first. Something that was not you? <a href="/account/password">Change the password</a>, which signs out all browsers and disconnects all assistants. Entries are kept for ${securityLogDays} days; the page shows the newest ${SHOWN}.</p>
${events.length === 0 ? html`<p class="empty">Nothing yet.</p>` : eventsTable(events)}`,
    });
  });
}

function eventsTable(events: readonly SecurityEvent[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Security log"><table>
<thead><tr><th scope="col">Time</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
<tbody>${events.map(
    (event) =>
      html`<tr><td>${time(isoTime(event.at_ms))}</td><td>${ACTORS[event.actor]}</td><td>${actionText(event.action)}</td><td>${event.detail}</td></tr>\n`,
  )}</tbody>
</table></div>`;
}
