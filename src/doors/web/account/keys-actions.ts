import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import { KEYS_PATH } from '../layout/paths.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { buttonForm, field, form, hidden } from '../sign-in/form-parts.ts';
import { lastDayOf } from './keys-form.ts';

/** What can be done with a key. Dialogs are popovers, which open without scripts. */
export function keyActions(key: KeyRecord, csrf: string): Html | null {
  const { id, name, state } = key;
  const named = hidden('key', id);
  if (state === 'replaced')
    return html`<span class="ra">
        <button class="btn danger" type="button" popovertarget="revoke-${id}">Revoke now</button>
      </span>
      ${dialog(`revoke-${id}`, `Revoke ${name}?`, revokeForm(key, csrf))}`;
  if (state === 'expired')
    return html`<span class="ra"><button class="btn" type="button" popovertarget="more-${id}">New expiry</button></span>
      ${dialog(`more-${id}`, name, expiryForm(key, csrf))}`;
  if (state !== 'active') return null;
  return html`<span class="ra">
      ${buttonForm({ action: `${KEYS_PATH}/rotate`, csrf, button: 'Rotate', fields: named })}
      <button class="ib" type="button" popovertarget="more-${id}" aria-label="More for ${name}">
        ${icon('dots')}
      </button>
    </span>
    ${dialog(
      `more-${id}`,
      name,
      html`${expiryForm(key, csrf)}
        <details class="confirm">
          <summary class="btn danger">Revoke…</summary>
          ${revokeForm(key, csrf)}
        </details>`,
    )}`;
}

function expiryForm({ id, expiresAtMs }: KeyRecord, csrf: string): Html {
  return form({
    action: `${KEYS_PATH}/expiry`,
    csrf,
    button: 'Change the expiry',
    fields: html`${hidden('key', id)}${field(
      { label: 'Expires', hint: 'It works through this day, UTC', isWide: true },
      html`<input type="date" name="expires" value="${lastDayOf(expiresAtMs)}" required>`,
    )}`,
  });
}

function revokeForm({ id, name, keyPrefix }: KeyRecord, csrf: string): Html {
  return form({
    action: `${KEYS_PATH}/revoke`,
    csrf,
    button: 'Yes, revoke it',
    isDestructive: true,
    fields: html`${hidden('key', id)}
      <p class="wide">Revoke ${name} (${keyPrefix}…)? It stops working at once, for good.</p>`,
  });
}

function dialog(id: string, title: string, content: HtmlValue): Html {
  return html`<div class="dialog" id="${id}" popover>
    <header>
      <h3>${title}</h3>
      <button class="ib" type="button" popovertarget="${id}" popovertargetaction="hide" aria-label="Close">
        ${icon('x')}
      </button>
    </header>
    ${content}
  </div>`;
}
