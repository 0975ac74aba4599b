import { coinsOperation } from '../../../../operations/coins.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { starButton } from '../../layout/stars/stars.ts';
import type { Row } from '../../layout/visitor.ts';
import { percent, plain, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinName, venueMark } from '../../markup/icons/marks.ts';
import { tradedLegs } from '../funding/best-carry.ts';
import type { MatrixCoin } from '../funding/matrix-data.ts';
import { aprOf } from '../funding/units.ts';
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
  lead: html`Every coin with a perpetual, without contract multipliers: 1000PEPE and kPEPE are both PEPE. Rates are
    gross APR.`,
  noun: 'coins',
  mainParameters: ['q', 'exchange', 'min_venues'],
  scripts: ['stars'],
} as const;

interface Rates {
  asOfMs: number;
  coins: ReadonlyMap<string, MatrixCoin>;
  averages: ReadonlyMap<string, number>;
}

function ratesNow(context: PageContext): Rates | null {
  const { entrance, caller } = context;
  const moment = entrance.data.funding.at(caller.plan.delaySeconds, entrance.clock.nowMs());
  if (!moment) return null;
  const { table, asOfMs } = moment;
  return { asOfMs, coins: wholeMarket(table, asOfMs, context), averages: averageApr(table) };
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
    field: 'average_apr_pct',
    label: 'Average',
    small: 'APR, by volume',
    isNumber: true,
    format: (value) => html`<b>${percent(value, 1)}</b>`,
  },
  {
    field: 'highest_apr_pct',
    label: 'Highest',
    small: 'APR, short here',
    isNumber: true,
    format: (value, row) => rateAt(value, row.highest_exchange),
  },
  {
    field: 'lowest_apr_pct',
    label: 'Lowest',
    small: 'APR, long here',
    isNumber: true,
    format: (value, row) => rateAt(value, row.lowest_exchange),
  },
  {
    field: 'best_carry_apr_pct',
    label: 'Best carry',
    small: 'gross APR',
    isNumber: true,
    format: (value) =>
      html`<span data-carry>${typeof value === 'number' ? `${value.toFixed(1)}\u00a0%` : '–'}</span>`,
  },
  {
    field: 'volume_24h_usdt',
    label: 'Volume',
    small: '24 h',
    isNumber: true,
    format: usdt,
    sorts: ['volume_desc', 'volume_asc'],
  },
  {
    field: 'venue_count',
    label: 'Venues',
    isNumber: true,
    format: plain,
    sorts: ['venues_desc', 'venues_asc'],
  },
  { field: 'exchanges', label: 'Quoted on', isWords: true, isDeskOnly: true, format: quotedOn },
];

/** All coins with their rates, names and stars. */
export function coinsPage(context: PageContext): ListPage {
  const { stars } = context;
  const rates = ratesNow(context);
  return {
    ...TEXTS,
    spell: (sent) => spellName(context, sent),
    extend: (row) => ({ ...row, ...figuresOf(String(row.coin), rates) }),
    // The list has a snapshot of its own; live and delayed readers see different rates.
    rowVariant: () => (stars.size === 0 && rates ? String(rates.asOfMs) : null),
    columns: [
      {
        field: 'coin',
        label: 'Coin',
        format: (value, { name }) => coinWithName(String(value), name, stars),
        sorts: ['coin_asc'],
      },
      ...COLUMNS,
    ],
  };
}

/** Marks are read faster than twenty names; their titles have the names. */
function quotedOn(value: unknown): Html {
  const names = Array.isArray(value) ? value.map(String) : [];
  return html`<span class="marks">
    ${names.map((name, i) => html`<span title="${name}">${venueMark(name, 18)}<span class="vh">${i > 0 ? ', ' : ''}${name}</span></span>`)}
  </span>`;
}

function coinWithName(coin: string, name: unknown, stars: ReadonlySet<string>): Html {
  return html`<span class="starred">
    ${starButton(coin, stars.has(coin))}
    ${coinName(coin, typeof name === 'string' ? name : null)}
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
