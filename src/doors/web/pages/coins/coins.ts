import { coinPriceAt } from '../../../../engines/funding/catalogue.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { coinsOperation } from '../../../../operations/coins.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { starButton } from '../../layout/stars/stars.ts';
import type { Row } from '../../layout/visitor.ts';
import { percent, plain, price, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinName, venueMark } from '../../markup/icons/marks.ts';
import { PRICE_CHANGE_FORMULA, priceChangeCell } from '../coin/price-change.ts';
import { tradedLegs } from '../funding/best-carry.ts';
import type { MatrixCoin } from '../funding/matrix-data.ts';
import { trendCell } from '../funding/table-view.ts';
import { type Trend, trendOfCells, trendsOf } from '../funding/trends.ts';
import { aprOf } from '../funding/units.ts';
import { venuesIn } from '../funding/venue-groups.ts';
import { wholeMarket } from '../funding/whole-market.ts';
import type { ListPage, PageColumn } from '../lists/list-page.ts';
import type { PageContext } from '../page-context.ts';
import { averageApr } from '../search/average-rate.ts';
import { COIN_NAMES } from '../search/coin-names.ts';

export const COINS_PARAMETERS = pageParameters(coinsOperation, ['page']);

const TEXTS = {
  path: '/coins',
  operation: coinsOperation,
  title: 'Coins',
  description: 'Coins with a perpetual future: average, highest and lowest funding, best carry and volume',
  lead: html`Every coin with a perpetual future. Rates are APR before fees; 1000PEPE and kPEPE are both PEPE.`,
  noun: 'coins',
  mainParameters: ['q'],
  ownParameters: ['exchange', 'min_venues'],
  switches: coinSwitches,
  scripts: ['stars'],
} as const;

interface Rates {
  table: Table;
  asOfMs: number;
  coins: ReadonlyMap<string, MatrixCoin>;
  averages: ReadonlyMap<string, number>;
}

function ratesNow(context: PageContext): Rates | null {
  const { entrance, caller } = context;
  const moment = entrance.data.funding.at(caller.plan.delaySeconds, entrance.clock.nowMs());
  if (!moment) return null;
  const { table, asOfMs } = moment;
  return { table, asOfMs, coins: wholeMarket(table, asOfMs, context), averages: averageApr(table) };
}

/** The mark price of the most traded contract, for one unit of the coin. */
function largestPrice({ cells }: MatrixCoin, table: Table): number | null {
  const [largest] = [...cells.values()].toSorted((a, b) => b.volumeUsdt - a.volumeUsdt);
  return largest ? coinPriceAt(table, largest.row) : null;
}

function coinTrend(coin: unknown, rates: Rates | null, { entrance }: PageContext): Trend | null {
  const found = rates?.coins.get(String(coin));
  return rates && found
    ? trendOfCells(found.cells, rates.table, rates.asOfMs, trendsOf(entrance.data))
    : null;
}

/** The figures of one coin beside those of the API. */
function figuresOf(coin: string, rates: Rates | null): Row {
  const found = rates?.coins.get(coin);
  const sorted = [...tradedLegs(found?.cells ?? new Map())].sort((a, b) => a[1].perHourPct - b[1].perHourPct);
  const [low, high] = [sorted[0], sorted.at(-1)];
  const apr = (rate: number | undefined) => (rate === undefined ? null : Number(aprOf(rate).toFixed(2)));
  const average = rates?.averages.get(coin);
  return {
    name: COIN_NAMES.get(coin) ?? null,
    average_apr_pct: average === undefined ? null : Number(average.toFixed(2)),
    highest_apr_pct: apr(high?.[1].perHourPct),
    highest_exchange: high?.[0] ?? null,
    lowest_apr_pct: apr(low?.[1].perHourPct),
    lowest_exchange: low?.[0] ?? null,
    mark_price: found && rates ? largestPrice(found, rates.table) : null,
    open_interest_usdt: found?.openInterestUsdt ?? null,
    best_carry_apr_pct: found?.best ? Number(found.best.aprPct.toFixed(1)) : null,
  };
}

function rateAt(value: unknown, exchange: unknown): Html {
  return html`<b>${percent(value, 1)}</b>
    ${typeof exchange === 'string' ? html`<small class="at">${venueMark(exchange, 14)}${exchange}</small>` : null}`;
}

