import { cookieOf } from '../cookies.ts';

/** Settings that follow the reader from page to page, with their allowed values; the first is the default. */
export const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  palette: ['teal', 'blue'],
  zone: ['utc', 'local'],
  /** The unit of funding rates. */
  unit: ['8h', '1h', '1d', 'apr'],
  /** Whether `/` focuses the search field. */
  slash: ['on', 'off'],
} as const;

export type PreferenceName = keyof typeof PREFERENCES;
export type Preferences = { [Name in PreferenceName]: (typeof PREFERENCES)[Name][number] };

export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[];
export const PREFERENCES_COOKIE = 'pw_view';

/** Reads values by name and ignores those that are not allowed. */
export function readPreferences(sentValue: (name: PreferenceName) => string | null | undefined): Preferences {
  const values: Record<string, string> = {};
  for (const name of PREFERENCE_NAMES) {
    const allowed: readonly string[] = PREFERENCES[name];
    const value = sentValue(name);
    values[name] = value && allowed.includes(value) ? value : (allowed[0] as string);
  }
  return values as Preferences;
}

export const DEFAULT_PREFERENCES = readPreferences(() => null);

/** The preferences in the cookie of a request. */
export function preferencesOf(cookieHeader: string | undefined): Preferences {
  const text = cookieOf(cookieHeader, PREFERENCES_COOKIE);
  if (text === null) return DEFAULT_PREFERENCES;
  const sent = new URLSearchParams(text);
  return readPreferences((name) => sent.get(name));
}

/** The cookie's value: only what differs from the defaults. The same text for the same preferences. */
export function preferencesText(preferences: Preferences): string {
  const changed = PREFERENCE_NAMES.filter((name) => preferences[name] !== PREFERENCES[name][0]);
  return changed.map((name) => `${name}=${preferences[name]}`).join('&');
}
