import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { type Html, html } from '../html.ts';
import { emailField, fault, form, hidden, passwordField } from '../sign-in/form-parts.ts';
import type { PeopleOptions } from '../sign-in/people.ts';
import { SIGN_IN_PATH } from '../sign-in/sign-in.ts';
import { checkMail } from '../sign-in/sign-up.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { accountNavigation } from './account.ts';

const NEW_PASSWORD = 'New password, at least 10 characters';

/** Forgotten, reset and changed passwords. */
export function passwordRoutes(server: FastifyInstance, { visits, users, mailer }: PeopleOptions): void {
  const page = (visit: Visit, title: string, message: string | null, body: Html) =>
    visit.page({
      title,
      status: message === null ? 200 : 400,
      body: html`<h1>${title}</h1>
${fault(message)}
${body}`,
    });

  const showForgotten = (visit: Visit, message: string | null, email = ''): FastifyReply =>
    page(
      visit,
      'Password forgotten',
      message,
      html`<p class="lead">We mail you a link on which you choose a new password.</p>
${form({
  action: '/forgot-password',
  csrf: visit.csrf,
  button: 'Send a link',
  fields: emailField(email),
})}
<p><a href="${SIGN_IN_PATH}">Back to sign in</a></p>`,
    );
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
      return showForgotten(visit, error.message, email);
    }
    return checkMail(visit, mailer.kept !== null);
  });

  const showReset = (visit: Visit, token: string, message: string | null): FastifyReply =>
    page(
      visit,
      'Choose a new password',
      message,
      form({
        action: '/reset-password',
        csrf: visit.csrf,
        button: 'Set the password',
        fields: html`${hidden('token', token)}
${passwordField('password', NEW_PASSWORD, 'new-password')}`,
      }),
    );
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
      await users.resetPassword(token, fields.get('password') ?? '');
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showReset(visit, token, error.message);
    }
    return visit.redirect(SIGN_IN_PATH);
  });

  const showChange = (visit: Visit, message: string | null): FastifyReply =>
    page(
      visit,
      'Change the password',
      message,
      html`${accountNavigation('/account/password')}
${form({
  action: '/account/password',
  csrf: visit.csrf,
  button: 'Change the password',
  fields: html`${passwordField('current', 'Current password', 'current-password')}
${passwordField('password', NEW_PASSWORD, 'new-password')}
<p>All other sessions are signed out.</p>`,
})}`,
    );
  server.get('/account/password', async (request, reply) => {
    const visit = await visits.open(request, reply);
    return visit.account
      ? showChange(visit, null)
      : visit.redirect(`${SIGN_IN_PATH}?return_to=/account/password`);
  });
  server.post('/account/password', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    try {
      const [current, next] = [fields.get('current') ?? '', fields.get('password') ?? ''];
      await visit.signIn(await users.changePassword(accountId, current, next, request.clientAddress));
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showChange(visit, error.message);
    }
    return visit.redirect('/account');
  });
}
