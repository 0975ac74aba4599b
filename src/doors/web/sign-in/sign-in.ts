import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { INTERACTION_PATH } from '../../../oauth/protocol.ts';
import { SIGN_OUT_PATH } from '../layout/paths.ts';
import { safePath } from '../layout/safe-path.ts';
import { html } from '../markup/html.ts';
import { cardPage, emailField, form, hidden, passwordField } from './form-parts.ts';
import { moveChoices } from './move-choices.ts';
import type { PeopleOptions } from './people-options.ts';
import { refusedForm, type Visit } from './visits.ts';

export const SIGN_IN_PATH = '/sign-in';
/** The page after sign-in, unless `return_to` names another. */
export const AFTER_SIGN_IN = '/account';

export function signInRoutes(server: FastifyInstance, options: PeopleOptions): void {
  const { visits, users } = options;
  const show = (
    visit: Visit,
    returnPath: string,
    refusal: AccountsError | null,
    email = '',
  ): FastifyReply => {
    const onward = returnPath === AFTER_SIGN_IN ? '' : `?return_to=${encodeURIComponent(returnPath)}`;
    return cardPage(visit, {
      title: 'Sign in',
      parameters: ['return_to'],
      leadsToAssistant: returnPath.startsWith(`${INTERACTION_PATH}/`),
      error: refusal,
      body: form({
        action: SIGN_IN_PATH,
        csrf: visit.csrf,
        button: 'Sign in',
        fields: html`${hidden('return_to', returnPath)}
${emailField(email, refusal)}
${passwordField('password', 'Password', 'current-password', refusal)}`,
      }),
      foot: html`New here? <a class="lnk" href="/sign-up${onward}">Sign up</a> <a class="lnk" href="/forgot-password">
          Password forgotten?
        </a>`,
    });
  };

  server.get(SIGN_IN_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    const returnPath = safePath(query.get('return_to'), AFTER_SIGN_IN);
    return visit.account ? visit.redirect(returnPath) : show(visit, returnPath, null);
  });

  server.post(SIGN_IN_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const returnPath = safePath(fields.get('return_to'), AFTER_SIGN_IN);
    const email = fields.get('email') ?? '';
    try {
      const password = fields.get('password') ?? '';
      const { deviceCookie } = visit;
      const session = await users.signIn(email, password, request.clientAddress, deviceCookie);
      await visit.signIn(session);
      await moveChoices(request, reply, options, session.sessionCookie);
      return visit.redirect(returnPath);
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return show(visit, returnPath, error, email);
    }
  });

  server.post(SIGN_OUT_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    // Pages of market data are shared by readers, so their menu has no token: then the browser has to say whose page it is.
    if (!visit.isOwnPage && !visit.form()) return refusedForm(visit);
    await visit.signOut();
    return visit.redirect('/');
  });
}
