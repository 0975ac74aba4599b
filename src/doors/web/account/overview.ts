import type { FastifyInstance } from 'fastify';
import type { Plan } from '../../../accounts/plans.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import { type Html, html } from '../markup/html.ts';
import { form } from '../sign-in/form-parts.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account';

/** The account's e-mail address, plan and number of keys. */
export const OVERVIEW_PAGE: AccountPage = { path: PATH, label: 'Account', serve };

function serve(server: FastifyInstance, { visits, accounts, navigation }: AccountPageOptions): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const { account } = visit;
    const caller = account && accounts.callerForGrant(account.accountId, SCOPES);
    if (!account || !caller) return visit.redirect(signInFirst(PATH));
    const { plan } = caller;
    const keys = await accounts.keys.list(account.accountId);
    const activeKeys = keys.filter(({ state }) => state === 'active').length;
    return visit.page({
      title: 'Account',
      body: html`<h1>Account</h1>
${navigation(PATH)}
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
