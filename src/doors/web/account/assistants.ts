import type { FastifyInstance } from 'fastify';
import { OWNER } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import type { Connection } from '../../../oauth/connections.ts';
import { type Html, html } from '../markup/html.ts';
import { form, hidden } from '../sign-in/form-parts.ts';
import { SCOPE_WORDS } from '../sign-in/scope-words.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account/assistants';

/** The assistants that the user has connected; each can be disconnected. */
export const ASSISTANTS_PAGE: AccountPage = { path: PATH, label: 'Assistants', serve };

function serve(
  server: FastifyInstance,
  { visits, authorization, accounts, navigation }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const connections = await authorization.connections.of(visit.account.accountId);
    return visit.page({
      title: 'Connected assistants',
      body: html`<h1>Connected assistants</h1>
${navigation(PATH)}
<p class="lead">They read as you, on one shared set of windows of your plan. Disconnecting takes effect at once.</p>
${connections.length === 0 ? html`<p>None yet. <a href="/developers/assistants">How to connect one</a></p>` : null}
${connections.map((connection) => entry(connection, visit))}
${form({ action: '/sign-out', csrf: visit.csrf, button: 'Sign out', fields: null })}`,
    });
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
  const time = isoTime(connectedAtMs);
  return html`<section class="assistant">
<h2>${clientName}</h2>
<p>Connected <time datetime="${time}">${time}</time></p>
<ul>${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope]}</li>`)}</ul>
${form({ action: `${PATH}/disconnect`, csrf: visit.csrf, button: `Disconnect ${clientName}`, fields: hidden('client', clientId) })}
</section>`;
}
