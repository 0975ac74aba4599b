import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../../../base/times.ts';
import { setCookie } from '../cookies.ts';
import { servePageForm } from '../page-form.ts';
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
  const form = { path: PREFERENCES_PATH, baseUrl, maxBytes: MAX_FORM_BYTES };
  servePageForm(server, form, ({ request, reply, fields }) => {
    const { cookie, 'sec-fetch-site': site } = request.headers;
    if (site === 'cross-site' || site === 'same-site') return undefined;
    const before = preferencesOf(cookie);
    const chosen = readPreferences((name) => fields.get(name) ?? before[name]);
    // A value that is not allowed keeps the one before.
    const kept = PREFERENCE_NAMES.filter((name) => fields.has(name) && chosen[name] !== fields.get(name));
    const after = { ...chosen, ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
    setCookie(reply, PREFERENCES_COOKIE, preferencesText(after), { isSecure, maxAgeMs: LIFETIME_MS });
    return undefined;
  });
}
