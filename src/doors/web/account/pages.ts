import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../markup/html.ts';
import type { PeopleOptions } from '../people-options.ts';
import type { AccountPage } from './account-page.ts';
import { ALERTS_PAGE } from './alerts/page.ts';
import { ASSISTANTS_PAGE } from './assistants.ts';
import { FEES_PAGE } from './fees.ts';
import { KEYS_PAGE } from './keys.ts';
import { OVERVIEW_PAGE } from './overview.ts';
import { PASSWORD_PAGE } from './password.ts';
import { SECURITY_LOG_PAGE } from './security-log.ts';
import { SESSIONS_PAGE } from './sessions.ts';
import { USAGE_PAGE } from './usage.ts';

/** Every account page, in the order of their navigation. */
export const ACCOUNT_PAGES: readonly AccountPage[] = [
  OVERVIEW_PAGE,
  KEYS_PAGE,
  USAGE_PAGE,
  ALERTS_PAGE,
  ASSISTANTS_PAGE,
  FEES_PAGE,
  PASSWORD_PAGE,
  SESSIONS_PAGE,
  SECURITY_LOG_PAGE,
];

export function serveAccountPages(server: FastifyInstance, options: PeopleOptions): void {
  for (const page of ACCOUNT_PAGES) page.serve(server, { ...options, navigation });
}

function navigation(path: string): Html {
  return html`<nav class="views" aria-label="Account">${ACCOUNT_PAGES.map(
    (page) =>
      html`<a href="${page.path}"${page.path === path ? html` aria-current="page"` : null}>${page.label}</a>\n`,
  )}</nav>`;
}
