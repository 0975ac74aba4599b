import { type Html, type HtmlValue, html } from '../html.ts';

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export interface FormOptions {
  action: string;
  csrf: string;
  fields: HtmlValue;
  button: string;
  /** The button ends something for good, and looks like it. */
  isEnding?: boolean;
}

export function form({ action, csrf, fields, button, isEnding = false }: FormOptions): Html {
  return html`<form class="person" method="post" action="${action}">
${hidden('csrf', csrf)}
${fields}
<button type="submit"${isEnding ? html` class="ends"` : null}>${button}</button>
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

/** Why a form was not accepted, where a screen reader finds it. */
export function fault(message: string | null): Html | null {
  return message === null ? null : html`<p class="fault" role="alert">${message}.</p>`;
}
