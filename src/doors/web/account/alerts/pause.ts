import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAUSE_PATH } from '../../../../alerts/pause-links.ts';
import type { Rule } from '../../../../alerts/rule.ts';
import { html } from '../../markup/html.ts';
import { form, hidden } from '../../sign-in/form-parts.ts';
import type { PeopleOptions } from '../../sign-in/people-options.ts';
import { refusedForm, type Visit } from '../../sign-in/visits.ts';

/**
 * The page behind the link of a message that pauses its rule, without sign-in. Opening it changes nothing, because mail
 * programs and chats open links to show a preview; the button does.
 */
export function pauseRoutes(server: FastifyInstance, { visits, alerts }: PeopleOptions): void {
  server.get(PAUSE_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const token = tokenIn(new URL(request.url, 'http://localhost').searchParams);
    const rule = await alerts.ruleOfPauseLink(token);
    return rule ? confirmation(visit, rule, token) : outdated(visit);
  });
  server.post(PAUSE_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const token = tokenIn(fields);
    const rule = await alerts.ruleOfPauseLink(token);
    if (!rule || !(await alerts.pauseByLink(token))) return outdated(visit);
    return visit.page({
      title: 'Alert paused',
      body: html`<h1>Alert paused</h1>
        <p class="sub">
          “${rule.name}” sends no more alerts. You can resume it in <a class="lnk" href="/account/alerts">
            your account
          </a>.
        </p>`,
    });
  });
}

function tokenIn(fields: URLSearchParams): string {
  return fields.get('token') ?? '';
}

function confirmation(visit: Visit, { name }: Rule, token: string): FastifyReply {
  return visit.page({
    title: 'Pause an alert',
    parameters: ['token'],
    body: html`<h1>Pause an alert</h1>
<p class="sub">“${name}” will send no more alerts until you resume it in your account.</p>
${form({ action: PAUSE_PATH, csrf: visit.csrf, button: 'Pause the alert', fields: hidden('token', token) })}`,
  });
}

function outdated(visit: Visit): FastifyReply {
  return visit.page({
    title: 'This link no longer works',
    status: 404,
    body: html`<h1>This link no longer works</h1>
      <p class="sub">
        The alert is paused already, was deleted, or was resumed after this message was sent. Your alerts are
        in <a class="lnk" href="/account/alerts">your account</a>.
      </p>`,
  });
}
