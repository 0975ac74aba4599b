import { SIZE_PARAMETER } from '../../../../engines/depth/size-columns.ts';
import { DEFAULT_SIZE_USD } from '../../../../engines/depth/table.ts';
import { SIZE_FILTERS, SIZE_SORTS } from '../../../../operations/size.ts';
import { SIZE_PATH, sizeTyped } from '../../layout/order-size.ts';
import type { Row } from '../../layout/visitor.ts';
import { sizeText } from '../../markup/charts/size-curve.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkTo } from '../../markup/page-links.ts';
import type { PageContext } from '../page-context.ts';

type Sent = PageContext['sent'];

/** In the address of a reader with a saved size: the best prices. */
const NO_SIZE = '0';
const CHOICES_USD = [1_000, 5_000, 20_000, 75_000, 250_000];

/**
 * The size of the figures in USD: that of the address, else that of the account, else the usual one where a filter or the
 * order is about a size; null for the best prices.
 */
export function orderSize({ sent, caller }: Pick<PageContext, 'sent' | 'caller'>): number | null {
  const [text] = sent.get(SIZE_PARAMETER) ?? [];
  const chosen = text === undefined ? (caller.orderSizeUsd ?? null) : sizeTyped(text);
  const isAboutSize =
    Object.keys(SIZE_FILTERS).some((name) => sent.has(name)) ||
    Object.hasOwn(SIZE_SORTS, sent.get('sort')?.[0] ?? '');
  return chosen ?? (isAboutSize ? DEFAULT_SIZE_USD : null);
}

/** The query of the operation at the size. */
export function atOrderSize(context: PageContext, query: Sent): Sent {
  const sizeUsd = orderSize(context);
  const changed = new Map(query);
  changed.delete(SIZE_PARAMETER);
  return sizeUsd === null ? changed : changed.set(SIZE_PARAMETER, [String(sizeUsd)]);
}

/** Spells the size of the address. What is no number, or the size of the account, is left out. */
export function cleanOrderSize({ sent, caller }: PageContext, clean: Sent): void {
  const [text] = sent.get(SIZE_PARAMETER) ?? [];
  clean.delete(SIZE_PARAMETER);
  if (text === undefined) return;
  const saved = caller.orderSizeUsd ?? null;
  const sizeUsd = sizeTyped(text);
  if (sizeUsd !== saved) clean.set(SIZE_PARAMETER, [sizeUsd === null ? NO_SIZE : String(sizeUsd)]);
}

/** The address without the size, for the chips of filters. */
export function withoutSize(sent: Sent): Sent {
  const changed = new Map(sent);
  changed.delete(SIZE_PARAMETER);
  return changed;
}

/** For signed-in readers: a button that stores the size of the box in the account, or a link to the list without a stored one. */
export function keepSize(context: PageContext, path: string): Html | null {
  const sizeUsd = orderSize(context);
  const { caller, isSignedIn, sent } = context;
  const saved = caller.orderSizeUsd ?? null;
  if (!isSignedIn || (sizeUsd === null && saved === null)) return null;
  if (sizeUsd === saved) {
    const link = linkTo(path, new Map(sent).set(SIZE_PARAMETER, [NO_SIZE]));
    return html`<a class="btn" href="${link}">Without my size</a>`;
  }
  return html`<button class="btn" type="submit" name="back" value="${linkTo(path, withoutSize(sent))}"
    formmethod="post" formaction="${SIZE_PATH}">
    ${sizeUsd === null ? 'Forget my size' : `Keep ${sizeText(sizeUsd)} as my size`}
  </button>`;
}

/** A field of the filter bar for the size of each leg. */
export function sizeBox(context: PageContext): Html {
  const sizeUsd = orderSize(context);
  return html`<label class="lab mainf1 sizebox">
    Size $
    <input name="${SIZE_PARAMETER}" value="${sizeUsd === null ? '' : grouped(sizeUsd)}" placeholder="any"
      inputmode="decimal" size="7" maxlength="20" autocomplete="off" list="order-sizes"
      title="Size of each leg, $100 to $250,000, in steps of 1, 2 and 5: costs and net figures are then those of the order books">
    <datalist id="order-sizes">
      ${CHOICES_USD.map((usd) => html`<option value="${grouped(usd)}">${sizeText(usd)} on each leg</option>`)}
    </datalist>
  </label>`;
}

/** What a cost at the size is not known for, in words. */
function whyUnknown({ fills }: Row, sizeUsd: number): string {
  if (fills === 'partial') return `the order books that the venues send hold less than ${sizeText(sizeUsd)}`;
  if (fills === 'unknown') return 'no order book of the last hour';
  return 'not known yet for the last 24 hours';
}

/** A net figure that is null at a size. */
export function unknownAtSize(row: Row, sizeUsd: number | null): Html {
  return html`<span class="mut" title="${sizeUsd === null ? 'not known' : whyUnknown(row, sizeUsd)}">–</span>`;
}

const costText = (pct: number) => `${pct.toFixed(pct < 0.1 ? 3 : 2)}\u00a0%`;

/** What opening both legs costs now. */
export function entryCell(row: Row, sizeUsd: number): Html {
  const { entry_cost_pct: pct } = row;
  return typeof pct === 'number' ? html`${costText(pct)}` : unknownAtSize(row, sizeUsd);
}

/** What closing both legs cost in the last 24 hours, and below it at the worst times. */
export function exitCell(row: Row, sizeUsd: number): Html {
  const { exit_cost_pct: pct, exit_cost_worst_pct: worst } = row;
  if (typeof pct !== 'number') return unknownAtSize(row, sizeUsd);
  const bad = typeof worst === 'number' ? costText(worst) : '–';
  return html`${costText(pct)} <small title="exceeded at most 5 % of the time">bad times ${bad}</small>`;
}

/** Whether the size fits both books, and how old they are. */
export function fillsCell(row: Row, sizeUsd: number): Html {
  const { fills, book_age_seconds: age } = row;
  const seen = typeof age === 'number' ? `; books of ${ageText(age)} ago` : '';
  if (fills === 'full')
    return html`<span class="tag ok" title="${sizeText(sizeUsd)} fills on both books, to get in and out${seen}">fits</span>`;
  const words = fills === 'partial' ? 'a part' : 'unknown';
  return html`<span class="tag${fills === 'partial' ? ' warn' : ''}" title="${whyUnknown(row, sizeUsd)}${seen}">${words}</span>`;
}

/** The same as lines of a list. */
export function sizeLines(row: Row, sizeUsd: number): Html {
  return html`<dt>To get in with ${sizeText(sizeUsd)}</dt>
    <dd>${entryCell(row, sizeUsd)}</dd>
    <dt>To get out, usual of 24 h</dt>
    <dd>${exitCell(row, sizeUsd)}</dd>
    <dt>${sizeText(sizeUsd)} on each leg</dt>
    <dd>${fillsCell(row, sizeUsd)}</dd>`;
}

function ageText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
