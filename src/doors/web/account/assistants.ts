import type { FastifyInstance } from 'fastify';
import { OWNER } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import type { Connection } from '../../../oauth/connections.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { buttonForm, hidden } from '../sign-in/form-parts.ts';
import { SCOPE_TITLES, SCOPE_WORDS } from '../sign-in/scope-words.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';

const PATH = '/account/assistants';

/** The assistants that the user has connected; each can be disconnected. */
export const ASSISTANTS_PAGE: AccountPage = { path: PATH, label: 'AI assistants', icon: 'plug', serve };

function serve(server: FastifyInstance, { visits, authorization, accounts, area }: AccountPageOptions): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const connections = await authorization.connections.of(visit.account.accountId);
    return visit.page(
      area(
        PATH,
        {
          title: 'AI assistants',
          lead: 'They read as you, and share one quota of your plan. Disconnecting takes effect at once.',
          action: html`<a class="btn" href="/developers/assistants">${icon('plug')}Connect one</a>`,
        },
        section(
          connections.length === 0 ? 'None yet' : `${connections.length} connected`,
          connections.length === 0
            ? html`<div class="empty">
              <p>
                No assistant reads as you. <a class="lnk" href="/developers/assistants">How to connect one</a>
              </p>
            </div>`
            : html`<ul class="items">${connections.map((connection) => entry(connection, visit))}</ul>`,
        ),
      ),
    );
  });

  server.post(`${PATH}/disconnect`, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    const clientId = fields.get('client') ?? '';
    const ended = (await authorization.connections.of(accountId)).find((one) => one.clientId === clientId);
    await authorization.connections.end(accountId, clientId);
    if (ended) await accounts.securityLog.note(OWNER, 'assistant-disconnected', accountId, ended.clientName);
    return visit.redirect(PATH);
  });
}

function entry({ clientId, clientName, scopes, connectedAtMs }: Connection, visit: Visit): Html {
  return html`<li class="assistant">
    <div>
      <h3>${clientName}</h3>
      <p class="mut">Connected ${time(isoTime(connectedAtMs))}</p>
      <p class="scopes">
        ${scopes.map((scope) => html`<span class="tag" title="${SCOPE_WORDS[scope]}">${SCOPE_TITLES[scope]}</span>`)}
      </p>
    </div>
    ${buttonForm({
      action: `${PATH}/disconnect`,
      csrf: visit.csrf,
      button: `Disconnect ${clientName}`,
      fields: hidden('client', clientId),
      isDestructive: true,
    })}
  </li>`;
}
