import type { FastifyInstance } from 'fastify';
import type { Html } from '../markup/html.ts';
import type { PeopleOptions } from '../people-options.ts';
import { SIGN_IN_PATH } from '../sign-in/sign-in.ts';

export interface AccountPageOptions extends PeopleOptions {
  /** Links to all account pages; the link to `path` is marked as the current one. */
  navigation(path: string): Html;
}

/** A page below /account, for signed-in users. */
export interface AccountPage {
  path: string;
  /** Its label in the navigation of the account pages. */
  label: string;
  /** Adds the routes of the page and of its forms. */
  serve(server: FastifyInstance, options: AccountPageOptions): void;
}

/** Where a visitor without a session is redirected; after sign-in they return to `path`. */
export function signInFirst(path: string): string {
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(path)}`;
}
