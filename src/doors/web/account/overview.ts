import type { FastifyInstance } from 'fastify';
import { SCOPES } from '../../../accounts/scopes.ts';
import { SIGN_OUT_PATH } from '../layout/paths.ts';
import { html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { buttonForm } from '../sign-in/form-parts.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';
import { quotaStrip, quotasOf } from './quota.ts';

const PATH = '/account';

/** The account's e-mail address, plan and quotas, and what to do next. */
export const OVERVIEW_PAGE: AccountPage = { path: PATH, label: 'Overview', icon: 'home', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, alerts, authorization, area }: AccountPageOptions,
): void {
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const { account } = visit;
    const caller = account && accounts.callerForGrant(account.accountId, SCOPES);
    if (!account || !caller) return visit.redirect(signInFirst(PATH));
    const { plan } = caller;
    const { accountId } = account;
    const [keys, rules, assistants] = await Promise.all([
      accounts.keys.list(accountId),
      alerts.rules(accountId),
      authorization.connections.of(accountId),
    ]);
    const active = keys.filter(({ state }) => state === 'active');
    const quotas = await quotasOf(accounts, plan, active);
    const tasks = [
      [
        'key',
        '/account/keys',
        active.length === 0 ? 'Create a key' : 'API keys',
        `${active.length} of ${plan.keyCount} in use`,
      ],
      ['bell', '/account/alerts', 'Alerts', `${rules.length} of ${plan.alertCount}`],
      ['plug', '/account/assistants', 'AI assistants', `${assistants.length} connected`],
      ['fees', '/account/fees', 'Your trading fees', 'net figures at what you really pay'],
    ] as const;
    return visit.page(
      area(
        PATH,
        {
          title: 'Account',
          lead: html`Signed in as <b>${account.email ?? account.name}</b>. The pages show you the data of your plan.`,
          action: buttonForm({ action: SIGN_OUT_PATH, csrf: visit.csrf, button: 'Sign out', fields: null }),
        },
        html`${quotaStrip(plan, quotas, html`<a class="lnk" href="/plans">Compare plans</a>`)}
${section(
  'Your account',
  html`<ul class="found">
    ${tasks.map(
      ([name, path, title, note]) =>
        html`<li><a href="${path}">${icon(name)}<b>${title}</b><small>${note}</small>${icon('right')}</a></li>`,
    )}
  </ul>`,
)}
${section(
  `What ${plan.title} includes`,
  html`<dl class="facts">
    <dt>Calls for each key</dt>
    <dd>${plan.requestsPerMonth.toLocaleString('en-US')} a month, ${plan.requestsPerMinute} a minute</dd>
    <dt>Data</dt>
    <dd>${plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`}</dd>
    <dt>History</dt>
    <dd>${plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`}</dd>
    <dt>Commercial use</dt>
    <dd>${plan.commercialUse ? 'yes' : 'no'}</dd>
  </dl>`,
)}`,
      ),
    );
  });
}
