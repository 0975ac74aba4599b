import type { FastifyInstance } from 'fastify';
import { isLoopbackUrl } from '../../../accounts/keys/authenticate.ts';
import { type Html, html } from '../html.ts';
import type { PeopleOptions } from '../people-options.ts';

/** Shows unsent mail while no mail server is configured. On loopback only, because its links open accounts. */
export function mailboxRoutes(server: FastifyInstance, { visits, mailer, baseUrl }: PeopleOptions): void {
  const { kept } = mailer;
  if (kept === null || !isLoopbackUrl(baseUrl)) return;
  server.get('/development/mail', async (request, reply) => {
    const visit = await visits.open(request, reply);
    return visit.page({
      title: 'Mail',
      body: html`<h1>Mail that was not sent</h1>
<p class="lead">No mail server is configured, so mail ends here. This page exists on loopback addresses only.</p>
${kept.length === 0 ? html`<p>None yet.</p>` : null}
${kept
  .toReversed()
  .map(
    ({ to, subject, text }) =>
      html`<section><h2>${subject}</h2><p>To ${to}</p><p>${withLinks(text)}</p></section>`,
  )}`,
    });
  });
}

function withLinks(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (/^https?:/.test(part) ? html`<br><a href="${part}">${part}</a><br>` : html`${part}`));
}