/** All but the name, which has a star. */
const COLUMNS: readonly PageColumn[] = [
  {
    field: 'mark_price',
    label: 'Price',
    small: 'largest contract',
    title: 'Mark price of the most traded contract, for one unit of the coin',
    isNumber: true,
    isDeskOnly: true,
    format: price,
  },
  {
    field: 'change_24h_pct',
    label: 'Change',
    small: '24 h',
    title: PRICE_CHANGE_FORMULA,
    isNumber: true,
    isDeskOnly: true,
    format: priceChangeCell,
    sorts: ['change_desc', 'change_asc'],
  },
  {
    field: 'average_apr_pct',
    label: 'Average',
    small: 'APR, by volume',
    title: 'Mean of the rates of all linear contracts per hour, weighted by 24 h volume, × 8,760 hours',
    isNumber: true,
    format: (value) => html`<b>${percent(value, 1)}</b>`,
  },
  {
    field: 'highest_apr_pct',
    label: 'Highest',
    small: 'APR, short here',
    title: 'Highest rate ÷ hours of its interval × 8,760 hours; a short there is paid it',
    isNumber: true,
    format: (value, row) => rateAt(value, row.highest_exchange),
  },
  {
    field: 'lowest_apr_pct',
    label: 'Lowest',
    small: 'APR, long here',
    title: 'Lowest rate ÷ hours of its interval × 8,760 hours; a long there pays it',
    isNumber: true,
    format: (value, row) => rateAt(value, row.lowest_exchange),
  },
  {
    field: 'best_carry_apr_pct',
    label: 'Best carry',
    small: 'gross APR',
    title: 'Highest − lowest: short where funding is highest, long where it is lowest, before fees',
    isNumber: true,
    format: (value) =>
      html`<span data-carry>${typeof value === 'number' ? `${value.toFixed(1)}\u00a0%` : '–'}</span>`,
  },
  {
    field: 'volume_24h_usdt',
    label: 'Volume',
    small: '24 h',
    title: 'Turnover of all perpetuals of the coin in 24 hours, all venues, USDT',
    isNumber: true,
    format: usdt,
    sorts: ['volume_desc', 'volume_asc'],
  },
  {
    field: 'open_interest_usdt',
    label: 'Open interest',
    title: 'Value of all open positions, one side counted, of the venues that publish it',
    isNumber: true,
    format: usdt,
  },
  {
    field: 'venue_count',
    label: 'Venues',
    title: 'Venues that quote a linear perpetual on the coin',
    isNumber: true,
    format: plain,
    sorts: ['venues_desc', 'venues_asc'],
  },
];

const LEAST_VENUES = ['', '2', '5', '10'];

/** Venue and number of venues as choices. */
function coinSwitches({ sent, entrance }: PageContext): Html {
  const [venue, least] = [sent.get('exchange')?.join(',') ?? '', sent.get('min_venues')?.[0] ?? ''];
  const named = venuesIn({ entrance }, null).toSorted((a, b) =>
    a.toLowerCase().localeCompare(b.toLowerCase()),
  );
  const venues = venue === '' || named.includes(venue) ? named : [venue, ...named];
  const steps = LEAST_VENUES.includes(least) ? LEAST_VENUES : [...LEAST_VENUES, least];
  return html`<label class="lab">
      Listed at <select name="exchange">
        <option value="">any venue</option>
        ${venues.map(
          (name) => html`<option value="${name}"${name === venue ? html` selected` : null}>${name}</option>`,
        )}
      </select>
    </label>
    <span class="lab">
      Venues <fieldset class="seg">
        <legend class="vh">Least number of venues</legend>
        ${steps.map(
          (step) =>
            html`<label>
              <input type="radio" name="min_venues" value="${step}"${step === least ? html` checked` : null}>
              <span>${step === '' ? 'Any' : `${step}+`}</span>
            </label>`,
        )}
      </fieldset>
    </span>`;
}

/** All coins with their rates, names and stars. */
export function coinsPage(context: PageContext): ListPage {
  const { stars } = context;
  const rates = ratesNow(context);
  return {
    ...TEXTS,
    spell: (sent) => spellName(context, sent),
    extend: (row) => ({ ...row, ...figuresOf(String(row.coin), rates) }),
    // The list has a snapshot of its own; live and delayed readers see different rates.
    rowVariant: ({ coin }) =>
      stars.size === 0 && rates ? `${rates.asOfMs} ${coinTrend(coin, rates, context) !== null}` : null,
    columns: [
      {
        field: 'coin',
        label: 'Coin',
        format: (value, row) => coinWithName(String(value), row, stars),
        sorts: ['coin_asc'],
      },
      ...COLUMNS,
      {
        field: 'trend',
        label: '7 days',
        small: 'average APR',
        title: 'Settled payments of the coin’s traded contracts per day, as APR, of the last 7 days',
        isDeskOnly: true,
        format: (_value, { coin }) => trendCell(coinTrend(coin, rates, context)),
      },
    ],
  };
}

/** On phones the price and its change stand below the ticker, where the name has no place. */
function coinWithName(
  coin: string,
  { name, mark_price, change_24h_pct }: Row,
  stars: ReadonlySet<string>,
): Html {
  return html`<span class="starred">
    ${starButton(coin, stars.has(coin))}
    <span>
      ${coinName(coin, typeof name === 'string' ? name : null)}
      <small class="m">${price(mark_price)}\u2002${priceChangeCell(change_24h_pct)}</small>
    </span>
  </span>`;
}

/** Searches by name: "bitcoin" is BTC. What starts a ticker stays as it is. */
function spellName(context: PageContext, sent: Map<string, string[]>): Map<string, string[]> {
  const [text = ''] = sent.get('q') ?? [];
  const ticker = tickerOf(text, [...(ratesNow(context)?.coins.keys() ?? [])]);
  return ticker === null ? sent : new Map(sent).set('q', [ticker]);
}

/** The ticker of the coin whose name starts with the text; null if a ticker does, or none. */
export function tickerOf(text: string, tickers: readonly string[]): string | null {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < 3 || tickers.some((ticker) => ticker.toLowerCase().startsWith(wanted))) return null;
  return tickers.find((ticker) => COIN_NAMES.get(ticker)?.toLowerCase().startsWith(wanted)) ?? null;
}
