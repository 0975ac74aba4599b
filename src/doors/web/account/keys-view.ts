import type { AccountsError } from '../../../accounts/accounts-error.ts';
import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import type { KeyState } from '../../../accounts/keys/key-state.ts';
import { DEFAULT_LIFETIME_MS } from '../../../accounts/keys/key-store.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import { DAY_MS, isoTime } from '../../../base/times.ts';
import { KEYS_PATH } from '../layout/paths.ts';
import { codeBlock, copyButton } from '../markup/code-block.ts';
import { time } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { choice, doneBanner, field, form, invalidFor } from '../sign-in/form-parts.ts';
import type { KeyChange } from '../sign-in/key-change.ts';
import { SCOPE_TITLES } from '../sign-in/scope-words.ts';
import { section } from './account-page.ts';
import { keyActions } from './keys-actions.ts';
import { lastDayOf, type TypedKey } from './keys-form.ts';
import { ago, dayText, type KeyQuota, quotaBar } from './quota.ts';

const PAST_WORDS: Partial<Record<KeyState, string>> = {
  'rotated-out': 'rotated out',
  expired: 'expired',
  revoked: 'revoked',
};
/** From so many days before its end a key is marked. */
const ENDS_SOON_DAYS = 30;

/** What the last form did. Null if its key is gone. */
export function changeNotice(change: KeyChange, keys: readonly KeyRecord[], baseUrl: string): Html | null {
  const key = keys.find(({ id }) => id === change.keyId);
  if (!key) return null;
  const note = (words: string) => doneBanner(html`The key <b>${key.name}</b> (${key.keyPrefix}…) ${words}`);
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
  const call = `curl -H "Authorization: Bearer ${text}" \\\n  "${baseUrl}/api/v1/funding?coin=BTC"`;
  return html`<div class="once" role="status">
    <h2>${icon('check')}Key “${key.name}” is ready. Copy it now.</h2>
    <p>
      We keep only a fingerprint of it, so it is shown this once.${
        replaced?.replacedUntilMs
          ? html` The old key ${replaced.keyPrefix}… goes on working for 24 hours,
            until ${time(isoTime(replaced.replacedUntilMs))}.`
          : null
      }
    </p>
    <div class="kv" data-copies><code id="new-key" tabindex="0">${text}</code>${copyButton('btn pri')}</div>
    ${codeBlock('Try it', call, 'sh')}
  </div>`;
}

export function createForm(
  csrf: string,
  nowMs: number,
  typed: TypedKey | null,
  error: AccountsError | null,
): Html {
  const ticked: readonly string[] = typed?.scopes ?? SCOPES;
  const day = typed?.expiryDay ?? lastDayOf(nowMs + DEFAULT_LIFETIME_MS);
  return html`<div id="new">
    ${section(
      'Create a key',
      form({
        action: `${KEYS_PATH}/create`,
        csrf,
        button: 'Create the key',
        fields: html`${field(
          { label: 'Name', hint: 'To tell it apart from others' },
          html`<input type="text" name="name" value="${typed?.name ?? ''}" placeholder="e.g. trading-bot"
              required maxlength="100" autocomplete="off"${invalidFor(error, 'invalid-name')}>`,
        )}
${field(
  { label: 'Expires', hint: 'It works through this day, UTC' },
  html`<input type="date" name="expires" value="${day}"${invalidFor(error, 'invalid-expiry')}>`,
)}
          <fieldset class="cks">
            <legend>May read</legend>
${SCOPES.map((scope) =>
  choice(
    html`<input type="checkbox" name="scope"
        value="${scope}"${ticked.includes(scope) ? html` checked` : null}${invalidFor(error, 'invalid-scope')}>`,
    SCOPE_TITLES[scope],
    html`<code>${scope}</code>`,
  ),
)}
          </fieldset>`,
      }),
    )}
  </div>`;
}

/** Keys as rows; on phones each is a card. The roles keep the table for screen readers when it is one no longer. */
export function keysTable(quotas: readonly KeyQuota[], csrf: string, nowMs: number): Html {
  return html`<div class="tw">
    <table class="t keys" role="table">
      <thead>
        <tr role="row">
          <th role="columnheader" scope="col">Name and key</th>
          <th role="columnheader" scope="col">May read</th>
          <th role="columnheader" scope="col">Expires</th>
          <th role="columnheader" scope="col">Last used</th>
          <th role="columnheader" class="num" scope="col">Calls this month</th>
          <th role="columnheader" class="num" scope="col"><span class="vh">Actions</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">${quotas.map((quota) => keyRow(quota, csrf, nowMs))}</tbody>
    </table>
  </div>`;
}

function keyRow({ key, states: { month } }: KeyQuota, csrf: string, nowMs: number): Html {
  const { id, name, keyPrefix, lastUsedAtMs } = key;
  return html`<tr class="krow" role="row" id="${id}">
    <td role="cell"><b>${name}</b><code>${keyPrefix}…</code></td>
    <td role="cell" data-l="May read">${scopeTags(key)}</td>
    <td role="cell" data-l="Expires">${expiry(key, nowMs)}</td>
    <td role="cell" data-l="Last used">${lastUsedAtMs === null ? 'never' : ago(lastUsedAtMs, nowMs)}</td>
    <td role="cell" class="num" data-l="Calls this month">
      ${month.used.toLocaleString('en-US')} <small>of ${month.limit.toLocaleString('en-US')}</small>
      ${quotaBar(month)}
    </td>
    <td role="cell" class="num">${keyActions(key, csrf)}</td>
  </tr>\n`;
}

function scopeTags({ scopes }: KeyRecord): Html {
  const tag = (words: string) => html`<span class="tag">${words}</span>`;
  return html`<span class="scopes">
    ${scopes.length === SCOPES.length ? tag('All read scopes') : scopes.map((scope) => tag(scope.replace(/:read$/, '')))}
  </span>`;
}

function expiry({ state, expiresAtMs, replacedUntilMs }: KeyRecord, nowMs: number): Html {
  const past = PAST_WORDS[state];
  if (past !== undefined) return html`<span class="tag">${past}</span>`;
  if (state === 'replaced' && replacedUntilMs !== null)
    return html`<span class="tag warn">${icon('clock')}rotated out</span>
      <br>
      <small>works until ${time(isoTime(Math.min(replacedUntilMs, expiresAtMs)))}</small>`;
  const day = dayText(expiresAtMs - 1, true);
  const days = Math.ceil((expiresAtMs - nowMs) / DAY_MS);
  if (days > ENDS_SOON_DAYS) return html`${day}`;
  return html`<span class="tag warn">${icon('clock')}in ${days} ${days === 1 ? 'day' : 'days'}</span>
    <br>
    <small>${day}</small>`;
}

/** Keys that no longer work, without actions except a new expiry for those that expired. */
export function pastKeys(quotas: readonly KeyQuota[], csrf: string, nowMs: number): Html | null {
  if (quotas.length === 0) return null;
  return html`<details class="card mt past">
    <summary>Keys that no longer work (${quotas.length})</summary>
    ${keysTable(quotas, csrf, nowMs)}
  </details>`;
}
