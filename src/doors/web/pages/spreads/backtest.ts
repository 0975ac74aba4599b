import { SIZES_USD, type SizeUsd } from '../../../../history/samples/model.ts';
import { isStreamed } from '../../../../operations/operation.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { NO_WINDOWS, type PageList, type Row } from '../../layout/visitor.ts';
import { percent, plain, shortTime, usdt } from '../../markup/format.ts';
import { countText } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueMark } from '../../markup/icons/marks.ts';
import { linkWith } from '../../markup/page-links.ts';
import type { ListPage } from '../lists/list-page.ts';
import { pairVenues, VENUE_PARAMETERS } from '../lists/pair-venues.ts';
import { segment } from '../lists/venue-picker.ts';
import type { PageContext } from '../page-context.ts';
import { pairsOf } from './pair-chart-cache.ts';
import { pairPath } from './paths.ts';
import { spreadTabs } from './tabs.ts';

export const BACKTEST_PARAMETERS = pageParameters(spreadBacktest, ['page']);
const PATH = '/spreads/backtest';
export const DEFAULT_SIZE_USD: SizeUsd = 100;

/** Fewer cycles say little about a pair; `min_cycles=0` shows all. */
const USUAL = { min_cycles: '3' };
const CYCLES = [
  ['0', 'Any'],
  ['3', '3+'],
  ['10', '10+'],
] as const;
const CONFIDENCES = [
  ['', 'Any'],
  ['25', '25+'],
  ['50', '50+'],
  ['75', '75+'],
] as const;

/** One page per order size: the link to a row's chart needs the size, which the row does not have. */
const PAGES = new Map(SIZES_USD.map((sizeUsd) => [String(sizeUsd), pageOf(sizeUsd)]));
const DEFAULT_PAGE = pageOf(DEFAULT_SIZE_USD);

export function backtestPage(context: PageContext): ListPage {
  const { sent, prefetchPairs } = context;
  const page = PAGES.get(sent.get('size_usd')?.[0] ?? '') ?? DEFAULT_PAGE;
  return {
    ...page,
    prepare: async (list) => {
      prefetchPairs(pairsOf(list.rows, Number(list.fields.size_usd) as SizeUsd));
      const words = aboveTable(list, sent.has('min_cycles') ? 0 : hiddenCount(context, list));
      const link = linkWith(PATH, sent, { min_cycles: '0' });
      const show =
        words.hidden === '' ? null : html` ${words.hidden} <a class="lnk" href="${link}">Show them</a>`;
      const plans =
        words.withheld === '' ? null : html` ${words.withheld} <a class="lnk" href="/plans">Plans</a>`;
      return {
        html: html`<p class="mut" id="above" data-live>${words.size}${show}${plans}</p>`,
        markdown: `${Object.values(words).filter(Boolean).join(' ')}\n\n`,
      };
    },
  };
}

/** How many pairs fit the filters but have too few cycles. */
function hiddenCount({ entrance, caller, sent }: PageContext, { meta }: PageList): number {
  if (!isStreamed(spreadBacktest)) return 0;
  const { page: _page, sort: _sort, limit: _limit, ...filters } = Object.fromEntries(sent);
  const all = entrance
    .streamedList(spreadBacktest, { caller, states: NO_WINDOWS }, new Map(Object.entries(filters)))
    .matchesAt(Date.parse(meta.as_of));
  return all ? all.rows.length - (meta.total ?? 0) : 0;
}

function aboveTable({ fields }: PageList, hidden: number) {
  const [count, few] = [Number(fields.withheld_top), `fewer than ${USUAL.min_cycles} cycles`];
  return {
    size: `Priced for an order of $${Number(fields.size_usd)}.`,
    hidden:
      hidden === 0 ? '' : `${countText(hidden, 'pair')} with ${few} ${hidden === 1 ? 'is' : 'are'} hidden.`,
    withheld:
      count === 0 ? '' : `The best ${count} pairs are left out here; with a plan they are shown, live.`,
  };
}

