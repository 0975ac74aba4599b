import { perSnapshot } from '../../../../base/per-snapshot.ts';
import { LEG_CLOSED } from '../../../../market/session.ts';
import { ChangedTable } from '../../../../market/tables/changed-table.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { isStreamed, type MatchedRows } from '../../../../operations/operation.ts';
import { firstOfGroups } from '../../../../query/top-rows.ts';
import { NO_WINDOWS } from '../../layout/visitor.ts';
import { legMark, toneOf } from '../../markup/direction.ts';
import { moneyText, signedPercent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark } from '../../markup/icons/marks.ts';
import { sparkline } from '../../markup/sparkline.ts';
import { type Trend, trendsOf } from '../funding/trends.ts';
import type { PageContext } from '../page-context.ts';
import type { LateVenues } from '../venues/late-venues.ts';
import { expectedRange } from './columns.ts';
import { breakEvenText } from './durations.ts';
import { callerOf, openLink, viewQuery, withOpen } from './query.ts';

type Cell = (row: number) => number;

/** A question with the pair that answers it best; null if no pair does. */
interface Pick {
  title: string;
  found: { table: Table; row: number; answer: Html } | null;
}

/** What the head of the page says about all pairs, whatever the filters. */
export interface Overview {
  /** How many pairs the reader may see. */
  total: number;
  picks: readonly Pick[];
}

/** What the figures of the page are for. */
interface Chosen {
  slippageBp: number;
  holdDays: number;
}

const LARGE_USD = 100_000;
/** Pairs that take less are no answer to any of the questions. */
const LEAST_USD = 50_000;
const SPARK = { width: 84, height: 30 };

/** All pairs that the reader may see, at the chosen fees, days and slippage; filters do not change the picks. */
export function allPairs(context: PageContext, asOfMs: number): MatchedRows | null {
  if (!isStreamed(arbitrage)) return null;
  const admission = { caller: callerOf(context), states: NO_WINDOWS };
  return context.entrance.streamedList(arbitrage, admission, viewQuery(context)).matchesAt(asOfMs);
}

/** By whether the reader's data is delayed: then the best rows are missing. */
const overviews = perSnapshot((_table: Table) => new Map<boolean, Overview>());

/** `table` has the rows at the chosen fees, days and slippage. */
export function overviewOf(
  context: PageContext,
  table: Table,
  asOfMs: number,
  late: LateVenues,
  chosen: Chosen,
): Overview | null {
  const known = overviews(table);
  const isDelayed = context.caller.plan.delaySeconds > 0;
  // Which venues are late depends on when the page is read.
  const found = late.size > 0 ? undefined : known.get(isDelayed);
  if (found) return found;
  const all = allPairs(context, asOfMs);
  if (!all) return null;
  const overview = { total: all.rows.length, picks: picksOf(all, late, chosen, isDelayed) };
  if (late.size === 0) known.set(isDelayed, overview);
  return overview;
}

/** The row with the largest figure, of those that are sound; NaN is no figure. Few rows are asked whether they are. */
function best(
  rows: readonly number[],
  figure: (row: number) => number,
  isSound: (row: number) => boolean = () => true,
): number | null {
  let [found, most]: [number | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const value = figure(row);
    if (value > most && isSound(row)) [found, most] = [row, value];
  }
  return found;
}

/** Rows that can answer the questions. Fees and sizes do not change them, so they are found once for a snapshot. */
const timelyRows = perSnapshot((_base: Table) => new Map<boolean, { rows: number[]; isLarge: Uint8Array }>());

function timelyIn(
  { table, rows }: MatchedRows,
  late: LateVenues,
  isDelayed: boolean,
): { rows: readonly number[]; isLarge: Uint8Array } {
  const base = table instanceof ChangedTable ? table.base : table;
  const known = late.size > 0 ? undefined : timelyRows(base).get(isDelayed);
  if (known) return known;
  const [capacity, isLower, isClosed] = ['capacity_usd', 'capacity_is_lower_bound', LEG_CLOSED.name].map(
    (name) => base.cell(name),
  ) as [Cell, Cell, Cell];
  const mayTake = (row: number, usd: number) => capacity(row) >= usd || isLower(row) === 1;
  const isOnTime = (row: number) =>
    late.size === 0 ||
    (!late.has(base.text('long_exchange', row)) && !late.has(base.text('short_exchange', row)));
  const timely = rows.filter((row) => mayTake(row, LEAST_USD) && isOnTime(row) && isClosed(row) === 0);
  const isLarge = new Uint8Array(base.rowCount);
  for (const row of timely) if (mayTake(row, LARGE_USD)) isLarge[row] = 1;
  const found = { rows: timely, isLarge };
  if (late.size === 0) timelyRows(base).set(isDelayed, found);
  return found;
}

