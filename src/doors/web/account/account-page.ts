import type { FastifyInstance } from 'fastify';
import { isReturnable } from '../layout/safe-path.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import type { IconName } from '../markup/icons/ui-icons.ts';
import type { PeopleOptions } from '../sign-in/people-options.ts';
import { SIGN_IN_PATH } from '../sign-in/sign-in.ts';
import type { FormPage } from '../sign-in/visits.ts';

export interface AreaHead {
  title: string;
  lead?: HtmlValue;
  /** The main action of the page, at the right of its title. */
  action?: HtmlValue;
}

/** A page of the account area: links to all of them at the left, then title, lead and content. */
export type AreaPage = (path: string, head: AreaHead, content: HtmlValue) => FormPage;

export interface AccountPageOptions extends PeopleOptions {
  area: AreaPage;
}

/** A page below /account, for signed-in users. */
export interface AccountPage {
  path: string;
  /** Its label in the navigation of the account pages. */
  label: string;
  icon: IconName;
  /** Adds the routes of the page and of its forms. */
  serve(server: FastifyInstance, options: AccountPageOptions): void;
}

/** A card with a title; `aside` stands at its right end. */
export function section(title: HtmlValue, content: HtmlValue, aside: HtmlValue = null): Html {
  return html`<section class="card mt"><header><h2>${title}</h2>${aside}</header>${content}</section>`;
}

/** Where a visitor without a session is redirected; after sign-in they return to `path`, unless it is too long. */
export function signInFirst(path: string): string {
  return isReturnable(path) ? `${SIGN_IN_PATH}?return_to=${encodeURIComponent(path)}` : SIGN_IN_PATH;
}
