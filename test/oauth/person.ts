import assert from 'node:assert/strict';
import type { PlanName } from '../../src/accounts/plans.ts';
import type { LocalService } from '../../src/wiring/local-service.ts';
import { Browser, type Page, text } from './browser.ts';

export const PASSWORD = 'correct horse battery';

/** The newest link that was mailed to the address. */
export function mailedLink(service: LocalService, to: string): string {
  const mail = service.people.mailer.messages?.findLast((message) => message.to === to);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0];
  if (link === undefined) throw new Error(`no mail with a link to ${to}`);
  return link;
}

export interface Person {
  browser: Browser;
  email: string;
  accountId: string;
}

/** A user who signed up through the pages and is signed in. */
export async function signedUp(
  service: LocalService,
  email: string,
  plan: PlanName = 'pro',
): Promise<Person> {
  const browser = new Browser();
  const form = await browser.open(`${service.baseUrl}/sign-up`);
  const sent = await browser.submit(form, { email, password: PASSWORD });
  assert.equal(sent.status, 200, text(sent));
  const verify = await browser.open(mailedLink(service, email));
  const done = await browser.submit(verify, { password: PASSWORD });
  assert.equal(done.url.pathname, '/account', text(done));
  const account = await service.accounts.accounts.find(email);
  assert.ok(account);
  await service.accounts.accounts.setPlan(account.id, plan);
  return { browser, email, accountId: account.id };
}

export interface Decision {
  /** Scopes to leave ticked; by default all requested ones. */
  scopes?: readonly string[];
  decision?: 'allow' | 'refuse';
}

/** Opens an authorization URL, signs in if needed, and decides. Returns the redirect URL with the answer. */
export async function decide(
  { browser, email }: Pick<Person, 'browser' | 'email'>,
  url: string | URL,
  { scopes, decision = 'allow' }: Decision = {},
): Promise<URL> {
  let page: Page = await browser.open(url);
  if (page.url.pathname === '/sign-in') page = await browser.submit(page, { email, password: PASSWORD });
  if (page.leftTo) return page.leftTo;
  assert.match(text(page), /^Connect /, text(page));
  const requested = [...page.html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope ?? '');
  const ticked = scopes ? requested.filter((scope) => scopes.includes(scope)) : requested;
  const after = await browser.submit(page, { scope: ticked, decision });
  assert.ok(after.leftTo, text(after));
  return after.leftTo;
}