/** The large pair that is likely to earn most at least. */
function likeliest(table: Table, rows: readonly number[], isLarge: Uint8Array, least: Cell): number | null {
  const name = 'expected_low_net_desc';
  const sort = arbitrage.rows?.sorts[name];
  if (!(table instanceof ChangedTable) || !sort) return best(rows, least, (row) => isLarge[row] === 1);
  const isKept = (row: number) => isLarge[row] === 1;
  const [first] = firstOfGroups(table, name, sort, arbitrage.rows?.ties ?? [], isKept, () => 0);
  return first === undefined || Number.isNaN(first.key) ? null : first.row;
}

function picksOf(
  all: MatchedRows,
  late: LateVenues,
  { slippageBp, holdDays }: Chosen,
  isDelayed: boolean,
): Pick[] {
  const { table } = all;
  const [net, least, capacity, breakEven, positive] = [
    'net_apr_pct',
    'expected_low_net_apr_pct',
    'capacity_usd',
    'break_even_hours',
    'positive_hours_30d_pct',
  ].map((name) => table.cell(name)) as [Cell, Cell, Cell, Cell, Cell];
  const isLower = table.cell('capacity_is_lower_bound');
  const { rows, isLarge } = timelyIn(all, late, isDelayed);
  const isSound = (row: number) => net(row) > 0;
  const pick = (title: string, row: number | null, answer: (row: number) => Html): Pick => ({
    title,
    found: row === null ? null : { table, row, answer: answer(row) },
  });
  const expected = table.cell('expected_net_apr_pct');
  const likelyBest = likeliest(table, rows, isLarge, least);
  return [
    // A service with less than 30 days of payments has no forecasts.
    likelyBest === null
      ? pick(
          'Best net APR over $100 k',
          best(rows, net, (row) => isLarge[row] === 1 && isSound(row)),
          (row) => html`<span class="pos">${signedPercent(net(row), 1)}</span> <small>a year</small>`,
        )
      : pick(
          'Likely to earn most over $100 k',
          likelyBest,
          (row) =>
            html`<span class="${toneOf(least(row))}">${likelyText(table, row, holdDays)}</span> <small>exp. ${signedPercent(expected(row), 1)}</small>`,
        ),
    pick(
      'Steadiest, 30 days',
      best(rows, positive, isSound),
      (row) => html`${positive(row).toFixed(0)}\u00a0% <small>of hours positive</small>`,
    ),
    pick(
      'Pays its costs back first',
      best(rows.filter(isSound), (row) => -breakEven(row)),
      (row) => html`${breakEvenText(breakEven(row))} <small>to break even</small>`,
    ),
    pick(
      'Takes the most size',
      best(rows, capacity, isSound),
      (row) =>
        html`${isLower(row) === 1 ? '≥\u00a0' : ''}${moneyText(capacity(row))} <small>within ${slippageBp} bp</small>`,
    ),
  ];
}

/** The expected range a year, after costs. */
function likelyText(table: Table, row: number, holdDays: number): string {
  const names = ['expected_low_pct', 'expected_high_pct', 'cost_pct_round_trip'];
  const ends = Object.fromEntries(names.map((name) => [name, table.cell(name)(row)]));
  return `${expectedRange(ends, holdDays)}\u00a0%`;
}

/** Four cards, each with the answer to a question and its pair. A question without an answer says so. */
export function picksHtml({ picks }: Overview, context: PageContext, asOfMs: number): Html {
  const closed = openLink(context.sent, null);
  return html`<div class="picks" id="picks" data-live>
    ${picks.map(({ title, found }) => {
      if (!found)
        return html`<div class="pick"><h2>${title}</h2><span class="big">–</span><p>No pair now</p></div>`;
      const { table, row, answer } = found;
      const text = (name: string) => table.text(name, row);
      const [coin, long, short] = [text('coin'), text('long_exchange'), text('short_exchange')];
      const trend = pairTrend(context, table, row, asOfMs);
      const label = `7 days, last ${signedPercent(trend?.at(-1) ?? 0, 1)} APR`;
      return html`<a class="pick" href="${withOpen(closed, `${coin}-${long}-${short}`)}">
        <h2>${title}</h2>
        <span class="big">${answer}</span>
        ${trend && sparkline(trend, SPARK.width, label, SPARK.height)}
        <p>
          ${coinMark(coin, 18)}
          <b>${coin}</b>
          ${legMark('long')}
          ${long}
          ${legMark('short')}
          ${short}
        </p>
      </a>`;
    })}
  </div>`;
}

/** What the pair paid in the last 7 days, as APR: the short leg less the long one. Null until both are known. */
function pairTrend(context: PageContext, table: Table, row: number, asOfMs: number): Trend | null {
  const legs = (['long', 'short'] as const).map((leg) =>
    trendsOf(context.entrance.data).ofSymbol(
      table.text('coin', row),
      table.text(`${leg}_exchange`, row),
      table.text(`${leg}_symbol`, row),
      asOfMs,
    ),
  );
  const [long, short] = legs;
  if (!long || !short) return null;
  return short.map((value, i) => {
    const paid = long[i];
    return value === null || paid === null || paid === undefined ? null : value - paid;
  });
}
