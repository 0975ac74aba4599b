import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { html } from '../markup/html.ts';
import {
  cardPage,
  emailField,
  form,
  hidden,
  NEW_PASSWORD_LABEL,
  passwordField,
  REVOKE_KEYS_FIELD,
} from './form-parts.ts';
import type { PeopleOptions } from './people-options.ts';
import { SIGN_IN_PATH } from './sign-in.ts';
import { checkMail } from './sign-up.ts';
import { refusedForm, type Visit } from './visits.ts';

/** A forgotten password: request a link by mail, then set a new password. */
export function passwordResetRoutes(server: FastifyInstance, { visits, users, mailer }: PeopleOptions): void {
  const showForgotten = (visit: Visit, refusal: AccountsError | null, email = ''): FastifyReply =>
    cardPage(visit, {
      title: 'Password forgotten',
      lead: 'We mail you a link on which you choose a new password.',
      error: refusal,
      body: form({
        action: '/forgot-password',
        csrf: visit.csrf,
        button: 'Send a link',
        fields: emailField(email, refusal),
      }),
      foot: html`<a class="lnk" href="${SIGN_IN_PATH}">Back to sign in</a>`,
    });
  server.get('/forgot-password', async (request, reply) =>
    showForgotten(await visits.open(request, reply), null),
  );
  server.post('/forgot-password', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const email = fields.get('email') ?? '';
    try {
      await users.requestReset(email, request.clientAddress);
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showForgotten(visit, error, email);
    }
    return checkMail(visit, mailer.messages !== null);
  });

  const showReset = (visit: Visit, token: string, refusal: AccountsError | null): FastifyReply =>
    cardPage(visit, {
      title: 'Choose a new password',
      parameters: ['token'],
      error: refusal,
      body: form({
        action: '/reset-password',
        csrf: visit.csrf,
        button: 'Set the password',
        fields: html`${hidden('token', token)}
${passwordField('password', NEW_PASSWORD_LABEL, 'new-password', refusal)}
${REVOKE_KEYS_FIELD}`,
      }),
    });
  server.get('/reset-password', async (request, reply) => {
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    return showReset(await visits.open(request, reply), query.get('token') ?? '', null);
  });
  server.post('/reset-password', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const token = fields.get('token') ?? '';
    try {
      const isRevokingKeys = fields.has('revoke_keys');
      visit.setDevice(await users.resetPassword(token, fields.get('password') ?? '', isRevokingKeys));
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showReset(visit, token, error);
    }
    return visit.redirect(SIGN_IN_PATH);
  });
}
