import type { FeeTier, VenueFacts } from '../../../../venues/venue.ts';
import { moneyText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { plainNumber } from '../../markup/plain-number.ts';

const PREFIX = 'fee_';

/** One field for each venue with the fee that counts without it; its tiers are what the field suggests. */
export function feeGrid(
  venues: readonly VenueFacts[],
  typed: ReadonlyMap<string, string>,
  mark: (exchange: string) => Html | null = () => null,
): Html {
  return html`<div class="own-fees">
    ${venues.map(({ exchange, takerFeePct, makerFeePct, feeTiers }) => {
      const tiersId = feeTiers ? `tiers-${exchange}` : null;
      return html`<label>
        ${venueMark(exchange)}
        <span>
          ${exchange}
          <small>${takerFeePct.value} %${makerFeePct ? `, maker ${makerFeePct.value} %` : null}</small>
        </span>
        <input name="${PREFIX}${exchange}" value="${typed.get(exchange) ?? ''}" placeholder="${takerFeePct.value}"
          inputmode="decimal" autocomplete="off"
          size="6"${tiersId === null ? null : html` list="${tiersId}"`}${mark(exchange)}>
        ${feeTiers && tiersId !== null ? tierList(tiersId, feeTiers.value) : null}
      </label>`;
    })}
  </div>`;
}

function tierList(id: string, tiers: readonly FeeTier[]): Html {
  return html`<datalist id="${id}">
    ${tiers.map(({ fromUsd, takerPct, makerPct }) => {
      const volume = fromUsd === 0 ? 'base tier' : `from ${moneyText(fromUsd)} in 30 days`;
      return html`<option value="${takerPct}">${volume}, maker ${makerPct} %</option>`;
    })}
  </datalist>`;
}

/** Fees by venue from a text such as `Binance:0.02,OKX:0.03`. */
export function feesIn(text: string): Map<string, string> {
  const fees = new Map<string, string>();
  for (const entry of text.split(',')) {
    const colon = entry.lastIndexOf(':');
    if (colon > 0) fees.set(entry.slice(0, colon).trim(), entry.slice(colon + 1).trim());
  }
  return fees;
}

/** The fees that were typed into a grid. */
export function typedFees(fields: URLSearchParams): Map<string, string> {
  const fees = new Map<string, string>();
  for (const [name, value] of fields)
    if (name.startsWith(PREFIX) && value.trim() !== '')
      fees.set(name.slice(PREFIX.length), plainNumber(value));
  return fees;
}

/** As the API takes them. */
export function feesText(fees: ReadonlyMap<string, string>): string {
  return [...fees].map(([exchange, fee]) => `${exchange}:${fee}`).join(',');
}