function pageOf(sizeUsd: SizeUsd): ListPage {
  return {
    path: PATH,
    operation: spreadBacktest,
    title: 'Spread backtest',
    description: 'What pairs of venues would have earned against their real order books',
    lead: html`What each pair would have earned in the last seven days at the prices an order would have got, per
      round trip after four taker fills. Funding is not
      included. <a class="lnk" href="/developers/backtest">The rule</a>`,
    noun: 'pairs',
    job: 'backtest',
    tabs: spreadTabs('backtest'),
    mainParameters: ['coin'],
    ownParameters: [...VENUE_PARAMETERS, 'size_usd', 'min_confidence', 'min_cycles'],
    usual: USUAL,
    switches: (context) =>
      html`${pairVenues(context)}
        ${segment('min_cycles', 'Cycles', CYCLES, new Map([...usualValues(), ...context.sent]))}
        ${segment('min_confidence', 'Confidence', CONFIDENCES, context.sent)}
        ${sizeSwitch(context)}`,
    spell: withoutUsual,
    columns: [
      { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
      {
        field: 'exchange_a',
        label: 'Venues',
        format: (_value, row) => {
          const [a, b] = [String(row.exchange_a), String(row.exchange_b)];
          return html`<a class="duo" href="${pairPath(row, sizeUsd)}">
            ${venueMark(a, 18)}
            <span>${a}<span class="dash" title="Both directions are tested"> – </span></span>
            ${venueMark(b, 18)}
            <span>${b}</span>
          </a>${directionHtml(row)}`;
        },
      },
      {
        field: 'est_profit_pct',
        label: 'Median profit',
        small: 'a round trip, after fees',
        isNumber: true,
        format: (value) => html`<b class="apr">${percent(value, 3)}</b>`,
        sorts: ['profit_desc', 'profit_asc'],
      },
      {
        field: 'avg_profit_pct',
        label: 'Mean profit',
        small: 'after fees',
        isNumber: true,
        format: (value) => percent(value, 3),
        sorts: ['avg_profit_desc'],
      },
      {
        field: 'cycles',
        label: 'Cycles',
        small: '7 days',
        isNumber: true,
        format: plain,
        sorts: ['cycles_desc'],
      },
      {
        field: 'confidence',
        label: 'Confidence',
        isNumber: true,
        format: (value) => html`${String(value)} of 100`,
        sorts: ['confidence_desc'],
      },
      {
        field: 'fee_pct_cycle',
        label: 'Fees',
        small: 'four fills',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
      },
      {
        field: 'spread_range_pct',
        label: 'Spread range',
        small: '7 days',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
        sorts: ['spread_range_desc'],
      },
      {
        field: 'volume_a_usdt',
        label: 'Volume',
        small: '24 h, smaller leg',
        isNumber: true,
        format: (_value, row) => usdt(Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt))),
        sorts: ['volume_desc'],
      },
      {
        field: 'last_cycle_at',
        label: 'Last cycle',
        isNumber: true,
        format: (value) => (typeof value === 'string' ? shortTime(value, true) : html`–`),
        sorts: ['last_cycle_desc'],
      },
    ],
  };
}

/** `long Bybit 12 ×, Gate 5 ×`: the venue that was bought, the more frequent one first. */
function directionHtml({ exchange_a: a, exchange_b: b, cycles, long_a_cycles: longA }: Row): Html | null {
  if (typeof longA !== 'number') return null;
  const counts = [
    [String(a), longA],
    [String(b), Number(cycles) - longA],
  ] as const;
  const words = counts
    .filter(([, count]) => count > 0)
    .toSorted((x, y) => y[1] - x[1])
    .map(([venue, count]) => `${venue} ${count}\u00a0×`);
  return html`<small class="dir" title="Bought there and sold short at the other venue, in so many cycles">
    long ${words.join(', ')}
  </small>`;
}

function usualValues(): [string, string[]][] {
  return [...Object.entries(USUAL), ['size_usd', String(DEFAULT_SIZE_USD)] as const].map(([name, value]) => [
    name,
    [value],
  ]);
}

/** What applies to an address that does not name it is not part of the address. */
function withoutUsual(sent: Map<string, string[]>): Map<string, string[]> {
  const usual = new Map(usualValues());
  return new Map([...sent].filter(([name, [value]]) => usual.get(name)?.[0] !== value));
}

function sizeSwitch({ sent }: PageContext): Html {
  const chosen = sent.get('size_usd')?.[0] ?? String(DEFAULT_SIZE_USD);
  return html`<span class="lab mainf1">Order size <fieldset class="seg"><legend class="vh">Order size</legend>${SIZES_USD.map(
    (size) =>
      html`<label><input type="radio" name="size_usd" value="${size}"${String(size) === chosen ? html` checked` : null}><span>$${size}</span></label>`,
  )}</fieldset></span>`;
}
