import type { Row } from '../../layout/visitor.ts';
import { toneOf } from '../../markup/direction.ts';
import { type BarRange, barRange, divergingBar } from '../../markup/diverging-bar.ts';
import { countdown, hours, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueName } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { grossApr } from '../funding/gross-apr.ts';
import { settlementsPath } from '../funding/history-paths.ts';
import { rateText, UNITS, type Unit } from '../funding/units.ts';
import { sessionTag } from '../lists/closed-markets.ts';
import type { PageContext } from '../page-context.ts';
import { runningPath } from '../running/paths.ts';
import type { LateVenues } from '../venues/late-venues.ts';
import { perHourPct } from './comparison.ts';
import { segment } from './head.ts';
import { changed, sentValue } from './query.ts';

type Sent = PageContext['sent'];
type Figure = (row: Row) => number | null;

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null);

const FIGURES: Readonly<Record<string, Figure>> = {
  rate: perHourPct,
  apr: perHourPct,
  settles: ({ next_funding_at: at }) => (typeof at === 'string' ? Date.parse(at) : null),
  paid: ({ sum_30d_pct: sum }) => numberOrNull(sum),
  expected: ({ expected_30d_pct: expected }) => numberOrNull(expected),
  volume: ({ volume_24h_usdt: volume }) => numberOrNull(volume),
};
const BAR_WIDTH = 72;
const EXPECTED_NOTE = html`Expected is what a short receives: a forecast with a
  stated error, not advice; <a href="/developers/forecast">how it is made</a>.`;
const INVERSE_NOTE = 'Inverse contracts are paid in the coin itself, so they are ranked apart.';

/** The order in the address: a column and a direction. Unknown ones count as the rate. */
function orderOf(sent: Sent): { name: string; isAscending: boolean } {
  const [, name = 'rate', direction] = /^(\w+)_(asc|desc)$/.exec(sentValue(sent, 'sort') ?? '') ?? [];
  return Object.hasOwn(FIGURES, name)
    ? { name, isAscending: direction === 'asc' }
    : { name: 'rate', isAscending: false };
}

