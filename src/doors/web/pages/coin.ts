import { coinFunding } from '../../../operations/coin-funding/coin-funding.ts';
import { countdown, hours, percent, price, signed, usdt } from '../format.ts';
import { type Html, html } from '../html.ts';
import { asOf } from '../list-page.ts';
import { escapeMarkdown, markdownHead, markdownTable } from '../markdown.ts';
import { definePage } from '../market-page.ts';
import { answerForPage, type PageAnswer, type Row } from '../visitor.ts';

interface CoinFunding {
  coin: string;
  venue_count: number;
  spread_pct: number | null;
  highest: { exchange: string; symbol: string; rate_pct: number } | null;
  lowest: { exchange: string; symbol: string; rate_pct: number } | null;
  best_short_exchange: string | null;
  best_long_exchange: string | null;
  total_volume_24h_usdt: number;
  inverse_venues: readonly string[];
  rates: readonly Row[];
}

/** The example position for which percentages are shown as money. */
const EXAMPLE_POSITION_USD = 10_000;
const EXAMPLE_POSITION = `${EXAMPLE_POSITION_USD.toLocaleString('en-US')} USD`;

export const COIN_PAGE = definePage<PageAnswer<CoinFunding>>({
  path: '/funding/:coin',
  label: 'One coin',
  section: '/funding',
  freshness: ({ entrance, caller }) => String(entrance.freshness(coinFunding, caller)),
  load: ({ entrance, caller, sent, named }) =>
    answerForPage(entrance, coinFunding, caller, new Map(sent).set('coin', [named.coin ?? ''])),
  view: (answer) => ({
    title: `${answer.data.coin} funding rates`,
    description: `Funding of ${answer.data.coin} perpetuals, compared over the venues`,
    body: coinBody(answer),
  }),
  markdown: ({ data, meta }) => {
    const { rates, highest, lowest, ...facts } = data;
    const rows = rates.map((row) => ({
      ...row,
      long_10000_usd_per_day: usdPerDay(row, -1),
      short_10000_usd_per_day: usdPerDay(row, 1),
    }));
    const named = {
      ...facts,
      highest_exchange: highest?.exchange,
      highest_rate_pct: highest?.rate_pct,
      lowest_exchange: lowest?.exchange,
      lowest_rate_pct: lowest?.rate_pct,
    };
    return `${markdownHead(`${data.coin} funding`, escapeMarkdown(sentence(data)), meta)}${markdownTable([named])}\n## Contracts\n\nThe last two columns: what a position of 10,000 USD earns (or, negative, pays) a day at the current rate, without fees.\n\n${markdownTable(rows)}`;
  },
});

function coinBody(answer: PageAnswer<CoinFunding>): Html {
  const { data } = answer;
  const linear = data.rates.filter((row) => row.is_inverse !== true);
  const inverse = data.rates.filter((row) => row.is_inverse === true);
  return html`<h1>${data.coin} funding</h1>
<p class="lead">${sentence(data)}</p>
${asOf(answer)}
<p><a href="/funding/${encodeURIComponent(data.coin)}/history">History of ${data.coin}</a> · <a href="/spreads?coin=${encodeURIComponent(data.coin)}">Spreads on ${data.coin}</a></p>
<div class="cards">
<section class="card"><h2>Short here</h2><p class="figure">${data.best_short_exchange ?? '–'}</p><p>pays a short best per hour</p></section>
<section class="card"><h2>Long here</h2><p class="figure">${data.best_long_exchange ?? '–'}</p><p>pays a long best, or costs it least, per hour</p></section>
<section class="card"><h2>Highest minus lowest</h2><p class="figure">${percent(data.spread_pct)}</p><p>per settlement, over ${data.venue_count} venues</p></section>
<section class="card"><h2>24 h volume</h2><p class="figure">${usdt(data.total_volume_24h_usdt)}</p><p>over all venues</p></section>
</div>
<h2>Linear contracts</h2>
${ranking(linear)}
${inverse.length === 0 ? null : html`<h2>Inverse contracts</h2><p class="lead">Settled in the coin itself, so they are not ranked with the others.</p>${ranking(inverse)}`}`;
}

function sentence(data: CoinFunding): string {
  if (!data.highest || !data.lowest)
    return 'No venue that fits these filters quotes a linear perpetual on it.';
  const pays = (rate: number) => (rate >= 0 ? 'longs pay shorts' : 'shorts pay longs');
  const { highest, lowest } = data;
  return `The highest rate is on ${highest.exchange} (${signed(highest.rate_pct)} % per settlement: ${pays(highest.rate_pct)}), the lowest on ${lowest.exchange} (${signed(lowest.rate_pct)} %: ${pays(lowest.rate_pct)}).`;
}

function ranking(rows: readonly Row[]): Html {
  if (rows.length === 0) return html`<div class="empty"><p>None.</p></div>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ranking"><table>
<thead><tr><th scope="col">Venue</th><th scope="col">Contract</th><th scope="col" class="number">Rate per settlement</th><th scope="col" class="number">Every</th><th scope="col" class="number">APR, net of fees</th><th scope="col">Next settlement</th><th scope="col" class="number">A long of ${EXAMPLE_POSITION}</th><th scope="col" class="number">A short of ${EXAMPLE_POSITION}</th><th scope="col" class="number">24 h volume</th><th scope="col" class="number">Open interest</th><th scope="col" class="number">Mark price</th></tr></thead><tbody>
${rows.map((row) => html`<tr><td><a href="/funding?exchange=${encodeURIComponent(String(row.exchange))}">${String(row.exchange)}</a></td><td>${String(row.symbol)}</td><td class="number">${percent(row.rate_pct)}</td><td class="number">${hours(row.interval_hours)}</td><td class="number">${percent(row.apr_pct, 2)}</td><td>${countdown(row.next_funding_at)}</td><td class="number">${perDay(row, -1)}</td><td class="number">${perDay(row, 1)}</td><td class="number">${usdt(row.volume_24h_usdt)}</td><td class="number">${usdt(row.open_interest_usdt)}</td><td class="number">${price(row.mark_price)}</td></tr>\n`)}</tbody></table></div>`;
}

/** Dollars a day at the current rate, to the cent, without fees. Positive is earned, negative is paid. */
function usdPerDay(row: Row, sign: 1 | -1): number | null {
  if (typeof row.rate_pct !== 'number' || typeof row.interval_hours !== 'number') return null;
  const usd = ((sign * row.rate_pct) / 100) * EXAMPLE_POSITION_USD * (24 / row.interval_hours);
  return Number(usd.toFixed(2)) || 0;
}

function perDay(row: Row, sign: 1 | -1): Html {
  const usd = usdPerDay(row, sign);
  if (usd === null) return html`–`;
  const text = `${Math.abs(usd).toFixed(2)} USD a day`;
  if (usd === 0) return html`pays nothing`;
  return usd > 0
    ? html`<span class="gain">earns ${text}</span>`
    : html`<span class="loss">pays ${text}</span>`;
}
