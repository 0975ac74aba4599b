import type { FastifyInstance } from 'fastify';
import type { SessionRecord } from '../../../accounts/people/sessions.ts';
import { OWNER } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { form, hidden } from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account/sessions';

/** The browsers in which the user is signed in; each can be signed out. */
export const SESSIONS_PAGE: AccountPage = { path: PATH, label: 'Sessions', serve };

function serve(
  server: FastifyInstance,
  { visits, sessions, accounts, navigation }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const all = await sessions.list(visit.account.accountId);
    return visit.page({
      title: 'Sessions',
      body: html`<h1>Sessions</h1>
${navigation(PATH)}
<p class="lead">Each is a browser that is signed in to your account. One that you do not know? Sign it out and <a href="/account/password">change the password</a>.</p>
<div class="cards">${all.map((session) => entry(session, visit))}</div>
${
  all.length > 1
    ? form({ action: `${PATH}/end-others`, csrf: visit.csrf, button: 'Sign out all others', fields: null })
    : null
}`,
    });
  });

  server.post(`${PATH}/end`, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    await sessions.endOne(visit.account.accountId, fields.get('session') ?? '');
    await accounts.securityLog.note(OWNER, 'sessions-ended', visit.account.accountId, 'one browser');
    return visit.redirect(PATH);
  });

  server.post(`${PATH}/end-others`, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.form() || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    for (const { id } of await sessions.list(accountId))
      if (id !== visit.sessionId) await sessions.endOne(accountId, id);
    await accounts.securityLog.note(OWNER, 'sessions-ended', accountId, 'all other browsers');
    return visit.redirect(PATH);
  });
}

function entry({ id, createdAtMs, expiresAtMs }: SessionRecord, { sessionId, csrf }: Visit): Html {
  return html`<section class="card">
<h2>${id === sessionId ? 'This browser' : 'Another browser'}</h2>
<p>Signed in ${time(isoTime(createdAtMs))}</p>
<p>Ends by itself ${time(isoTime(expiresAtMs))}</p>
${form({ action: `${PATH}/end`, csrf, button: 'Sign out', fields: hidden('session', id) })}
</section>`;
}
