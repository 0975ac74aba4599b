import { starButton } from '../../layout/stars/stars.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { ownCoinMark } from '../../markup/icons/marks.ts';
import { UNITS, type Unit } from '../funding/units.ts';
import type { PageContext } from '../page-context.ts';
import { COIN_NAMES } from '../search/coin-names.ts';
import { changed } from './query.ts';

type CoinTab = 'funding' | 'history' | 'interest';

/** The name of a coin, or its ticker where it has none. */
export function nameOf(coin: string): string {
  return COIN_NAMES.get(coin) ?? coin;
}

export function coinPath(coin: string): string {
  return `/funding/${encodeURIComponent(coin)}`;
}

/** The top of a coin's pages: name, price, the pages that belong together, and what the page adds at the end. */
export function coinHead(
  coin: string,
  tab: CoinTab,
  { stars }: Pick<PageContext, 'stars'>,
  line: HtmlValue,
  end: HtmlValue,
): Html {
  const path = coinPath(coin);
  const query = `coin=${encodeURIComponent(coin)}`;
  const name = nameOf(coin);
  const link = (to: string, words: HtmlValue, isCurrent = false) =>
    html`<a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${words}</a>`;
  return html`<div class="coinhd">
    ${ownCoinMark(coin, 40)}
    <div>
      <h1>
        ${name}
        ${name === coin ? null : html` <small>${coin}</small>`} ${starButton(coin, stars.has(coin))}
      </h1>
      ${line}
    </div>
    <nav class="seg" aria-label="${coin} pages">
      ${link(path, 'Funding', tab === 'funding')}
      ${link(`${path}/history`, 'History', tab === 'history')}
      ${link(`${path}/open-interest`, html`<abbr title="Open interest">OI</abbr>`, tab === 'interest')}
      ${link(`/spreads?${query}`, 'Spreads')}
      ${link(`/depth?${query}`, 'Depth')}
      ${link(`/listings?${query}`, 'Listings')}
    </nav>
    <div class="end">${end}</div>
  </div>`;
}

/** The unit of the rates, as links; with scripts the choice applies to other pages too. */
export function unitLinks(path: string, { sent }: Pick<PageContext, 'sent'>, unit: Unit): Html {
  const names: readonly Unit[] = ['1h', '8h', '1d', 'apr'];
  return html`<span class="lab" >
    <span class="d">Rate per</span> <span class="seg" role="group" aria-label="Unit of the rates">
      ${names.map(
        (name) =>
          html`<a href="${changed(path, sent, { unit: name })}"
            data-keep="unit=${name}"${name === unit ? html` aria-current="true"` : null}>
            ${UNITS[name].label}
          </a>`,
      )}
    </span>
  </span>`;
}

/** Links of which one is chosen. */
export function segment(
  label: string,
  choices: readonly { words: HtmlValue; to: string; isCurrent: boolean }[],
): Html {
  return html`<span class="seg" role="group" aria-label="${label}">${choices.map(
    ({ words, to, isCurrent }) =>
      html`<a href="${to}"${isCurrent ? html` aria-current="true"` : null}>${words}</a>`,
  )}</span>`;
}
