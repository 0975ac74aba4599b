import { SECOND_MS } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { Row } from '../../layout/visitor.ts';
import { sizeText } from '../../markup/charts/size-curve.ts';
import { toneOf } from '../../markup/direction.ts';
import { percent, signedPercent, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinName, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo } from '../../markup/page-links.ts';
import { priceDecimals, priceText } from '../../markup/prices.ts';
import { closedTag } from '../lists/closed-markets.ts';
import type { CoinGroup } from '../lists/coin-groups.ts';
import { heading, type ListPage } from '../lists/list-page.ts';
import { rowMarkup, tableRow } from '../lists/row-memo.ts';
import { entryCell, exitCell, fillsCell, unknownAtSize } from '../lists/size-box.ts';
import type { PageContext } from '../page-context.ts';
import { type LateVenues, lateTag } from '../venues/late-venues.ts';
import { pairPath } from './paths.ts';
import { checksMet, strengthChecks } from './strength.ts';

type Sent = PageContext['sent'];

interface SpreadsView {
  table: Table;
  asOfMs: number;
  late: LateVenues;
  /** The size of each leg in USD; null for the best prices. */
  sizeUsd: number | null;
}

/** Pairs that an opened coin shows; the rest are one link away. */
const MOST_OPEN = 20;
const MOST_COLUMNS = 12;
const HOURS_PER_DAY = 24;

/** One row per coin with its best pair, or one per pair. On phones rows are cards, so elements keep their roles. */
export function spreadsTable(
  page: ListPage,
  rows: readonly Html[],
  sent: Sent,
  sizeUsd: number | null,
): Html {
  const head = (label: string, small?: string, sorts?: readonly string[], isNumber = true) =>
    heading(page, { label, isNumber, ...(small ? { small } : {}), ...(sorts ? { sorts } : {}) }, sent);
  return html`<table class="t" role="table">
    <thead role="rowgroup">
      <tr role="row">
        <th class="xb" scope="col"><span class="vh">Pairs</span></th>
        ${head('Coin', undefined, ['coin_asc'], false)}
        ${head('Buy at', 'ask · funding', undefined, false)}
        ${head('Sell at', 'bid · funding', undefined, false)}
        ${head('Net spread', sizeUsd === null ? 'after four fills' : 'after all costs', ['net_spread_desc', 'net_spread_asc'])}
        ${head('Spread', 'before fees', ['spread_desc', 'spread_asc'])}
        ${head('Funding a day', 'while held')}
        ${head('Strength', 'five checks', ['strength_desc'])}
        ${
          sizeUsd === null
            ? html`${head('Volume', '24 h, smaller leg', ['volume_desc', 'volume_asc'])}
              ${head('Age', 'of the older quote', ['updated_desc'])}`
            : html`${head('To get in', `${sizeText(sizeUsd)}, now`, ['entry_cost_asc', 'entry_cost_desc'])}
              ${head('To get out', 'usual, 24 h', ['exit_cost_asc', 'exit_cost_desc'])}
              ${head('Fits', `${sizeText(sizeUsd)} a leg`)}`
        }
        ${head('Pair')}
      </tr>
    </thead>
    <tbody role="rowgroup">${rows}</tbody>
  </table>`;
}

/** The row of a coin, and its other pairs if it is open. */
export function coinRows(
  path: string,
  { coin, rows, count }: CoinGroup,
  view: SpreadsView,
  sent: Sent,
): Html {
  const [best = 0, ...others] = rows;
  const isOpen = sent.get('open')?.[0] === coin;
  const closed = new Map(sent);
  closed.delete('open');
  const link = linkTo(path, isOpen ? closed : new Map(closed).set('open', [coin]));
  const opener = html`<a class="ex" role="button" href="${link}" aria-expanded="${isOpen ? 'true' : 'false'}"
    aria-label="All ${countText(count)} of ${coin}">
    ${icon('right')}
  </a>`;
  const row = html`<tr role="row" data-key="${coin}"${isOpen ? html` class="open"` : null}>
    <td role="cell" class="xb">${count === 1 ? null : opener}</td>
    <td role="cell" class="cn">${coinName(coin, countText(count), 24)}${tagOf(best, view)}</td>
    ${figures(best, view)}
  </tr>\n`;
  if (!isOpen) return row;
  return html`${row}
    ${others.slice(0, MOST_OPEN).map((other) => pairRow(other, view, coin))}
    ${others.length > MOST_OPEN ? allPairsRow(path, coin, count, closed) : null}`;
}

