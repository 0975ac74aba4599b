import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { readStarred, type StarredCoins, withStar } from '../../../accounts/starred-coins.ts';
import { DAY_MS } from '../../../base/times.ts';
import { setCookie } from '../sign-in/cookies.ts';
import { safePath } from '../sign-in/safe-path.ts';
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
  const ownOrigin = new URL(baseUrl).origin;
  void server.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    forms.post(STARS_PATH, async (request, reply) => {
      const { cookie, origin, 'sec-fetch-site': site } = request.headers;
      const sent = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const back = safePath(sent.get('back'), '/');
      // Pages are shared by readers, so they hold no token: the browser has to say that its own page sent the form.
      const isOwn = site === undefined ? origin === ownOrigin : site === 'same-origin';
      if (!isOwn) return reply.header('cache-control', 'no-store').redirect(back, 303);
      const [add, remove] = [sent.get('add'), sent.get('remove')];
      const user = signedIn(request);
      const before = user ? readStarred(user.caller.starredCoins) : starsInCookie(cookie);
      const added = add === null ? before : withStar(before, add, true);
      const after = remove === null ? added : withStar(added, remove, false);
      if (user) await saveStars(user.caller.accountId, after);
      else setCookie(reply, STARS_COOKIE, starsCookieText(after), { isSecure, maxAgeMs: LIFETIME_MS });
      return reply.header('cache-control', 'no-store').redirect(back, 303);
    });
  });
}
