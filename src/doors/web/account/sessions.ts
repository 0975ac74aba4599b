import type { FastifyInstance } from 'fastify';
import type { SessionRecord } from '../../../accounts/people/sessions.ts';
import { OWNER } from '../../../accounts/security-log.ts';
import { isoTime } from '../../../base/times.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { buttonForm, hidden } from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';
import { ago } from './quota.ts';

const PATH = '/account/sessions';

/** The browsers in which the user is signed in; each can be signed out. */
export const SESSIONS_PAGE: AccountPage = { path: PATH, label: 'Sessions', icon: 'clock', serve };

function serve(
  server: FastifyInstance,
  { visits, sessions, accounts, clock, area }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const all = await sessions.list(visit.account.accountId);
    const nowMs = clock.nowMs();
    return visit.page(
      area(
        PATH,
        {
          title: 'Sessions',
          lead: html`Each is a browser that is signed in to your account. One that you do not know? End it
            and <a class="lnk" href="/account/password">change the password</a>.`,
        },
        section(
          `${all.length} signed in`,
          html`<ul class="items">${all.map((session) => entry(session, visit, nowMs))}</ul>`,
          all.length > 1
            ? buttonForm({
                action: `${PATH}/end-others`,
                csrf: visit.csrf,
                button: 'End all others',
                fields: null,
              })
            : null,
        ),
      ),
    );
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

function entry(session: SessionRecord, { sessionId, csrf }: Visit, nowMs: number): Html {
  const { id, browser, createdAtMs, expiresAtMs, lastUsedAtMs } = session;
  const isThis = id === sessionId;
  return html`<li class="session">
    <div>
      <h3>
        ${browser ?? 'Unknown browser'}
        ${isThis ? html` <span class="tag acc">this browser</span>` : null}
      </h3>\n
      <p class="mut">
        Last used ${isThis ? 'just now' : ago(lastUsedAtMs, nowMs)} · signed
        in ${time(isoTime(createdAtMs))} · ends by itself ${time(isoTime(expiresAtMs))}
      </p>
    </div>
    ${buttonForm({
      action: `${PATH}/end`,
      csrf,
      button: 'End this session',
      fields: hidden('session', id),
      isDestructive: !isThis,
    })}
  </li>`;
}