function countText(pairs: number): string {
  return `${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
}

function allPairsRow(path: string, coin: string, count: number, sent: Sent): Html {
  const link = linkTo(path, new Map(sent).set('view', ['pairs']).set('coin', [coin]));
  return html`<tr role="row" class="sub" data-key="${coin} all" data-of="${coin}">
    <td role="cell" colspan="${MOST_COLUMNS}"><a class="lnk" href="${link}">All ${count} pairs of ${coin}</a></td>
  </tr>\n`;
}

/** The row of one pair. `of` is the coin that it was opened from. */
export function pairRow(row: number, view: SpreadsView, of: string | null): Html {
  const { table } = view;
  const coin = table.text('coin', row);
  const key = `${coin} ${table.text('exchange_a', row)} ${table.text('exchange_b', row)}`;
  const name = of === null ? coinName(coin, null, 24) : html`<span class="vh">${coin}</span>`;
  return html`<tr role="row" data-key="${key}"${of === null ? null : html` class="sub" data-of="${of}"`}>
    <td role="cell" class="xb"></td>
    <td role="cell" class="cn">${name}${tagOf(row, view)}</td>
    ${figures(row, view)}
  </tr>\n`;
}

const tagOf = (number: number, { table }: SpreadsView): Html | null =>
  closedTag(tableRow({ table, numbers: [], columns: null }, number));

function figures(number: number, { table, late, asOfMs, sizeUsd }: SpreadsView): Html {
  const row = tableRow({ table, numbers: [], columns: null }, number);
  const make = () => figuresOf(row, checksMet(table, number), late, asOfMs, sizeUsd);
  // How late a venue is depends on when the page is read.
  return late.size > 0 ? make() : rowMarkup(row, 'figures', make);
}

function figuresOf(
  row: Row,
  checks: readonly boolean[],
  late: LateVenues,
  asOfMs: number,
  sizeUsd: number | null,
): Html {
  const cell = (label: string, content: Html, name = 'num') =>
    html`<td role="cell" class="${name}" data-l="${label}">${content}</td>`;
  const [buy, sell] = legsOf(row);
  const carry = fundingADay(row);
  const legs = `${String(row[`exchange_${buy}`])} and ${String(row[`exchange_${sell}`])}`;
  const smaller = Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
  const { net_spread_pct: netPct } = row;
  const net =
    typeof netPct === 'number'
      ? html`<b class="apr ${toneOf(netPct)}">${signedPercent(netPct, 3)}</b>`
      : unknownAtSize(row, sizeUsd);
  const cells = [
    cell('Buy', leg(buy, 'ask', row, late), 'lg'),
    cell('Sell', leg(sell, 'bid', row, late), 'lg'),
    cell('Net spread', net, 'num big'),
    cell('Spread', html`${signedPercent(Number(row.spread_pct), 3)}`),
    cell('Funding a day', percent(carry, 3)),
    cell('Strength', strengthChecks(checks)),
    ...(sizeUsd === null
      ? [cell('Volume', usdt(smaller)), cell('Age', ageOf(String(row.updated_at), asOfMs), 'num d')]
      : [
          cell('To get in', entryCell(row, sizeUsd)),
          cell('To get out', exitCell(row, sizeUsd)),
          cell('Fits', fillsCell(row, sizeUsd)),
        ]),
    html`<td role="cell" class="num pl">
      <a href="${pairPath(row)}" aria-label="Chart of ${String(row.coin)}, ${legs}">Chart</a>
    </td>`,
  ];
  return html`${cells}`;
}

/** `4 s`; the title has the time. */
function ageOf(updatedAt: string, asOfMs: number): Html {
  const seconds = Math.max(0, Math.round((asOfMs - Date.parse(updatedAt)) / SECOND_MS));
  return html`<span title="Quoted at ${updatedAt.slice(11, 19)} UTC">${seconds}\u00a0s</span>`;
}

/** The leg to buy, then the leg to sell. */
export function legsOf({ direction }: Row): readonly ['a' | 'b', 'a' | 'b'] {
  return direction === 'long_a_short_b' ? ['a', 'b'] : ['b', 'a'];
}

/** A venue with the price that is traded against and the rate of its leg. */
function leg(side: 'a' | 'b', price: 'ask' | 'bid', row: Row, late: LateVenues): Html {
  const exchange = String(row[`exchange_${side}`]);
  const decimals = priceDecimals([Number(row[`bid_${side}`]), Number(row[`ask_${side}`])]);
  const rate = row[`funding_rate_${side}_pct`];
  const every = row[`funding_interval_hours_${side}`];
  const funding =
    typeof rate === 'number' && typeof every === 'number'
      ? html`${signedPercent(rate)} / ${every}\u00a0h`
      : html`<span title="the rate is not known">–</span>`;
  return html`<span class="leg2">
    ${venueMark(exchange, 18)}
    <b>${exchange}${lateTag(exchange, late)}</b>
    <small>
      <span class="px">${priceText(Number(row[`${price}_${side}`]), decimals)}</span>
      <span class="sep"> · </span>
      <span class="fr">${funding}</span>
    </small>
  </span>`;
}

/** What funding adds a day to a position: the sold leg receives its rate, the bought leg pays its own. */
function fundingADay(row: Row): number | null {
  const [buy, sell] = legsOf(row);
  const perDay = (side: 'a' | 'b') => {
    const [rate, hours] = [row[`funding_rate_${side}_pct`], row[`funding_interval_hours_${side}`]];
    return typeof rate === 'number' && typeof hours === 'number' ? (rate * HOURS_PER_DAY) / hours : null;
  };
  const [paid, received] = [perDay(buy), perDay(sell)];
  return paid === null || received === null ? null : received - paid;
}
