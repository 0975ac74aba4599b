import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { OWNER } from '../../../accounts/security-log.ts';
import { KEYS_PATH } from '../layout/paths.ts';
import { safePath } from '../layout/safe-path.ts';
import { type HtmlValue, html } from '../markup/html.ts';
import { cardPage, emailField, form, hidden, passwordField } from './form-parts.ts';
import { writeChange } from './key-change.ts';
import { moveChoices } from './move-choices.ts';
import type { PeopleOptions } from './people-options.ts';
import { AFTER_SIGN_IN } from './sign-in.ts';
import { refusedForm, type Visit } from './visits.ts';

const FIRST_KEY_NAME = 'First key';

export function signUpRoutes(server: FastifyInstance, options: PeopleOptions): void {
  const { visits, users, mailer, sessions, accounts, isSignUpOpen } = options;
  const show = (visit: Visit, returnPath: string, refusal: AccountsError | null, email = ''): FastifyReply =>
    cardPage(visit, {
      title: 'Sign up',
      parameters: ['return_to'],
      lead: html`The Demo plan is free. We send a link to your address to make sure that it is yours.`,
      error: refusal,
      body: form({
        action: '/sign-up',
        csrf: visit.csrf,
        button: 'Sign up',
        fields: html`${hidden('return_to', returnPath)}
${emailField(email, refusal)}
${passwordField('password', 'Password, at least 10 characters', 'new-password', refusal)}`,
      }),
      foot: html`You have an account? <a class="lnk" href="/sign-in">Sign in</a> <a class="lnk" href="/plans">Compare
        plans</a>`,
    });

  server.get('/sign-up', async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!isSignUpOpen) return closed(visit);
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    return show(visit, safePath(query.get('return_to'), AFTER_SIGN_IN), null);
  });

  server.post('/sign-up', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    if (!isSignUpOpen) return closed(visit);
    const returnPath = safePath(fields.get('return_to'), AFTER_SIGN_IN);
    const email = fields.get('email') ?? '';
    try {
      await users.signUp(email, fields.get('password') ?? '', request.clientAddress, returnPath);
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return show(visit, returnPath, error, email);
    }
    return checkMail(visit, mailer.messages !== null);
  });

  const showVerify = (visit: Visit, token: string, refusal: AccountsError | null): FastifyReply =>
    cardPage(visit, {
      title: 'Confirm your address',
      parameters: ['token'],
      lead: 'Enter the password that you chose when signing up.',
      error: refusal,
      body: form({
        action: '/verify-email',
        csrf: visit.csrf,
        button: 'Confirm',
        fields: html`${hidden('token', token)}
${passwordField('password', 'Password', 'current-password', refusal)}`,
      }),
    });

  /** Who came for a key finds it on the page of the keys, where it is shown once. */
  const makeFirstKey = async (visit: Visit, sessionCookie: string): Promise<void> => {
    const account = await sessions.find(sessionCookie);
    if (!account) return;
    const { keys, securityLog } = accounts;
    const { key, text } = await keys.create({ accountId: account.accountId, name: FIRST_KEY_NAME });
    const note = `${key.name} (${key.keyPrefix}…)`;
    await securityLog.note(OWNER, 'key-created', account.accountId, note);
    visit.flash(writeChange({ done: 'created', keyId: key.id, text }));
  };

  server.get('/verify-email', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    return showVerify(visit, query.get('token') ?? '', null);
  });

  server.post('/verify-email', async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const token = fields.get('token') ?? '';
    try {
      const done = await users.finishSignUp(token, fields.get('password') ?? '');
      await visit.signIn(done);
      await moveChoices(request, reply, options, done.sessionCookie);
      if (done.returnPath === KEYS_PATH) await makeFirstKey(visit, done.sessionCookie);
      return visit.redirect(safePath(done.returnPath, AFTER_SIGN_IN));
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return showVerify(visit, token, error);
    }
  });
}

function closed(visit: Visit): FastifyReply {
  return visit.page({
    title: 'Sign-up is closed',
    status: 403,
    body: html`<h1>Sign-up is closed</h1>
      <p class="sub">
        On this installation the operator creates accounts. You have one? <a class="lnk" href="/sign-in">Sign
        in</a>.
      </p>`,
  });
}

/** The same page whether or not the address has an account, so that nobody can test addresses. */
export function checkMail(visit: Visit, isMailUnsent: boolean): FastifyReply {
  const where: HtmlValue = isMailUnsent
    ? html`<div class="ban">
      <p>
        No mail server is configured on this installation. The mail is in the folder "mail" of its data; on a
        loopback address it is also at <a class="lnk" href="/development/mail">/development/mail</a>.
      </p>
    </div>`
    : null;
  return visit.page({
    title: 'Look into your mail',
    body: html`<h1>Look into your mail</h1>
<p class="sub">If the address can be used, we have sent a link to it. It works once, within an hour.</p>
${where}`,
  });
}
