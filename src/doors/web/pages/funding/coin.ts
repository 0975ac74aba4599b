import { coinFunding } from '../../../../operations/coin-funding/coin-funding.ts';
import { asOf } from '../../lists/list-page.ts';
import { definePage } from '../../market-page.ts';
import { countdown, hours, percent, price, signedPercent, usdt } from '../../markup/format.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { escapeMarkdown, markdownHead, markdownTable } from '../../markup/markdown.ts';
import { answerForPage, type PageAnswer, type Row } from '../../visitor.ts';
import { type LateVenues, lateNotice, lateTag, lateVenues } from '../venues/late-venues.ts';
import {
  type CoinComparison,
  compareRates,
  comparisonSentence,
  type HourlyRate,
  perHourPct,
} from './coin-comparison.ts';
import { settlementsPath } from './history-paths.ts';

interface RankedRate {
  exchange: string;
  symbol: string;
  rate_pct: number;
}

interface CoinFunding {
  coin: string;
  venue_count: number;
  spread_pct: number | null;
  highest: RankedRate | null;
  lowest: RankedRate | null;
  best_short_exchange: string | null;
  best_long_exchange: string | null;
  total_volume_24h_usdt: number;
  inverse_venues: readonly string[];
  rates: readonly Row[];
}

/** The example position for which percentages are shown as money. */
const EXAMPLE_POSITION_USD = 10_000;
const EXAMPLE_POSITION = `${EXAMPLE_POSITION_USD.toLocaleString('en-US')} USD`;

interface LoadedCoin extends PageAnswer<CoinFunding> {
  late: LateVenues;
  comparison: CoinComparison | null;
}

export const COIN_PAGE = definePage<LoadedCoin>({
  path: '/funding/:coin',
  label: 'One coin',
  section: '/funding',
  freshness: ({ entrance, caller }) => String(entrance.freshness(coinFunding, caller)),
  load: async ({ entrance, caller, sent, named, venueStatus }) => {
    const query = new Map(sent).set('coin', [named.coin ?? '']);
    const answer = await answerForPage<CoinFunding>(entrance, coinFunding, caller, query);
    const late = lateVenues(venueStatus(), answer.meta.as_of);
    return { ...answer, late, comparison: compareRates(answer.data.rates, late) };
  },
  view: (answer) => ({
    title: `${answer.data.coin} funding rates`,
    description: `Funding of ${answer.data.coin} perpetuals, compared over the venues`,
    body: coinBody(answer),
  }),
  files: {
    // The cards of the matrix read it.
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ data, meta }) => JSON.stringify({ data, meta }),
    },
  },
  markdown: ({ data, meta, comparison }) => {
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
    return `${markdownHead(`${data.coin} funding`, escapeMarkdown(comparisonSentence(comparison, rates)), meta)}${markdownTable([named])}\n## Contracts\n\nThe last two columns: what a position of 10,000 USD earns (or, negative, pays) a day at the current rate, without fees.\n\n${markdownTable(rows)}`;
  },
});

function coinBody(loaded: LoadedCoin): Html {
  const { data, late, comparison } = loaded;
  const linear = data.rates.filter((row) => row.is_inverse !== true);
  const inverse = data.rates.filter((row) => row.is_inverse === true);
  const coin = encodeURIComponent(data.coin);
  const card = (title: string, figure: HtmlValue, words: HtmlValue) =>
    html`<section class="card"><h2>${title}</h2><p class="figure">${figure}</p><p>${words}</p></section>\n`;
  return html`<h1>${data.coin} funding</h1>
<p class="lead">${comparisonSentence(comparison, data.rates)}</p>
${lateNotice(late)}
${asOf(loaded)}
<p><a href="/funding/${coin}/history">History of ${data.coin}</a> · <a href="/spreads?coin=${coin}">Spreads on ${data.coin}</a></p>
<div class="cards">
${card('Short at', comparison ? String(comparison.short.row.exchange) : '–', comparison && hourly(comparison.short))}${card('Long at', comparison ? String(comparison.long.row.exchange) : '–', comparison && hourly(comparison.long))}${card('Best carry, gross APR', percent(comparison?.grossAprPct, 1), 'short and long at these two, before fees')}${card('Highest minus lowest as paid', percent(data.spread_pct), spreadWords(data))}${card('24 h volume', usdt(data.total_volume_24h_usdt), 'over all venues')}</div>
<h2>Linear contracts</h2>
${ranking(linear, late)}
${inverse.length === 0 ? null : html`<h2>Inverse contracts</h2><p class="lead">Settled in the coin itself, so they are not ranked with the others.</p>${ranking(inverse, late)}`}`;
}

function hourly({ row, perHourPct: rate }: HourlyRate): Html {
  return html`${percent(rate)} per hour; as paid ${percent(row.rate_pct)} every ${hours(row.interval_hours)}`;
}

/** What `spread_pct` is: a difference per settlement, whatever the intervals of the two contracts. */
function spreadWords({ highest, lowest, rates }: CoinFunding): string {
  if (!highest || !lowest) return 'per settlement';
  const side = ({ exchange, symbol, rate_pct: rate }: RankedRate) => {
    const every = rates.find((row) => row.exchange === exchange && row.symbol === symbol)?.interval_hours;
    return `${exchange} ${signedPercent(rate)}${typeof every === 'number' ? ` every ${every} h` : ''}`;
  };
  return `per settlement: ${side(highest)}, ${side(lowest)}`;
}

function ranking(rows: readonly Row[], late: LateVenues): Html {
  if (rows.length === 0) return html`<div class="empty"><p>None.</p></div>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ranking"><table>
<thead><tr><th scope="col">Venue</th><th scope="col">Contract</th><th scope="col" class="number">Rate per settlement</th><th scope="col" class="number">Every</th><th scope="col" class="number">Per hour</th><th scope="col" class="number">APR, after fees</th><th scope="col">Settles in</th><th scope="col" class="number">A long of ${EXAMPLE_POSITION}</th><th scope="col" class="number">A short of ${EXAMPLE_POSITION}</th><th scope="col" class="number">24 h volume</th><th scope="col" class="number">Open interest</th><th scope="col" class="number">Mark price</th><th scope="col">Settled</th></tr></thead><tbody>
${rows.map((row) => rankedRow(row, late))}</tbody></table></div>`;
}

function rankedRow(row: Row, late: LateVenues): Html {
  const exchange = String(row.exchange);
  const rateClass = late.has(exchange) ? 'number late' : 'number';
  return html`<tr><td><a href="/exchanges/${encodeURIComponent(exchange)}">${exchange}</a>${lateTag(exchange, late)}</td><td>${String(row.symbol)}</td><td class="${rateClass}">${percent(row.rate_pct)}</td><td class="number">${hours(row.interval_hours)}</td><td class="${rateClass}">${percent(perHourPct(row))}</td><td class="${rateClass}">${percent(row.apr_pct, 1)}</td><td>${countdown(row.next_funding_at, row)}</td><td class="number">${perDay(row, -1)}</td><td class="number">${perDay(row, 1)}</td><td class="number">${usdt(row.volume_24h_usdt)}</td><td class="number">${usdt(row.open_interest_usdt)}</td><td class="number">${price(row.mark_price)}</td><td><a href="${settlementsPath(String(row.coin), exchange, String(row.symbol))}" aria-label="history of settled payments of ${String(row.symbol)} on ${exchange}">history</a></td></tr>\n`;
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
  return usd > 0 ? html`<span class="pos">earns ${text}</span>` : html`<span class="neg">pays ${text}</span>`;
}
