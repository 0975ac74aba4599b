import { readStarred, type StarredCoins } from '../../../../accounts/starred-coins.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { cookieOf } from '../cookies.ts';

export const STARS_PATH = '/stars';
export const STARS_COOKIE = 'pw_stars';
const FORM_ID = 'stars';

/** The stars of a reader without an account, from the cookie. Tickers may have letters of any script. */
export function starsInCookie(header: string | undefined): StarredCoins {
  const text = cookieOf(header, STARS_COOKIE);
  if (text === null) return [];
  try {
    return readStarred(decodeURIComponent(text));
  } catch {
    // Not our encoding: changed by hand.
    return [];
  }
}

export function starsCookieText(coins: StarredCoins): string {
  return encodeURIComponent(coins.join(','));
}

/** The star beside the name of a coin: a button of the one form of the page, which works without scripts. */
export function starButton(coin: string, isOn: boolean): Html {
  return html`<button class="star" type="submit" form="${FORM_ID}" name="${isOn ? 'remove' : 'add'}" value="${coin}"
    aria-pressed="${isOn ? 'true' : 'false'}" aria-label="Star ${coin}">${icon('star')}</button>`;
}

const OF_FORM = `form="${FORM_ID}"`;

export function hasStars({ markup }: Html): boolean {
  return markup.includes(OF_FORM);
}

/** The form of all stars of a page. */
export function starsForm(address: string): Html {
  return html`<form id="${FORM_ID}" method="post" action="${STARS_PATH}" hidden><input type="hidden" name="back" value="${address}"></form>`;
}
