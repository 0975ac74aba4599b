import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../../accounts/keys/directory.ts';
import { readStarred, type StarredCoins, withStar } from '../../../../accounts/starred-coins.ts';
import { DAY_MS } from '../../../../base/times.ts';
import { setCookie } from '../cookies.ts';
import { servePageForm } from '../page-form.ts';
import { STARS_COOKIE, STARS_PATH, starsCookieText, starsInCookie } from './stars.ts';

export interface StarsOptions {
  baseUrl: string;
  signedIn: (request: FastifyRequest) => { caller: Caller } | null;
  /** Stores the stars of an account. */
  saveStars: (accountId: string, coins: StarredCoins) => Promise<void>;
}

const LIFETIME_MS = 365 * DAY_MS;
const MAX_FORM_BYTES = 4 * 1024;

/** Adds or removes a star, in the account of the reader or in a cookie, and returns to the page. */
export function serveStars(server: FastifyInstance, { baseUrl, signedIn, saveStars }: StarsOptions): void {
  const isSecure = baseUrl.startsWith('https:');
  const form = { path: STARS_PATH, baseUrl, maxBytes: MAX_FORM_BYTES };
  servePageForm(server, form, async ({ request, reply, fields, isOwn }) => {
    if (!isOwn) return undefined;
    const [add, remove] = [fields.get('add'), fields.get('remove')];
    const user = signedIn(request);
    const before = user ? readStarred(user.caller.starredCoins) : starsInCookie(request.headers.cookie);
    const added = add === null ? before : withStar(before, add, true);
    const after = remove === null ? added : withStar(added, remove, false);
    if (user) await saveStars(user.caller.accountId, after);
    else setCookie(reply, STARS_COOKIE, starsCookieText(after), { isSecure, maxAgeMs: LIFETIME_MS });
    return undefined;
  });
}
