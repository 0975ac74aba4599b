import { percent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageContext } from '../page-context.ts';

export const PRICE_CHANGE_FORMULA =
  'Mark price now ÷ mark price 24 hours ago − 1, of the contract that was the most traded linear one then';
const UNKNOWN = 'No price of 24 hours ago is stored for this coin yet';

/** The change of a coin's price within 24 hours, as the list of coins has it; null if it is not known. */
export function priceChangePct({ entrance, caller }: PageContext, coin: string): number | null {
  const table = entrance.data.coins.at(caller.plan.delaySeconds, entrance.clock.nowMs())?.table;
  if (!table) return null;
  const { codes, values } = table.texts('coin');
  const change = table.numbers('change_24h_pct')[codes.indexOf(values.indexOf(coin))] ?? Number.NaN;
  return Number.isNaN(change) ? null : change;
}

/** `+1.24 %`, or a word that it is not known. */
export function priceChangeCell(value: unknown): Html {
  return typeof value === 'number'
    ? percent(value, 2)
    : html`<span class="mut" title="${UNKNOWN}">unknown</span>`;
}

/** `+1.24 % 24 h`, beside the price. */
export function priceChangeHtml(changePct: number | null): Html {
  if (changePct === null) return html`<span class="mut" title="${UNKNOWN}">24 h change unknown</span>`;
  return html`<span title="${PRICE_CHANGE_FORMULA}">
    ${percent(changePct, 2)} <span class="mut">24 h</span>
  </span>`;
}
