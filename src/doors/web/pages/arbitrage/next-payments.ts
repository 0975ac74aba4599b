import { roundPercent } from '../../../../base/numbers.ts';
import { Problem } from '../../../../base/problems.ts';
import { isoTime } from '../../../../base/times.ts';
import { type LegSchedule, paymentsWithin } from '../../../../engines/arbitrage/payments.ts';
import { reversedRange } from '../../../../engines/arbitrage/price-gaps.ts';
import { LEG_CLOSED } from '../../../../market/session.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import type { PairCarry } from '../../../../operations/arbitrage/arbitrage-history.ts';
import { answerForPage, type Row } from '../../layout/visitor.ts';
import { legMark } from '../../markup/direction.ts';
import { percent, shortTime } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageContext } from '../page-context.ts';
import { dollars } from './details.ts';
import { durationText } from './durations.ts';
import { type Lasting, lastingOf } from './lasting.ts';

const HOURS = 24;
const LEG_USD = 10_000;

/** A coming payment as the files of the page have it. */
interface NextPayment {
  at: string;
  leg: 'long' | 'short';
  exchange: string;
  rate_pct: number;
  amount_pct: number;
  amount_usd_per_10000: number;
  total_pct: number;
}

export interface NextPayments extends Lasting {
  payments: NextPayment[];
  cost_pct_round_trip: number;
  /** Null where the pair pays in this direction, or does not cover its costs within a year. */
  break_even_hours: number | null;
  /** Legs that name no settlement: theirs are counted at the end of each interval. */
  untimed: string[];
  leg_closed: boolean;
  price_gap_30d_low_pct: number | null;
  price_gap_30d_high_pct: number | null;
  price_gap_from: string | null;
}

/** The payments of the next 24 hours at the running rates. Null if /arbitrage has no row of the two contracts. */
export async function loadNextPayments(
  { entrance, caller }: PageContext,
  { coin, long_exchange, long_symbol, short_exchange, short_symbol }: PairCarry,
): Promise<NextPayments | null> {
  const query = new Map([
    ['coin', [coin]],
    ['exchange', [long_exchange, short_exchange]],
    ['exchange_match', ['all']],
  ]);
  const answer = await answerForPage<{ pairs: readonly Row[] }>(entrance, arbitrage, caller, query).catch(
    (problem: unknown) => {
      // The days of the page need no snapshot.
      if (problem instanceof Problem && problem.code === 'snapshot-unavailable') return null;
      throw problem;
    },
  );
  if (!answer) return null;
  const { data, meta } = answer;
  const [row] = data.pairs;
  if (!row) return null;
  // The row has the direction that earns now, which may be the other one.
  const isSame = row.long_exchange === long_exchange;
  const symbols = isSame ? [row.long_symbol, row.short_symbol] : [row.short_symbol, row.long_symbol];
  if (symbols[0] !== long_symbol || symbols[1] !== short_symbol) return null;
  const [long, short] = [
    scheduleOf(row, isSame ? 'long' : 'short'),
    scheduleOf(row, isSame ? 'short' : 'long'),
  ];
  const legs = [
    { exchange: long_exchange, schedule: long },
    { exchange: short_exchange, schedule: short },
  ];
  return {
    payments: paymentsWithin(HOURS, long, short, Date.parse(meta.as_of)).map(
      ({ atMs, leg, ratePct, pct, totalPct }) => ({
        at: isoTime(atMs),
        leg,
        exchange: leg === 'long' ? long_exchange : short_exchange,
        rate_pct: ratePct,
        amount_pct: pct,
        amount_usd_per_10000: Number(usd(pct).toFixed(4)),
        total_pct: totalPct,
      }),
    ),
    cost_pct_round_trip: Number(row.cost_pct_round_trip),
    break_even_hours: isSame && typeof row.break_even_hours === 'number' ? row.break_even_hours : null,
    ...gapOf(row, isSame),
    // Those of a row are of its direction.
    ...lastingOf(isSame ? row : {}),
    leg_closed: row[LEG_CLOSED.name] === true,
    untimed: legs.filter(({ schedule }) => Number.isNaN(schedule.nextAtMs)).map(({ exchange }) => exchange),
  };
}

type Gap = Pick<NextPayments, 'price_gap_30d_low_pct' | 'price_gap_30d_high_pct' | 'price_gap_from'>;