/** Unknown figures come last in both directions; equal ones by volume. */
export function ranked(rows: readonly Row[], sent: Sent): Row[] {
  const { name, isAscending } = orderOf(sent);
  const figure = FIGURES[name] ?? perHourPct;
  const volume = (row: Row) => Number(row.volume_24h_usdt) || 0;
  return rows.toSorted((a, b) => {
    const [first, second] = [figure(a), figure(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return (isAscending ? first - second : second - first) || volume(b) - volume(a);
  });
}

interface RankingOptions {
  path: string;
  sent: Sent;
  unit: Unit;
  late: LateVenues;
  /** How old the rate of a row is, in minutes; undefined up to one. */
  ageOf: (row: Row) => number | undefined;
}

/** All contracts of the coin with bars round one zero line; inverse ones have a table of their own. */
export function rankingCard(rates: readonly Row[], options: RankingOptions): Html {
  const { path, sent, unit } = options;
  const [linear, inverse] = [false, true].map((is) =>
    rates.filter((row) => (row.is_inverse === true) === is),
  );
  const isInverse = sentValue(sent, 'contracts') === 'inverse';
  const rows = ranked((isInverse ? inverse : linear) ?? [], sent);
  const tab = (words: string, value: string, isCurrent: boolean) => ({
    words,
    to: changed(path, sent, { contracts: value }),
    isCurrent,
  });
  return html`<section class="card" id="ranking" data-live>
    <header>
      <h2>Every venue, ranked</h2>
      <span class="mut">${UNITS[unit].words}</span>
      ${segment('Contracts', [
        tab(`Linear ${linear?.length ?? 0}`, 'linear', !isInverse),
        tab(`Inverse ${inverse?.length ?? 0}`, 'inverse', isInverse),
      ])}
    </header>
    ${
      rows.length === 0
        ? html`<p class="pad mut">No venue has ${isInverse ? 'an inverse' : 'a linear'} contract on it.</p>`
        : table(rows, options)
    }
    <p class="cfoot">
      <span>
        ${isInverse ? INVERSE_NOTE : 'Compared per hour, whatever the interval.'} ${EXPECTED_NOTE}
      </span>
      <a href="${changed(`${path}.csv`, sent, {})}" download>Download CSV</a>
    </p>
  </section>`;
}

function table(rows: readonly Row[], options: RankingOptions): Html {
  const { path, sent, unit } = options;
  const { name: current, isAscending } = orderOf(sent);
  const range = barRange(rows.flatMap((row) => perHourPct(row) ?? []));
  const head = (name: string, words: string, small: string | null = null) => {
    const isCurrent = name === current;
    const next = isCurrent && !isAscending ? `${name}_asc` : `${name}_desc`;
    return html`<th scope="col"
      class="num"${isCurrent ? html` aria-sort="${isAscending ? 'ascending' : 'descending'}"` : null}>
      <a href="${changed(path, sent, { sort: next })}">
        ${words}
        ${isCurrent ? html` <span aria-hidden="true">${isAscending ? '↑' : '↓'}</span>` : null}
      </a>
      ${small === null ? null : html`<small>${small}</small>`}
    </th>`;
  };
  return html`<div class="tw" tabindex="0" role="region" aria-label="Ranking">
    <table class="t rank">
      <thead>
        <tr>
          <th scope="col">Venue</th>
          ${head('rate', 'Rate', UNITS[unit].words)}
          <th class="dv" scope="col"><span class="vh">Bar</span></th>
          ${head('apr', 'APR', '% gross')}
          <th class="num" scope="col">Every</th>
          ${head('settles', 'Settles in')}
          ${head('paid', '30 d paid', '% settled')}
          ${head('expected', 'Expected', '% in 30 d')}
          ${head('volume', 'Volume', '24 h')}
        </tr>
      </thead>
      <tbody>${rows.map((row) => rankedRow(row, rows, range, options))}</tbody>
    </table>
  </div>`;
}

function rankedRow(
  row: Row,
  rows: readonly Row[],
  range: BarRange,
  { unit, late, ageOf }: RankingOptions,
): Html {
  const [exchange, symbol] = [String(row.exchange), String(row.symbol)];
  const perHour = perHourPct(row);
  const lateMinutes = late.get(exchange) ?? ageOf(row);
  const tone = lateMinutes !== undefined ? 'mut' : perHour === null ? '' : toneOf(perHour);
  const isOnly = rows.filter((one) => one.exchange === exchange).length === 1;
  const paid = row.sum_30d_pct;
  const settled = settlementsPath(String(row.coin), exchange, symbol);
  return html`<tr data-key="${exchange} ${String(row.venue_symbol)}">
    <td>
      <a class="vl" href="/exchanges/${encodeURIComponent(exchange)}" title="${symbol}">
        ${venueName(exchange)}
        ${isOnly ? null : html` <small>${quoteOf(symbol)}</small>`}
      </a>
      ${sessionTag(row)}
    </td>
    <td class="num ${tone}">
      <a href="${runningPath(String(row.coin), exchange, isOnly ? null : symbol)}" title="Predicted and paid: ${symbol}">
        <b>
          ${perHour === null ? html`<span title="The venue does not publish the interval">–</span>` : rateText(perHour, unit)}
        </b>
      </a>
    </td>
    <td class="dv">${perHour === null ? null : divergingBar(perHour, range, BAR_WIDTH)}</td>
    <td class="num">${grossApr(row)}</td>
    <td class="num">${hours(row.interval_hours)}</td>
    <td class="num">
      ${
        lateMinutes === undefined
          ? countdown(row.next_funding_at, row)
          : html`<span class="tag warn" title="${exchange} is ${lateMinutes} min late">
            ${icon('clock')}
            ${lateMinutes}\u00a0min late
          </span>`
      }
    </td>
    <td class="num">
      <a href="${settled}" title="Every settled payment of ${symbol}"
        aria-label="${typeof paid === 'number' ? `${signedText(paid, 3)} %` : 'not known'}, settled payments of ${symbol} on ${exchange}">
        ${typeof paid === 'number' ? html`<span class="${toneOf(paid)}">${signedText(paid, 3)}</span>` : '–'}
      </a>
    </td>
    <td class="num">${expectedText(row)}</td>
    <td class="num">${usdt(row.volume_24h_usdt)}</td>
  </tr>\n`;
}

/** What a short is expected to receive in the next 30 days, with the range of four of five past outcomes. */
function expectedText(row: Row): Html {
  const { expected_30d_pct: expected, expected_30d_low_pct: low, expected_30d_high_pct: high } = row;
  if (typeof expected !== 'number')
    return html`<span title="No forecast: under 95 % of the payments of 30 days are held">–</span>`;
  const range = `${signedText(Number(low), 2)} to ${signedText(Number(high), 2)}`;
  return html`<span title="What a short receives. Four of five past outcomes fell into a range of this width">
    ${signedText(expected, 3)}<span class="at mut">${range}</span>
  </span>`;
}

/** What distinguishes two contracts of a venue: the currency after the coin. */
function quoteOf(symbol: string): string {
  return symbol.slice(symbol.indexOf('-') + 1);
}
