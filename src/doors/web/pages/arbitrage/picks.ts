import type { Table } from '../../../../market/tables/table.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { isStreamed, type MatchedRows } from '../../../../operations/operation.ts';
import { NO_WINDOWS } from '../../layout/visitor.ts';
import { legMark } from '../../markup/direction.ts';
import { moneyText, signedPercent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark } from '../../markup/icons/marks.ts';
import { perSnapshot } from '../../markup/per-snapshot.ts';
import { sparkline } from '../../markup/sparkline.ts';
import { type Trend, trendsOf } from '../funding/trends.ts';
import type { PageContext } from '../page-context.ts';
import type { LateVenues } from '../venues/late-venues.ts';
import { durationText } from './durations.ts';
import { callerOf, openLink, viewQuery } from './query.ts';

/** The best pair by one question: the row in the table of matches. */
interface Pick {
  title: string;
  row: number;
  answer: Html;
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

/** The row with the largest figure; NaN is no figure. */
function best(rows: readonly number[], figure: (row: number) => number): number | null {
  let [found, most]: [number | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const value = figure(row);
    if (value > most) [found, most] = [row, value];
  }
  return found;
}

/** By how many rows the reader may see: plans with delayed data lack the best ones. */
const knownPicks = perSnapshot((_table: Table) => new Map<number, readonly Pick[]>());

function picksOf(all: MatchedRows, late: LateVenues, slippageBp: number): readonly Pick[] {
  // Which venues are late depends on when the page is read.
  if (late.size > 0) return findPicks(all, late, slippageBp);
  const make = () => findPicks(all, late, slippageBp);
  return knownPicks(all.table).getOrInsertComputed(all.rows.length, make);
}

function findPicks({ table, rows }: MatchedRows, late: LateVenues, slippageBp: number): Pick[] {
  const [net, capacity, breakEven, positive] = [
    'net_apr_pct',
    'capacity_usd',
    'break_even_hours',
    'positive_hours_30d_pct',
  ].map((name) => table.cell(name)) as [Cell, Cell, Cell, Cell];
  const isOnTime = (row: number) =>
    !late.has(table.text('long_exchange', row)) && !late.has(table.text('short_exchange', row));
  const isLower = table.cell('capacity_is_lower_bound');
  const mayTake = (row: number, usd: number) => capacity(row) >= usd || isLower(row) === 1;
  const sound = rows.filter((row) => mayTake(row, LEAST_USD) && net(row) > 0 && isOnTime(row));
  const picks: Pick[] = [];
  const add = (title: string, row: number | null, answer: (row: number) => Html) => {
    if (row !== null) picks.push({ title, row, answer: answer(row) });
  };
  add(
    'Best net APR over $100 k',
    best(sound, (row) => (mayTake(row, LARGE_USD) ? net(row) : Number.NaN)),
    (row) => html`<span class="pos">${signedPercent(net(row), 1)}</span> <small>a year</small>`,
  );
  add(
    'Steadiest, 30 days',
    best(sound, positive),
    (row) => html`${positive(row).toFixed(0)}\u00a0% <small>of hours positive</small>`,
  );
  add(
    'Pays its costs back first',
    best(sound, (row) => -breakEven(row)),
    (row) => html`${durationText(breakEven(row))} <small>to break even</small>`,
  );
  add(
    'Takes the most size',
    best(sound, capacity),
    (row) =>
      html`${isLower(row) === 1 ? '≥\u00a0' : ''}${moneyText(capacity(row))} <small>within ${slippageBp} bp</small>`,
  );
  return picks;
}

type Cell = (row: number) => number;

/** Four cards, each with the answer to a question and its pair. */
export function picksHtml(
  all: MatchedRows,
  context: PageContext,
  late: LateVenues,
  asOfMs: number,
  slippageBp: number,
): Html | null {
  const picks = picksOf(all, late, slippageBp);
  const { table } = all;
  return html`<div class="picks" id="picks" data-live>
    ${picks.map(({ title, row, answer }) => {
      const text = (name: string) => table.text(name, row);
      const [coin, long, short] = [text('coin'), text('long_exchange'), text('short_exchange')];
      const trend = pairTrend(context, table, row, asOfMs);
      const label = `7 days, last ${signedPercent(trend?.at(-1) ?? 0, 1)} APR`;
      return html`<a class="pick" href="${openLink(context.sent, `${coin}-${long}-${short}`)}">
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
