import type { FastifyReply } from 'fastify';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { Visit } from './visits.ts';

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

/** Why a form was refused, announced by screen readers. */
export function fault(message: string | null): Html | null {
  return message === null ? null : html`<p class="fault" role="alert">${message}.</p>`;
}

/** A page with a form. `error`: why the form that was sent was refused. */
export function formPage(visit: Visit, title: string, error: string | null, body: Html): FastifyReply {
  return visit.page({
    title,
    status: error === null ? 200 : 400,
    body: html`<h1>${title}</h1>
${fault(error)}
${body}`,
  });
}
