import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../../base/times.ts';
import { setCookie } from '../sign-in/cookies.ts';
import { safePath } from '../sign-in/safe-path.ts';
import {
  PREFERENCE_NAMES,
  PREFERENCES_COOKIE,
  preferencesOf,
  preferencesText,
  readPreferences,
} from './preferences.ts';

export const PREFERENCES_PATH = '/preferences';
const LIFETIME_MS = 365 * DAY_MS;
const MAX_FORM_BYTES = 4 * 1024;

/** Stores preferences in a cookie and returns to the page. Other sites cannot send the form. */
export function servePreferences(server: FastifyInstance, baseUrl: string): void {
  const isSecure = baseUrl.startsWith('https:');
  void server.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    forms.post(PREFERENCES_PATH, async (request, reply) => {
      const { cookie, 'sec-fetch-site': site } = request.headers;
      const sent = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const back = safePath(sent.get('back'), '/');
      if (site === 'cross-site' || site === 'same-site') return reply.redirect(back, 303);
      const before = preferencesOf(cookie);
      const chosen = readPreferences((name) => sent.get(name) ?? before[name]);
      // A value that is not allowed keeps the one before.
      const kept = PREFERENCE_NAMES.filter((name) => sent.has(name) && chosen[name] !== sent.get(name));
      const after = { ...chosen, ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
      setCookie(reply, PREFERENCES_COOKIE, preferencesText(after), { isSecure, maxAgeMs: LIFETIME_MS });
      return reply.header('cache-control', 'no-store').redirect(back, 303);
    });
  });
}
