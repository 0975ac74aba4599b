import type { FastifyReply } from 'fastify';
import type { AccountsError, AccountsFault } from '../../../accounts/accounts-error.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import type { FormPage, Visit } from './visits.ts';

export const NEW_PASSWORD_LABEL = 'New password, at least 10 characters';

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export interface FormOptions {
  action: string;
  csrf: string;
  fields: HtmlValue;
  button: string;
  /** The action cannot be undone; the button is styled as a warning. */
  isDestructive?: boolean;
}

export function form({ action, csrf, fields, button, isDestructive = false }: FormOptions): Html {
  return html`<form class="person" method="post" action="${action}">
${hidden('csrf', csrf)}
${fields}
<button type="submit"${isDestructive ? html` class="ends"` : null}>${button}</button>
</form>`;
}

export function emailField(value = ''): Html {
  return html`<label>E-mail address
<input type="email" name="email" value="${value}" autocomplete="username" required maxlength="254"></label>`;
}

export function passwordField(name: string, label: string, kind: 'current-password' | 'new-password'): Html {
  const least = kind === 'new-password' ? html` minlength="10"` : null;
  return html`<label>${label}
<input type="password" name="${name}" autocomplete="${kind}" required maxlength="200"${least}></label>`;
}

/** What a new password ends, and the question whether API keys end too. */
export const REVOKE_KEYS_FIELD = html`<p>All sessions are signed out, and all assistants are disconnected.</p>
<label class="tick"><input type="checkbox" name="revoke_keys" value="yes">
Also revoke all API keys <small>(if somebody else may know them)</small></label>`;

/** Why a form was refused, announced by screen readers. */
export function fault(error: AccountsError | null): Html | null {
  return error === null ? null : html`<p class="fault" role="alert">${error.message}.</p>`;
}

const STATUSES: Partial<Record<AccountsFault, number>> = {
  busy: 503,
  'too-many-attempts': 429,
  suspended: 403,
};

/** The status of a page that shows a form, after one that was refused with `error`. */
export function formStatus(error: AccountsError | null): Pick<FormPage, 'status' | 'retryAfterSeconds'> {
  if (error === null) return { status: 200 };
  const { fault: cause, retryAfterSeconds } = error;
  return { status: STATUSES[cause] ?? 400, retryAfterSeconds };
}

/** A page with a form. `error`: why the form that was sent was refused. */
export function formPage(visit: Visit, title: string, error: AccountsError | null, body: Html): FastifyReply {
  return visit.page({
    title,
    ...formStatus(error),
    body: html`<h1>${title}</h1>
${fault(error)}
${body}`,
  });
}
