import type { FastifyInstance } from 'fastify';
import type { Plan } from '../../../accounts/plans.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import { type Html, html } from '../html.ts';
import { form } from '../sign-in/form-parts.ts';
import type { PeopleOptions } from '../sign-in/people.ts';
import { SIGN_IN_PATH } from '../sign-in/sign-in.ts';

export const ACCOUNT_PATH = '/account';

const AREA: readonly (readonly [path: string, label: string])[] = [
  [ACCOUNT_PATH, 'Account'],
  ['/account/keys', 'Keys'],
  ['/account/usage', 'Usage'],
  ['/account/assistants', 'Assistants'],
  ['/account/password', 'Password'],
  ['/account/sessions', 'Sessions'],
];

/** The pages of the account area, the present one marked. */
export function accountNavigation(path: string): Html {
  return html`<nav class="views" aria-label="Account">${AREA.map(
    ([to, label]) => html`<a href="${to}"${to === path ? html` aria-current="page"` : null}>${label}</a>\n`,
  )}</nav>`;
}

export function signInFirst(path: string): string {
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(path)}`;
}

/** Who is signed in, on which plan, and the way to everything else of the account. */
export function accountRoutes(server: FastifyInstance, { visits, accounts }: PeopleOptions): void {
  server.get(ACCOUNT_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const { account } = visit;
    const plan = account && accounts.callerForGrant(account.accountId, SCOPES)?.plan;
    if (!account || !plan) return visit.redirect(signInFirst(ACCOUNT_PATH));
    const keys = await accounts.keys.list(account.accountId);
    const activeKeys = keys.filter(({ state }) => state === 'active').length;
    return visit.page({
      title: 'Account',
      body: html`<h1>Account</h1>
${accountNavigation(ACCOUNT_PATH)}
<p class="lead">Signed in as <strong>${account.email ?? account.name}</strong>. The pages show you the data of your plan.</p>
<div class="cards">
${planCard(plan)}
<section class="card"><h2>Keys</h2>
<p class="figure">${activeKeys} of ${plan.keyCount}</p>
<p>${activeKeys === 0 ? 'You need a key to call the API.' : 'Keys in use.'}</p>
<p><a class="button" href="/account/keys">${activeKeys === 0 ? 'Create a key' : 'Manage keys'}</a></p></section>
</div>
${form({ action: '/sign-out', csrf: visit.csrf, button: 'Sign out', fields: null })}`,
    });
  });
}

function planCard(plan: Plan): Html {
  const history = plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`;
  const data = plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`;
  return html`<section class="card"><h2>Plan</h2>
<p class="figure">${plan.title}</p>
<ul>
<li>${plan.requestsPerMonth.toLocaleString('en-US')} requests a month and ${plan.requestsPerMinute} a minute for each key</li>
<li>Data: ${data}</li>
<li>History: ${history}</li>
<li>Commercial use: ${plan.commercialUse ? 'yes' : 'no'}</li>
</ul>
<p><a href="/plans">Compare the plans</a></p></section>`;
}
