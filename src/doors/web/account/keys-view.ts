import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import type { KeyState } from '../../../accounts/keys/key-state.ts';
import { DEFAULT_LIFETIME_MS } from '../../../accounts/keys/key-store.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import { isoTime } from '../../../base/times.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { form, hidden } from '../sign-in/form-parts.ts';
import { SCOPE_WORDS } from '../sign-in/scope-words.ts';
import type { KeyChange } from './keys-change.ts';
import { lastDayOf, type TypedKey } from './keys-form.ts';

export const KEYS_PATH = '/account/keys';

const STATE_WORDS: Readonly<Record<KeyState, string>> = {
  active: 'active',
  replaced: 'replaced, still works',
  'rotated-out': 'rotated out',
  expired: 'expired',
  revoked: 'revoked',
};

/** What the last form did. Null if its key is gone. */
export function changeNotice(change: KeyChange, keys: readonly KeyRecord[], baseUrl: string): Html | null {
  const key = keys.find(({ id }) => id === change.keyId);
  if (!key) return null;
  const note = (words: string) => html`<p class="note" role="status">The key ${key.keyPrefix}… ${words}</p>`;
  switch (change.done) {
    case 'revoked':
      return note('is revoked and works no longer.');
    case 'expiry-changed':
      return note(`now works through ${change.day} (UTC).`);
    case 'created':
      return shownOnce(key, change.text, null, baseUrl);
    case 'rotated':
      return shownOnce(key, change.text, keys.find(({ id }) => id === change.replacedId) ?? null, baseUrl);
  }
}

/** The only place where a whole key is shown. */
function shownOnce(key: KeyRecord, text: string, replaced: KeyRecord | null, baseUrl: string): Html {
  const call = `curl -H "Authorization: Bearer ${text}" "${baseUrl}/api/v1/funding?coin=BTC"`;
  return html`<section class="note" role="status">
<h2>Your new key ${key.name}</h2>
<p>Copy it now. We keep only a fingerprint of it, so it is shown this once.</p>
<div class="code" data-copy><pre tabindex="0"><code id="new-key">${text}</code></pre></div>
${
  replaced?.replacedUntilMs
    ? html`<p>The old key ${replaced.keyPrefix}… goes on working for 24 hours, until ${time(isoTime(replaced.replacedUntilMs))}. Change to the new one before then.</p>`
    : null
}
<p>Try it:</p>
<div class="code" data-copy><pre tabindex="0"><code>${call}</code></pre></div>
</section>`;
}

export function createForm(csrf: string, nowMs: number, typed: TypedKey | null): Html {
  const ticked: readonly string[] = typed?.scopes ?? SCOPES;
  const day = typed?.expiryDay ?? lastDayOf(nowMs + DEFAULT_LIFETIME_MS);
  return html`<section><h2>Create a key</h2>
${form({
  action: `${KEYS_PATH}/create`,
  csrf,
  button: 'Create the key',
  fields: html`<label>Name, to tell it apart from others
<input name="name" value="${typed?.name ?? ''}" required maxlength="100" autocomplete="off"></label>
<fieldset><legend>It may</legend>
${SCOPES.map(
  (
    scope,
  ) => html`<label class="tick"><input type="checkbox" name="scope" value="${scope}"${ticked.includes(scope) ? html` checked` : null}>
${SCOPE_WORDS[scope]} <small>(${scope})</small></label>`,
)}
</fieldset>
<label>Works through this day (UTC)
<input type="date" name="expires" value="${day}"></label>`,
})}</section>`;
}

export function keySection(key: KeyRecord, csrf: string): Html {
  const { id, name, keyPrefix, scopes, state, createdAtMs, expiresAtMs, lastUsedAtMs, replacedUntilMs } = key;
  const named = hidden('key', id);
  const isUsable = state === 'active' || state === 'replaced';
  return html`<section class="card key" id="${id}">
<h3>${name}</h3>
<p><code>${keyPrefix}…</code> <span class="badge">${STATE_WORDS[state]}</span></p>
<dl>
<dt>Scopes</dt><dd>${scopes.join(', ')}</dd>
<dt>Created</dt><dd>${time(isoTime(createdAtMs))}</dd>
<dt>${state === 'replaced' ? 'Works until' : 'Expires'}</dt><dd>${time(isoTime(state === 'replaced' && replacedUntilMs !== null ? Math.min(replacedUntilMs, expiresAtMs) : expiresAtMs))}</dd>
<dt>Last used</dt><dd>${lastUsedAtMs === null ? 'never' : time(isoTime(lastUsedAtMs))}</dd>
</dl>
<div class="choices">
${
  state === 'active' || state === 'expired'
    ? form({
        action: `${KEYS_PATH}/expiry`,
        csrf,
        button: 'Change the expiry',
        fields: html`${named}<label>Works through this day (UTC)
<input type="date" name="expires" value="${lastDayOf(expiresAtMs)}" required></label>`,
      })
    : null
}
${
  state === 'active'
    ? form({
        action: `${KEYS_PATH}/rotate`,
        csrf,
        button: 'Rotate',
        fields: html`${named}<p>Gives you a new key. The old one works for another 24 hours.</p>`,
      })
    : null
}
${
  isUsable
    ? html`<details class="confirm"><summary>Revoke</summary>
${form({
  action: `${KEYS_PATH}/revoke`,
  csrf,
  button: 'Yes, revoke it',
  isDestructive: true,
  fields: html`${named}<p>Revoke ${name}? It stops working at once, for good.</p>`,
})}</details>`
    : null
}
</div>
</section>`;
}
