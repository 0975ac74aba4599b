import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { html } from '../markup/html.ts';
import {
  fault,
  form,
  formStatus,
  NEW_PASSWORD_LABEL,
  passwordField,
  REVOKE_KEYS_FIELD,
} from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';

const PATH = '/account/password';

export const PASSWORD_PAGE: AccountPage = { path: PATH, label: 'Password', icon: 'lock', serve };

function serve(server: FastifyInstance, { visits, users, area }: AccountPageOptions): void {
  const showChange = (visit: Visit, refusal: AccountsError | null): FastifyReply =>
    visit.page({
      ...formStatus(refusal),
      ...area(
        PATH,
        { title: 'Change the password' },
        html`${fault(refusal)}${section(
          'New password',
          form({
            action: PATH,
            csrf: visit.csrf,
            button: 'Change the password',
            fields: html`${passwordField('current', 'Current password', 'current-password', refusal)}
${passwordField('password', NEW_PASSWORD_LABEL, 'new-password', refusal)}
${REVOKE_KEYS_FIELD}`,
          }),
        )}`,
      ),
    });
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    return visit.account ? showChange(visit, null) : visit.redirect(signInFirst(PATH));
  });
  server.post(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    try {
      const [current, next] = [fields.get('current') ?? '', fields.get('password') ?? ''];
      await visit.signIn(await users.changePassword(accountId, current, next, fields.has('revoke_keys')));
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showChange(visit, error);
    }
    return visit.redirect('/account');
  });
}
