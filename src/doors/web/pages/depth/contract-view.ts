import { BANDS_BP, type BandBp } from '../../../../market/depth/side-curve.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import type { Row } from '../../layout/visitor.ts';
import { moneyText, price, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { ownCoinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo } from '../../markup/page-links.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { cycleSeconds } from '../live/cycle.ts';
import type { PageContext } from '../page-context.ts';
import { ageText, bandText, periodText } from './book-texts.ts';
import type { LoadedContract } from './contract-data.ts';
import { curveCard, weekCard } from './cost-cards.ts';
import { type CostPage, costText, costUsdText, usdText } from './costs.ts';
import { contractPath } from './paths.ts';
import { sizeChoice } from './size.ts';

export function contractBody(loaded: LoadedContract, context: PageContext): Html {
  const { coin, exchange, symbol, book, week } = loaded;
  const { sent } = context;
  const path = contractPath(coin, exchange);
  const { meta } = book ?? week;
  const page = costPage(loaded);
  const file = html`<a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}CSV</a>`;
  return html`<nav class="crumb" aria-label="Breadcrumb">
      <a href="/depth">Depth</a>
      ${icon('right')}
      <a href="/depth?coin=${encodeURIComponent(coin)}">${coin}</a>
    </nav>
    <div class="pairhd">
      <h1>
        ${ownCoinMark(coin, 24)}
        ${symbol}
        <span class="bar1" aria-hidden="true"></span>
        <span class="ven">${venueMark(exchange, 20)}${exchange}</span>
      </h1>
      <div class="end">${liveBadge(meta, linkTo(path, sent), cycleSeconds(context, 'depth'))}</div>
    </div>
    <div class="sizebar"><b>Order size</b>${sizeChoice(path, context, 'size_usd')}</div>
    ${book ? statStrip(stats(book.row, loaded.sizeUsd), 'figures') : null}
    <div class="cols c21">
      ${curveCard(page, book ? `book ${ageText(book.row.book_age_seconds)}` : null)}
      ${bandsCard(book?.row ?? null)}
    </div>
    ${weekCard(page, file)}`;
}

function costPage({ coin, exchange, sizeUsd, book, week }: LoadedContract): CostPage {
  return {
    sizeUsd,
    subject: `${coin} on ${exchange}`,
    verbs: 'to buy or sell',
    week: { fromMs: week.fromMs, toMs: week.toMs, asOf: week.meta.as_of },
    lines: [
      { name: 'Buy', tone: 's1', curve: book?.buy ?? null, week: week.buy },
      { name: 'Sell', tone: 's2', curve: book?.sell ?? null, week: week.sell },
    ],
  };
}

function stats(row: Row, sizeUsd: number): Stat[] {
  const now = (what: 'buy' | 'sell'): Stat => {
    const pct = row[`${what}_cost_pct`];
    return {
      label: `${what === 'buy' ? 'Buy' : 'Sell'} ${usdText(sizeUsd)} now`,
      value: costOrUnknown(pct),
      meaning:
        typeof pct === 'number'
          ? `${costUsdText(pct, sizeUsd)}, before fees`
          : 'the book received ends before',
    };
  };
  const day = (label: string, figure: 'median' | 'worst', meaning: string): Stat => {
    const [buy, sell] = [row[`buy_cost_24h_${figure}_pct`], row[`sell_cost_24h_${figure}_pct`]].map(
      costOrUnknown,
    );
    return { label, value: buy === sell ? buy : html`${buy} <small>· ${sell}</small>`, meaning };
  };
  return [
    {
      label: 'Mid price',
      value: price(row.mid_price),
      meaning: `spread ${costText(Number(row.bid_ask_spread_pct))}`,
    },
    now('buy'),
    now('sell'),
    day('Usual, 24 h', 'median', 'to buy · to sell, median'),
    day('Worst 5 %, 24 h', 'worst', 'dearer in 5 % of the times'),
    {
      label: 'Age of the book',
      value: ageText(row.book_age_seconds).replace(' old', ''),
      meaning: periodText(row.period_seconds),
    },
  ];
}

function costOrUnknown(pct: unknown): string {
  return typeof pct === 'number' ? costText(pct) : 'unknown';
}

/** What rests within each band, on both sides. */
function bandsCard(row: Row | null): Html | null {
  if (!row) return null;
  const cell = (side: 'bid' | 'ask', bp: BandBp) => html`<td class="num">${bandText(row, side, bp)}</td>`;
  return html`<section class="card" id="bands" data-live>
    <header><h2>Resting near the mid</h2></header>
    <div class="tw">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Within</th>
            <th scope="col" class="num">Can be bought<small>asks</small></th>
            <th scope="col" class="num">Can be sold<small>bids</small></th>
          </tr>
        </thead>
        <tbody>
          ${BANDS_BP.map(
            (bp) => html`<tr>
              <th scope="row">${bp} bp <small>${(bp / 100).toFixed(2)}\u00a0%</small></th>
              ${cell('ask', bp)}
              ${cell('bid', bp)}
            </tr>\n`,
          )}
        </tbody>
      </table>
    </div>
    <p class="cfoot">
      <span>
        The levels received reach ${reachText(row, 'ask')} up and ${reachText(row, 'bid')} down.
        24 h volume: ${usdt(row.volume_24h_usdt)}.
      </span>
    </p>
  </section>`;
}

/** `0.4 bp ($19.7 k)`. */
function reachText(row: Row, side: 'bid' | 'ask'): string {
  const usd = moneyText(Number(row[`${side}_received_usd`]));
  return `${Number(row[`${side}_reach_bp`]).toFixed(1)}\u00a0bp (${usd})`;
}
