import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isLoopbackUrl } from '../../../accounts/keys/authenticate.ts';
import { Problem } from '../../../base/problems.ts';
import { type Html, html } from '../markup/html.ts';
import type { PeopleOptions } from './people-options.ts';

/**
 * Shows unsent mail while no mail server is configured. Its links open accounts, so it is served only if our own address is
 * loopback and the request comes from this machine; what a proxy forwards comes from elsewhere.
 */
export function mailboxRoutes(server: FastifyInstance, { visits, mailer, baseUrl }: PeopleOptions): void {
  const { messages } = mailer;
  if (messages === null || !isLoopbackUrl(baseUrl)) return;
  server.get('/development/mail', async (request, reply) => {
    if (!isFromLoopback(request.raw))
      throw new Problem('not-found', 'This page exists only for browsers on the same machine.');
    const visit = await visits.open(request, reply);
    return visit.page({
      title: 'Mail',
      layout: 'wrap',
      body: html`<h1>Mail that was not sent</h1>
        <p class="mut">
          No mail server is configured, so mail ends here. This page exists on loopback addresses only.
        </p>
        ${messages.length === 0 ? html`<p class="mut">None yet.</p>` : null}
${messages.toReversed().map(
  ({ to, subject, text }) =>
    html`<section class="card mail mt">
      <h2>${subject}</h2>
      <p class="mut">To ${to}</p>
      <p>${withLinks(text)}</p>
    </section>`,
)}`,
    });
  });
}

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** The name of the host counts too: a foreign name that resolves to this machine is an attack on the browser. */
function isFromLoopback({ socket, headers }: IncomingMessage): boolean {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return (
    (peer === '::1' || peer.startsWith('127.')) &&
    isLoopbackUrl(`http://${headers.host ?? ''}`) &&
    FORWARDING_HEADERS.every((name) => headers[name] === undefined)
  );
}

function withLinks(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) =>
      /^https?:/.test(part) ? html`<br><a class="lnk" href="${part}">${part}</a><br>` : html`${part}`,
    );
}
