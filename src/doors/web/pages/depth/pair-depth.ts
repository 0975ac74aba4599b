import { Problem } from '../../../../base/problems.ts';
import type { Row } from '../../layout/visitor.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueName } from '../../markup/icons/marks.ts';
import type { PageContext } from '../page-context.ts';
import { ageText, bandText } from './book-texts.ts';
import { type Book, type ContractName, loadBook, loadWeek, type Week } from './books.ts';
import { curveCard, weekCard } from './cost-cards.ts';
import { type CostLine, type CostPage, costText, costUsdText, curveSum, usdText, weekSum } from './costs.ts';
import { dayFigures } from './hours.ts';
import { contractLink } from './paths.ts';
import { sizeChoice, sizeIn } from './size.ts';

/** The first leg is bought to get in, the second one sold. */
export interface PairLegs {
  bought: ContractName;
  sold: ContractName;
  /** Names of the two ways to trade: `Get in` and `Get out`. */
  ways: readonly [string, string];
  verbs: string;
}

interface LegDepth {
  name: ContractName;
  book: Book | null;
  week: Week | null;
}

/** The books of both legs and what they cost through the week. */
export interface PairDepth {
  legs: PairLegs;
  sizeUsd: number;
  bought: LegDepth;
  sold: LegDepth;
}

/** `parameter` is the one of the address that has the size. */
export async function loadPairDepth(
  context: PageContext,
  legs: PairLegs,
  parameter: string,
): Promise<PairDepth> {
  const sizeUsd = sizeIn(context, parameter);
  const [bought, sold] = await Promise.all([
    legDepth(context, legs.bought, sizeUsd),
    legDepth(context, legs.sold, sizeUsd),
  ]);
  return { legs, sizeUsd, bought, sold };
}

async function legDepth(context: PageContext, name: ContractName, sizeUsd: number): Promise<LegDepth> {
  try {
    const week = await loadWeek(context, name, sizeUsd);
    const named = { ...name, symbol: week.symbol };
    return { name: named, week, book: await loadBook(context, named, sizeUsd) };
  } catch (problem) {
    // The pair has other data; that of its books is missing.
    if (problem instanceof Problem) return { name, week: null, book: null };
    throw problem;
  }
}

function costPage({ legs, sizeUsd, bought, sold }: PairDepth): CostPage {
  const [a, b] = [bought.book, sold.book];
  const [weekA, weekB] = [bought.week, sold.week];
  const [first, second] = legs.ways;
  return {
    sizeUsd,
    subject: `${bought.name.coin}, ${bought.name.exchange} and ${sold.name.exchange}`,
    verbs: legs.verbs,
    week: weekA && weekB && { fromMs: weekA.fromMs, toMs: weekA.toMs, asOf: weekA.meta.as_of },
    lines: [
      {
        name: first,
        words: `buy ${bought.name.exchange}, sell ${sold.name.exchange}`,
        tone: 's1',
        curve: curveSum(a?.buy ?? null, b?.sell ?? null),
        week: weekSum(weekA?.buy ?? [], weekB?.sell ?? []),
      },
      {
        name: second,
        words: `buy ${sold.name.exchange}, sell ${bought.name.exchange}`,
        tone: 's2',
        curve: curveSum(a?.sell ?? null, b?.buy ?? null),
        week: weekSum(weekA?.sell ?? [], weekB?.buy ?? []),
      },
    ],
  };
}

/** What both legs cost at the chosen size: now by leg, by size, and through the week. */
export function pairDepthCards(
  depth: PairDepth,
  path: string,
  context: PageContext,
  parameter: string,
): Html {
  const { bought, sold } = depth;
  const page = costPage(depth);
  const ages = [bought.book, sold.book].flatMap((book) => (book ? [Number(book.row.book_age_seconds)] : []));
  const age = ages.length === 0 ? null : `older book ${ageText(Math.max(...ages))}`;
  return html`<section class="mt" id="size">
    <div class="sizebar"><h2>What it costs at your size</h2>${sizeChoice(path, context, parameter)}</div>
    <div class="cols">
      ${legsCard(depth, page)}
      ${curveCard(page, age)}
    </div>
    ${weekCard(page)}
  </section>`;
}

function legsCard({ sizeUsd, bought, sold }: PairDepth, page: CostPage): Html {
  const head = (label: string, small: string, name = 'num') =>
    html`<th scope="col" class="${name}">${label}<small>${small}</small></th>`;
  return html`<section class="card" id="leg-costs" data-live>
    <header><h2>${usdText(sizeUsd)} a leg now</h2><span class="mut">before fees</span></header>
    <div class="tw" tabindex="0" role="region" aria-label="Costs by leg">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Leg</th>
            ${head('Buy', 'now')}
            ${head('Sell', 'now')}
            ${head('Within 10 bp', 'buy · sell', 'num d')}
            ${head('Age', 'of the book')}
          </tr>
        </thead>
        <tbody>
          ${legRow(bought, sizeUsd)}
          ${legRow(sold, sizeUsd)}
        </tbody>
      </table>
    </div>
    <div class="tw">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Both legs</th>
            ${head('Now', 'by the books')}
            ${head('Usual', '24 h, median')}
            ${head('Worst 5\u00a0%', '24 h')}
          </tr>
        </thead>
        <tbody>${page.lines.map((line) => wayRow(line, page))}</tbody>
      </table>
    </div>
  </section>`;
}

function legRow({ name, week, book }: LegDepth, sizeUsd: number): Html {
  const venue = venueName(name.exchange);
  // A contract that the venue no longer lists has no page.
  const link = week ? html`<a href="${contractLink(name, String(sizeUsd))}">${venue}</a>` : venue;
  if (!book)
    return html`<tr><th scope="row">${link}</th><td colspan="4">No order book of the last hour.</td></tr>`;
  const { row } = book;
  return html`<tr>
    <th scope="row">${link}</th>
    <td class="num">${costOf(row, 'buy')}</td>
    <td class="num">${costOf(row, 'sell')}</td>
    <td class="num d">${bandText(row, 'ask', 10)} · ${bandText(row, 'bid', 10)}</td>
    <td class="num">${ageText(row.book_age_seconds)}</td>
  </tr>`;
}

function costOf(row: Row, what: 'buy' | 'sell'): string {
  const pct = row[`${what}_cost_pct`];
  return typeof pct === 'number' ? costText(pct) : 'unknown';
}

function wayRow({ name, words, curve, week }: CostLine, { sizeUsd, week: window }: CostPage): Html {
  const { medianPct, worstPct } = dayFigures(week, window?.toMs ?? 0);
  const now = curve?.costPct(sizeUsd) ?? Number.NaN;
  const cell = (pct: number | null) =>
    pct === null || Number.isNaN(pct)
      ? html`<td class="num mut">unknown</td>`
      : html`<td class="num">${costText(pct)}<small class="at">${costUsdText(pct, sizeUsd)}</small></td>`;
  return html`<tr>
    <th scope="row">${name}<small class="way">${words}</small></th>
    ${cell(now)}
    ${cell(medianPct)}
    ${cell(worstPct)}
  </tr>`;
}
