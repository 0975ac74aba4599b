import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import type { PeopleOptions } from '../sign-in/people-options.ts';
import type { AccountPage, AreaPage } from './account-page.ts';
import { ALERTS_PAGE } from './alerts/page.ts';
import { ASSISTANTS_PAGE } from './assistants.ts';
import { FEES_PAGE } from './fees.ts';
import { KEYS_PAGE } from './keys.ts';
import { OVERVIEW_PAGE } from './overview.ts';
import { PASSWORD_PAGE } from './password.ts';
import { SECURITY_LOG_PAGE } from './security-log.ts';
import { SESSIONS_PAGE } from './sessions.ts';
import { USAGE_PAGE } from './usage.ts';

const GROUPS: readonly (readonly [title: string, pages: readonly AccountPage[]])[] = [
  ['Account', [OVERVIEW_PAGE, KEYS_PAGE, USAGE_PAGE, ALERTS_PAGE, ASSISTANTS_PAGE]],
  ['Settings', [FEES_PAGE, PASSWORD_PAGE, SESSIONS_PAGE, SECURITY_LOG_PAGE]],
];

/** Every account page, in the order of their navigation. */
export const ACCOUNT_PAGES: readonly AccountPage[] = GROUPS.flatMap(([, pages]) => pages);

export function serveAccountPages(server: FastifyInstance, options: PeopleOptions): void {
  for (const page of ACCOUNT_PAGES) page.serve(server, { ...options, area });
}

const area: AreaPage = (path, { title, lead, action }, content) => ({
  title,
  layout: 'side',
  body: html`<div class="side">${navigation(path)}
<div><div class="phd"><div><h1>${title}</h1>${lead === undefined ? null : html`<p>${lead}</p>`}</div>${action}</div>
${content}</div></div>`,
});

function navigation(path: string): Html {
  const link = (page: AccountPage) =>
    html`<a href="${page.path}"${page.path === path ? html` aria-current="page"` : null}>
      ${icon(page.icon)}
      ${page.label}
    </a>\n`;
  return html`<nav class="snav" aria-label="Account">${GROUPS.map(
    ([title, pages]) => html`<h2>${title}</h2>${pages.map(link)}`,
  )}</nav>`;
}
