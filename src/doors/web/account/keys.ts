import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import type { SignedIn } from '../../../accounts/people/sessions.ts';
import { PLANS } from '../../../accounts/plans.ts';
import { OWNER } from '../../../accounts/security-log.ts';
import { KEYS_PATH } from '../layout/paths.ts';
import { html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { fault, formStatus } from '../sign-in/form-parts.ts';
import { type KeyChange, readChange, writeChange } from '../sign-in/key-change.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';
import { endOfDayMs, type TypedKey, typedKey } from './keys-form.ts';
import { changeNotice, createForm, keysTable, pastKeys } from './keys-view.ts';
import { quotaStrip, quotasOf } from './quota.ts';

/** What the page shows besides the keys. */
interface Outcome {
  /** Why the form was refused. */
  error?: AccountsError;
  /** The fields of a refused form, to fill it in again. */
  typed?: TypedKey;
  /** What the last form changed. */
  change?: KeyChange | null;
}

type Change = (fields: URLSearchParams, account: SignedIn) => Promise<KeyChange>;

/**
 * The user's API keys: create, rotate, revoke, change the expiry. A whole key is in one response and never stored:
 * the form redirects, so that a reload does not send it again, and an encrypted cookie carries the key until then.
 */
export const KEYS_PAGE: AccountPage = { path: KEYS_PATH, label: 'API keys', icon: 'key', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, clock, baseUrl, area }: AccountPageOptions,
): void {
  const { keys, securityLog } = accounts;

  const show = async (visit: Visit, account: SignedIn, outcome: Outcome = {}): Promise<FastifyReply> => {
    const { error = null, typed = null } = outcome;
    const { plan } = accounts.callerForGrant(account.accountId, []) ?? { plan: PLANS.demo };
    const all = (await keys.list(account.accountId)).toReversed();
    const quotas = await quotasOf(accounts, plan, all);
    const inUse = quotas.filter(({ key }) => isInUse(key));
    const past = quotas.filter(({ key }) => !isInUse(key));
    const nowMs = clock.nowMs();
    // A replaced key has no slot of its own.
    const slots = inUse.filter(({ key }) => key.state === 'active');
    return visit.page({
      ...formStatus(error),
      scripts: ['copy'],
      ...area(
        KEYS_PATH,
        {
          title: 'API keys',
          lead: 'A key lets a program read the API as you. Whoever holds it spends your calls, so keep it out of code you share.',
          action: html`<a class="btn pri" href="#new">${icon('plus')}Create key</a>`,
        },
        html`${fault(error)}
${outcome.change ? changeNotice(outcome.change, all, baseUrl) : null}
${quotaStrip(plan, slots, html`<a class="lnk" href="/plans">Compare plans</a>`)}
${section(
  `${slots.length} of ${plan.keyCount} keys`,
  inUse.length === 0
    ? html`<div class="empty"><p>You have no key that works. Create one below.</p></div>`
    : html`${keysTable(inUse, visit.csrf, nowMs)}
      <p class="cfoot mut">
        Rotate gives you a new key; the old one works 24 h more. Each key has the quota of the plan.
      </p>`,
  html`<span class="mut">“Last used” can be a minute behind</span>`,
)}
${createForm(visit.csrf, nowMs, typed, typed ? error : null)}
${pastKeys(past, visit.csrf, nowMs)}`,
      ),
    });
  };

  /** The key that a form names. Another user's key gives the same error as one that does not exist. */
  const ownKey = async (fields: URLSearchParams, { accountId }: SignedIn): Promise<KeyRecord> => {
    const id = fields.get('key') ?? '';
    const key = (await keys.list(accountId)).find((one) => one.id === id);
    if (!key) throw new AccountsError('unknown-key', 'You have no such key; nothing was changed');
    return key;
  };

  const change = (apply: Change) => async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    try {
      visit.flash(writeChange(await apply(fields, visit.account)));
      return visit.redirect(KEYS_PATH);
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      const typed = fields.has('name') ? { typed: typedKey(fields) } : {};
      return await show(visit, visit.account, { error, ...typed });
    }
  };

  server.get(KEYS_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(KEYS_PATH));
    return await show(visit, visit.account, { change: readChange(await visit.takeFlash()) });
  });

  server.post(
    `${KEYS_PATH}/create`,
    change(async (fields, { accountId }) => {
      const { name, scopes, expiryDay } = typedKey(fields);
      const expiry = expiryDay === '' ? {} : { expiresAtMs: endOfDayMs(expiryDay) };
      const created = await keys.create({ accountId, name, scopes, ...expiry });
      await securityLog.note(OWNER, 'key-created', accountId, keyText(created.key));
      return { done: 'created', keyId: created.key.id, text: created.text };
    }),
  );
  server.post(
    `${KEYS_PATH}/rotate`,
    change(async (fields, account) => {
      const { id } = await ownKey(fields, account);
      const created = await keys.rotate(id);
      await securityLog.note(OWNER, 'key-rotated', account.accountId, keyText(created.key));
      return { done: 'rotated', keyId: created.key.id, text: created.text, replacedId: id };
    }),
  );
  server.post(
    `${KEYS_PATH}/revoke`,
    change(async (fields, account) => {
      const key = await ownKey(fields, account);
      await keys.revoke(key.id);
      await securityLog.note(OWNER, 'key-revoked', account.accountId, keyText(key));
      return { done: 'revoked', keyId: key.id };
    }),
  );
  server.post(
    `${KEYS_PATH}/expiry`,
    change(async (fields, account) => {
      const { id } = await ownKey(fields, account);
      const day = (fields.get('expires') ?? '').trim();
      const changed = await keys.setExpiry(id, endOfDayMs(day));
      await securityLog.note(
        OWNER,
        'key-expiry-changed',
        account.accountId,
        `${keyText(changed)}, now ${day}`,
      );
      return { done: 'expiry-changed', keyId: id, day };
    }),
  );
}

function keyText({ name, keyPrefix }: KeyRecord): string {
  return `${name} (${keyPrefix}…)`;
}

function isInUse({ state }: KeyRecord): boolean {
  return state === 'active' || state === 'replaced';
}
