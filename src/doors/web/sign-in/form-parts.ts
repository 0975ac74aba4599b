import type { FastifyReply } from 'fastify';
import type { AccountsError, AccountsFault } from '../../../accounts/accounts-error.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
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

/** A form with its fields below each other. */
export function form({ action, csrf, fields, button, isDestructive = false }: FormOptions): Html {
  return html`<form class="form" method="post" action="${action}">
${hidden('csrf', csrf)}
${fields}
<p class="acts"><button class="btn ${isDestructive ? 'danger' : 'pri'}" type="submit">${button}</button></p>
</form>`;
}

/** A form that is only a button: something done to one row. */
export function buttonForm({ action, csrf, fields, button, isDestructive = false }: FormOptions): Html {
  return html`<form method="post" action="${action}">
    ${hidden('csrf', csrf)}
    ${fields}
    <button class="btn${isDestructive ? ' danger' : ''}" type="submit">${button}</button>
  </form>`;
}

export interface FieldOptions {
  label: HtmlValue;
  /** Below the label, in grey. */
  hint?: HtmlValue;
  /** The field takes the whole width of a form with two columns. */
  isWide?: boolean;
}

/** A label above its control. */
export function field({ label, hint, isWide = false }: FieldOptions, control: Html): Html {
  return html`<label class="f${isWide ? ' wide' : ''}">
    <span>${label}</span>
    ${hint === undefined ? null : html`<small>${hint}</small>`}
${control}
  </label>`;
}

/** A box to tick, or one of several to choose, with what it means. */
export function choice(input: Html, title: HtmlValue, hint: HtmlValue = null): Html {
  return html`<label class="ck">${input}<b>${title}</b>${hint === null ? null : html`<small>${hint}</small>`}</label>`;
}

const FAULT_ID = 'fault';

/** The attributes of a field that was refused; the banner above the form says why. */
export const INVALID = html` aria-invalid="true" aria-describedby="${FAULT_ID}"`;

/** Marks a field if the form was refused with one of these faults. */
export function invalidFor(error: AccountsError | null, ...faults: readonly AccountsFault[]): Html | null {
  return error !== null && faults.includes(error.fault) ? INVALID : null;
}

export function emailField(value = '', error: AccountsError | null = null): Html {
  return field(
    { label: 'E-mail address' },
    html`<input type="email" name="email" value="${value}" autocomplete="username" required
        maxlength="254"${invalidFor(error, 'invalid-email', 'email-taken', 'wrong-password')}>`,
  );
}

export function passwordField(
  name: string,
  label: string,
  kind: 'current-password' | 'new-password',
  error: AccountsError | null = null,
): Html {
  const isNew = kind === 'new-password';
  return field(
    { label },
    html`<input type="password" name="${name}" autocomplete="${kind}" required
        maxlength="200"${isNew ? html` minlength="10"` : null}${invalidFor(error, isNew ? 'invalid-password' : 'wrong-password')}>`,
  );
}

/** What a new password ends, and the question whether API keys end too. */
export const REVOKE_KEYS_FIELD = html`<p class="wide">All sessions are signed out, and all assistants are disconnected.</p>
  <div class="wide">
    ${choice(
      html`<input type="checkbox" name="revoke_keys" value="yes">`,
      'Also revoke all API keys',
      'If somebody else may know them',
    )}
  </div>`;

/** Why a form was refused, announced by screen readers. */
export function fault(error: AccountsError | null): Html | null {
  return error === null ? null : faultBanner(`${error.message}.`);
}

export function faultBanner(words: HtmlValue): Html {
  return html`<div class="ban bad" role="alert" id="${FAULT_ID}">${icon('warn')}<p>${words}</p></div>`;
}

/** What a form has done, after the redirect. */
export function doneBanner(words: HtmlValue): Html {
  return html`<div class="ban ok" role="status">${icon('check')}<p>${words}</p></div>`;
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

export interface CardOptions {
  title: string;
  /** Why the form that was sent was refused. */
  error?: AccountsError | null;
  lead?: HtmlValue;
  body: HtmlValue;
  /** Links below the card's form. */
  foot?: HtmlValue;
  /** As in `FormPage`. */
  parameters?: readonly string[];
  leadsToAssistant?: boolean;
}

/** A page with one card: title, reason of a refusal, form, links. */
export function cardPage(
  visit: Visit,
  { title, error = null, lead, body, foot, parameters = [], leadsToAssistant = false }: CardOptions,
): FastifyReply {
  return visit.page({
    title,
    parameters,
    leadsToAssistant,
    ...formStatus(error),
    body: html`<h1>${title}</h1>
${lead === undefined ? null : html`<p class="sub">${lead}</p>`}
${fault(error)}
${body}
${foot === undefined ? null : html`<p class="foot-l">${foot}</p>`}`,
  });
}
