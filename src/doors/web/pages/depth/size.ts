import { DEFAULT_SIZE_USD } from '../../../../engines/depth/table.ts';
import { sizeTyped } from '../../layout/order-size.ts';
import { sizeText } from '../../markup/charts/size-curve.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkChanged } from '../../markup/page-links.ts';
import type { PageContext } from '../page-context.ts';

type Sent = PageContext['sent'];
type Reader = Pick<PageContext, 'sent' | 'caller'>;

export const SMALLEST_USD = 100;
export const LARGEST_USD = 250_000;
const CHOICES_USD = [1_000, 5_000, 20_000, 75_000, 250_000];

/** The size of an address that names none: that of the account, else the usual one. */
function usualSize({ caller }: Pick<PageContext, 'caller'>): number {
  return caller.orderSizeUsd ?? DEFAULT_SIZE_USD;
}

/** The size that the address names, as `cleanSize` left it. */
export function sizeIn(context: Reader, name: string): number {
  return Number(context.sent.get(name)?.[0] ?? usualSize(context));
}

/** Spells the size as one of the steps. What is no number, or the usual one, is left out. */
export function cleanSize(context: Reader, name: string): Sent {
  const { sent } = context;
  const text = sent.get(name)?.[0];
  if (text === undefined) return sent;
  const clean = new Map(sent);
  const usd = sizeTyped(text) ?? usualSize(context);
  if (usd === usualSize(context)) clean.delete(name);
  else clean.set(name, [String(usd)]);
  return clean;
}

/** Sizes to choose from, and a field for any other. The address has the choice. */
export function sizeChoice(path: string, context: Reader, name: string): Html {
  const { sent } = context;
  const sizeUsd = sizeIn(context, name);
  const link = (usd: number) => {
    const to = linkChanged(path, sent, { [name]: usd === usualSize(context) ? undefined : String(usd) });
    return html`<a href="${to}"${usd === sizeUsd ? html` aria-current="true"` : null}>${sizeText(usd)}</a>`;
  };
  const hidden = [...sent].filter(([other]) => other !== name);
  return html`<form class="sizes" method="get" action="${path}">
    ${hidden.map(([other, values]) => html`<input type="hidden" name="${other}" value="${values.join(',')}">`)}
    <span class="seg" role="group" aria-label="Size that is priced">${CHOICES_USD.map(link)}</span>
    <label class="lab">
      or $ <input name="${name}" value="${grouped(sizeUsd)}" inputmode="decimal" size="8" autocomplete="off"
        maxlength="20" aria-label="Order size in USD, 100 to 250,000 in steps of 1, 2 and 5">
    </label>
    <button class="btn apply" type="submit">Show</button>
  </form>`;
}
