import type { FastifyInstance } from 'fastify';
import { actionText, type SecurityEvent } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';

const PATH = '/account/security-log';
const SHOWN = 200;
const ACTORS: Readonly<Record<SecurityEvent['actor'], string>> = {
  owner: 'You',
  operator: 'An operator',
  system: 'The service',
};

/** What was done to the account, by whom and when. */
export const SECURITY_LOG_PAGE: AccountPage = { path: PATH, label: 'Security log', icon: 'shield', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, securityLogDays, area }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const events = await accounts.securityLog.read(visit.account.accountId, SHOWN);
    return visit.page(
      area(
        PATH,
        {
          title: 'Security log',
          lead: html`What was done to your account, newest first. Something that was not
            you? <a class="lnk" href="/account/password">Change the password</a>, which signs out all browsers
            and disconnects all assistants.`,
        },
        section(
          'Events',
          events.length === 0 ? html`<div class="empty"><p>Nothing yet.</p></div>` : eventsTable(events),
          html`<span class="mut">The newest ${SHOWN}, kept for ${securityLogDays} days</span>`,
        ),
      ),
    );
  });
}

function eventsTable(events: readonly SecurityEvent[]): Html {
  return html`<div class="tw" tabindex="0" role="region" aria-label="Security log">
    <table class="t">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        ${events.map(
          (event) =>
            html`<tr>
              <td>${time(isoTime(event.at_ms))}</td>
              <td>${ACTORS[event.actor]}</td>
              <td>${actionText(event.action)}</td>
              <td>${event.detail}</td>
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>`;
}
