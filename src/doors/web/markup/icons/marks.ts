import { assetPath } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { hasMark } from './sprite.ts';

/** Sizes for which the stylesheet has a letter mark. */
export type MarkSize = 14 | 16 | 18 | 20 | 24 | 40;

/** The mark of a venue: a rounded square, or the first letter where the licensed sets have none. */
export function venueMark(exchange: string, size: MarkSize = 16): Html {
  const id = `v-${exchange.toLowerCase()}`;
  return mark('vi', id, exchange, size, 'venues.svg');
}

/** The mark of a coin: a disc, or the first letter. */
export function coinMark(coin: string, size: MarkSize = 20): Html {
  const id = `c-${coin.toLowerCase()}`;
  return mark('ci', id, coin, size, 'coins.svg');
}

/** The mark of the one coin that a page is about: the page does not load those of all coins. */
export function ownCoinMark(coin: string, size: MarkSize): Html {
  const id = `c-${coin.toLowerCase()}`;
  return mark('ci', id, coin, size, `${id}.svg`);
}

/** The mark and the name of a venue. */
export function venueName(exchange: string, size: MarkSize = 16): Html {
  return html`<span class="ven">${venueMark(exchange, size)}${exchange}</span>`;
}

/** The mark and the ticker of a coin, linked to its page. */
export function coinName(coin: string, small: string | null = null, size: MarkSize = 20): Html {
  return html`<a class="coin" href="/funding/${encodeURIComponent(coin)}">
    ${coinMark(coin, size)}${coin}${small === null ? null : html`<small>${small}</small>`}
  </a>`;
}

/** `coinName` and `venueName` as formats of a list's column. */
export const coinCell = (value: unknown): Html => coinName(String(value));
export const venueCell = (value: unknown): Html => venueName(String(value));

function mark(kind: 'vi' | 'ci', id: string, name: string, size: MarkSize, file: string): Html {
  if (hasMark(id))
    return html`<img class="${kind}" src="${assetPath(file)}#${id}" width="${size}" height="${size}" alt="">`;
  const letter = /[a-z0-9]/i.exec(name)?.[0]?.toUpperCase() ?? '?';
  return html`<span class="${kind} lm" data-s="${size}" aria-hidden="true">${letter}</span>`;
}
