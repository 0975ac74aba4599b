import type { Table } from '../../../../market/tables/table.ts';
import { percent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark } from '../../markup/icons/marks.ts';

const HOURS_PER_YEAR = 365 * 24;
/** Rates of contracts that nobody trades say little. */
const LEAST_VOLUME_USDT = 1e6;
const MOST_ROWS = 5;

/** A contract of the venue with its rate as it is paid, and before fees over a year. */
export interface ExtremeRate {
  coin: string;
  symbol: string;
  ratePct: number;
  intervalHours: number;
  aprPct: number;
}

/** The highest and lowest funding over a year among the traded linear contracts of a venue. */
export function extremeRates(
  table: Table,
  exchange: string,
): { highest: ExtremeRate[]; lowest: ExtremeRate[] } {
  const { codes, values } = table.texts('exchange');
  const code = values.indexOf(exchange, 1);
  const found: ExtremeRate[] = [];
  const number = (name: string, row: number) => table.numbers(name)[row] ?? Number.NaN;
  for (let row = 0; row < table.rowCount; row++) {
    const intervalHours = number('interval_hours', row);
    if (codes[row] !== code || Number.isNaN(intervalHours) || number('is_inverse', row) === 1) continue;
    if (!(number('volume_24h_usdt', row) >= LEAST_VOLUME_USDT)) continue;
    const ratePct = number('rate_pct', row);
    const aprPct = (ratePct / intervalHours) * HOURS_PER_YEAR;
    found.push({
      coin: table.text('coin', row),
      symbol: table.text('symbol', row),
      ratePct,
      intervalHours,
      aprPct,
    });
  }
  found.sort((a, b) => b.aprPct - a.aprPct);
  return {
    highest: found.filter(({ aprPct }) => aprPct > 0).slice(0, MOST_ROWS),
    lowest: found
      .filter(({ aprPct }) => aprPct < 0)
      .toReversed()
      .slice(0, MOST_ROWS),
  };
}

/** One of the two lists as a card. */
export function extremesCard(id: string, title: string, none: string, rates: readonly ExtremeRate[]): Html {
  return html`<section class="card">
    <header><h2>${title}</h2><span class="mut">over $1 M a day</span></header>
    <div class="tw" id="${id}" data-live tabindex="0" role="region" aria-label="${title}">
      ${rates.length === 0 ? html`<p class="say">${none}</p>` : ratesTable(rates)}
    </div>
  </section>`;
}

function ratesTable(rates: readonly ExtremeRate[]): Html {
  return html`<table class="t">
    <thead>
      <tr>
        <th scope="col">Contract</th>
        <th scope="col" class="num">Rate</th>
        <th scope="col" class="num">APR<small>before fees</small></th>
      </tr>
    </thead>
    <tbody>
      ${rates.map(
        (one) => html`<tr data-key="${one.symbol}">
          <td>
            <a class="ven" href="/funding/${encodeURIComponent(one.coin)}">${coinMark(one.coin)}<b>${one.symbol}</b></a>
          </td>
          <td class="num">${percent(one.ratePct)} <small class="mut">/ ${one.intervalHours} h</small></td>
          <td class="num">${percent(one.aprPct, 1)}</td>
        </tr>\n`,
      )}
    </tbody>
  </table>`;
}