function gapOf(row: Row, isSame: boolean): Gap {
  const { price_gap_30d_low_pct: lowPct, price_gap_30d_high_pct: highPct, price_gap_from: from } = row;
  if (typeof lowPct !== 'number' || typeof highPct !== 'number' || typeof from !== 'string')
    return { price_gap_30d_low_pct: null, price_gap_30d_high_pct: null, price_gap_from: null };
  const range = { lowPct, highPct, fromMs: Date.parse(from) };
  const shown = isSame ? range : reversedRange(range);
  return {
    price_gap_30d_low_pct: roundPercent(shown.lowPct),
    price_gap_30d_high_pct: roundPercent(shown.highPct),
    price_gap_from: from,
  };
}

function scheduleOf(row: Row, leg: 'long' | 'short'): LegSchedule {
  const next = row[`${leg}_next_funding_at`];
  return {
    ratePct: Number(row[`${leg}_rate_pct`]),
    intervalHours: Number(row[`${leg}_interval_hours`]),
    nextAtMs: typeof next === 'string' ? Date.parse(next) : Number.NaN,
  };
}

const usd = (pct: number) => (pct / 100) * LEG_USD;

/** The payments in order of time, with a line where they have covered the costs. */
export function nextPaymentsCard(next: NextPayments | null): Html {
  const title = html`<h2>Payments of the next ${HOURS} hours</h2>`;
  if (!next)
    return html`<section class="card mt" id="payments" data-live>
      <header>${title}</header>
      <div class="empty">
        <p>
          The pair has no row on the list of arbitrage now: a rate or a price of one leg is missing, or the
          plan leaves it out.
        </p>
      </div>
    </section>`;
  const { payments, cost_pct_round_trip: costPct, untimed } = next;
  // Where both legs settle at the same time, the sum after both counts.
  const covering = payments.findIndex(
    ({ at, total_pct }, i) => total_pct >= costPct && payments[i + 1]?.at !== at,
  );
  const head = (label: string, small: string) =>
    html`<th scope="col" class="num">${label}<small>${small}</small></th>`;
  const cell = (content: Html) => html`<td class="num">${content}</td>`;
  const line = (payment: NextPayment) =>
    html`<tr data-key="${payment.at} ${payment.leg}">
      <th scope="row">${shortTime(payment.at)}</th>
      <td>${legMark(payment.leg)} ${payment.exchange}</td>
      ${cell(percent(payment.rate_pct))}
      ${cell(percent(payment.amount_pct))}
      ${cell(dollars(usd(payment.amount_pct)))}
      ${cell(percent(payment.total_pct))}
    </tr>\n`;
  const costs = html`<tr data-key="costs" class="sum">
    <th scope="row">Costs</th>
    <td>${coveredText(next, covering >= 0)}</td>
    ${cell(html``)}
    ${cell(percent(-costPct))}
    ${cell(dollars(-usd(costPct)))}
    ${cell(html``)}
  </tr>\n`;
  const before = covering < 0 ? payments : payments.slice(0, covering + 1);
  const after = covering < 0 ? [] : payments.slice(covering + 1);
  const note =
    untimed.length === 0
      ? null
      : html` ${untimed.join(' and ')} ${untimed.length === 1 ? 'names' : 'name'} no settlement; it is counted at
        the end of each interval.`;
  return html`<section class="card mt" id="payments" data-live>
    <header>${title}<span class="mut">at the running rates; positive is received.${note}</span></header>
    <div class="tw" tabindex="0" role="region" aria-label="Payments of the next ${HOURS} hours">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Settles</th>
            <th scope="col">Venue</th>
            ${head('Rate', 'per settlement')}
            ${head('Amount', 'of one leg')}
            ${head('Per $10,000', 'each leg')}
            ${head('Running total', 'payments')}
          </tr>
        </thead>
        <tbody>${before.map(line)}${costs}${after.map(line)}</tbody>
      </table>
    </div>
  </section>`;
}

function coveredText({ break_even_hours: hours }: NextPayments, isCovered: boolean): string {
  const what = 'four fills, opening and closing at today’s prices';
  if (isCovered) return `${what}: covered here`;
  return hours === null
    ? `${what}: not covered within a year`
    : `${what}: covered after ${durationText(hours)}`;
}
