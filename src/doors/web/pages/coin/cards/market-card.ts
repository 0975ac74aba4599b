import type { Row } from '../../../layout/visitor.ts';
import { toneOf } from '../../../markup/direction.ts';
import { price, signedText, usdt } from '../../../markup/format.ts';
import { type Html, html } from '../../../markup/html.ts';
import { venueName } from '../../../markup/icons/marks.ts';

const SHOWN = 10;

/** Of each venue the linear contract with the largest volume. */
function largest(rates: readonly Row[]): Row[] {
  const byVenue = Map.groupBy(
    rates.filter((row) => row.is_inverse !== true),
    (row) => String(row.exchange),
  );
  return [...byVenue.values()].map((rows) =>
    rows.reduce((found, row) => (Number(row.volume_24h_usdt) > Number(found.volume_24h_usdt) ? row : found)),
  );
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Open interest and price by venue, the largest first; the price beside the median of all venues. */
export function marketCard(rates: readonly Row[]): Html | null {
  const rows = largest(rates).toSorted(
    (a, b) =>
      (Number(b.open_interest_usdt) || 0) - (Number(a.open_interest_usdt) || 0) ||
      Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt),
  );
  const middle = median(rows.flatMap(({ mark_price: mark }) => (typeof mark === 'number' ? [mark] : [])));
  if (rows.length === 0) return null;
  const total = rows.reduce((sum, row) => sum + (Number(row.open_interest_usdt) || 0), 0);
  return html`<section class="card" id="market" data-live>
    <header><h2>Open interest and price</h2><span class="mut">largest contract of each venue</span></header>
    <div class="tw" tabindex="0" role="region" aria-label="Open interest and price by venue">
      <table class="t keep">
        <thead>
          <tr>
            <th scope="col">Venue</th>
            <th scope="col" class="num">Open interest<small>all venues ${total > 0 ? usdt(total) : '–'}</small></th>
            <th scope="col" class="num">Mark price</th>
            <th scope="col" class="num" title="(Mark price ÷ median of the venues − 1) × 100">
              To median<small>%</small>
            </th>
          </tr>
        </thead>
        <tbody>${rows.slice(0, SHOWN).map((row) => marketRow(row, middle))}</tbody>
      </table>
    </div>
  </section>`;
}

function marketRow(
  { exchange, open_interest_usdt: open, mark_price: mark }: Row,
  middle: number | null,
): Html {
  const offPct = typeof mark === 'number' && middle !== null ? (mark / middle - 1) * 100 : null;
  return html`<tr data-key="${String(exchange)}">
    <td>${venueName(String(exchange))}</td>
    <td class="num">${usdt(open)}</td>
    <td class="num">${price(mark)}</td>
    <td class="num">
      ${offPct === null ? '–' : html`<span class="${toneOf(offPct)}">${signedText(offPct, 3)}</span>`}
    </td>
  </tr>\n`;
}
