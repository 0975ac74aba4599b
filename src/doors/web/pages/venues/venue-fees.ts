import type { VenueFacts } from '../../../../venues/venue.ts';
import { outside } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageContext } from '../page-context.ts';
import type { ValueCount } from './venue-contracts.ts';

/** A fee with three decimals, or as many as it has: `0.050 %`, `0.0275 %`. */
export function feeText(pct: number): string {
  const exact = String(pct).split('.')[1]?.length ?? 0;
  return `${pct.toFixed(Math.max(3, exact)).replace('-', '−')}\u00a0%`;
}

/** The fee that a reader has set for a venue, as it was typed; null: the usual one counts. */
function ownFeeOf(exchange: string, takerFees: string | null | undefined): string | null {
  const entry = takerFees?.split(',').find((one) => one.slice(0, one.lastIndexOf(':')).trim() === exchange);
  return entry?.slice(entry.lastIndexOf(':') + 1).trim() ?? null;
}

/** Which fee our figures assume at a venue, where it was read, and where readers set their own. */
export function assumedFee(
  { exchange, takerFeePct, makerFeePct }: Pick<VenueFacts, 'exchange' | 'takerFeePct' | 'makerFeePct'>,
  { caller, isSignedIn }: Pick<PageContext, 'caller' | 'isSignedIn'>,
): Html {
  const { value, readOn, source } = takerFeePct;
  const own = ownFeeOf(exchange, caller.takerFees);
  const change = html`<a class="lnk" href="${isSignedIn ? '/account/fees' : '/arbitrage?tier=own'}">
    ${own === null ? 'Set your own fees' : 'Change it'}
  </a>`;
  return html`<p class="say" id="assumed-fee">
    Base tier: <b>${feeText(value)}</b> taker, as an account without volume tier or discounts pays
    (${outside(source, 'source')}, read on ${readOn}).
    ${
      makerFeePct
        ? html`Maker: <b>${feeText(makerFeePct.value)}</b> (${outside(makerFeePct.source, 'source')}, read
          on ${makerFeePct.readOn}).`
        : null
    } Every fill counts as a taker’s, so maker fees are not used. ${own === null ? null : html`Net figures use your fee: <b>${own}\u00a0%</b>. `}
    ${change}
  </p>`;
}

export function summaryTables(
  intervals: readonly ValueCount[],
  fees: readonly ValueCount[],
  assumed: Html | null,
): Html {
  const table = (
    title: string,
    label: string,
    rows: readonly ValueCount[],
    words: (value: number) => string,
    note: Html | null,
  ) =>
    html`<section class="card">
      <header><h2>${title}</h2></header>
      <div class="tw" tabindex="0" role="region" aria-label="${title}">
        <table class="t">
          <thead><tr><th scope="col">${label}</th><th scope="col" class="num">Contracts</th></tr></thead>
          <tbody>
            ${rows.map(
              ({ value, contracts }) => html`<tr>
                <th scope="row">${value === null ? 'not published' : words(value)}</th>
                <td class="num">${contracts}</td>
              </tr>\n`,
            )}
          </tbody>
        </table>
      </div>
      ${note}
    </section>`;
  return html`${table('Settlement intervals', 'Every', intervals, (hours) => `${hours} h`, null)}
    ${table('Taker fees', 'Fee', fees, feeText, assumed)}`;
}
