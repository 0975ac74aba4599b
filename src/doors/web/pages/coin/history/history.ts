import { csvOfObjects } from '../../../../../base/csv.ts';
import { Problem } from '../../../../../base/problems.ts';
import { DAY_MS, isoTime } from '../../../../../base/times.ts';
import { coinFunding } from '../../../../../operations/coin-funding/coin-funding.ts';
import { fundingHistory } from '../../../../../operations/funding-history/funding-history.ts';
import type { HistorySeries } from '../../../../../operations/funding-history/points.ts';
import { markdownTable } from '../../../../documents/markdown.ts';
import { answerForPage, type PageAnswer, type Row } from '../../../layout/visitor.ts';
import { markdownHead } from '../../../markup/markdown.ts';
import { pageAge } from '../../live/page-age.ts';
import { definePage } from '../../market-page.ts';
import type { PageContext } from '../../page-context.ts';
import { nameOf } from '../head.ts';
import { dailyByVenue, type History, type PaidWindow, paidByVenue } from '../paid.ts';
import { venueChoice, venuesByVolume } from '../venue-choice.ts';
import { loadPrices } from './history-prices.ts';
import {
  checkVenues,
  cleanHistoryQuery,
  HISTORY_PARAMETERS,
  type HistoryQuery,
  historyQuery,
} from './history-query.ts';
import { fieldsOf, type LoadedHistory, shownRows, shownSeries, totalsOf } from './history-rows.ts';
import { historyBody, LEADS, refusedBody } from './history-view.ts';

/** What is wrong with the address; the page keeps its controls. */
interface RefusedHistory {
  coin: string;
  problem: Problem;
}

const INLINE_PROBLEMS: ReadonlySet<string> = new Set(['invalid-parameter', 'unknown-exchange', 'plan-limit']);

const MOST_NAMED_VENUES = 3;

/** What funding paid on a coin: chart, sums and every figure, for the venues that the reader chooses. */
export const HISTORY_PAGE = definePage<LoadedHistory | RefusedHistory>({
  path: '/funding/:coin/history',
  label: 'History of a coin',
  section: '/funding',
  parameters: HISTORY_PARAMETERS,
  isLive: true,
  freshness: ({ entrance, caller }) => String(entrance.freshness(fundingHistory, caller)),
  clean: cleanHistoryQuery,
  load: async (context) => {
    try {
      return await loadHistory(context);
    } catch (problem) {
      if (!(problem instanceof Problem) || !INLINE_PROBLEMS.has(problem.code)) throw problem;
      return { coin: (context.named.coin ?? '').toUpperCase(), problem };
    }
  },
  view: (loaded, context) => {
    const { coin } = loaded;
    const name = nameOf(coin);
    const texts = {
      title: `${name === coin ? coin : `${name} (${coin})`} funding history`,
      description: `Settled funding of ${coin} perpetuals by venue: every payment, per day as APR before fees, and added up`,
      layout: 'wrap' as const,
    };
    if ('problem' in loaded)
      return {
        ...texts,
        status: loaded.problem.status,
        body: refusedBody(coin, loaded.problem, context),
      };
    return {
      ...texts,
      asOf: loaded.age.as_of,
      scripts: ['live', 'soft', 'stars', 'sticky-heads', 'uplot', 'line-chart'],
      body: historyBody(loaded, context),
    };
  },
  markdown: (loaded) => {
    if ('problem' in loaded) throw loaded.problem;
    const { coin, query, series, meta } = loaded;
    return `${markdownHead(`${coin} funding history`, LEADS[query.mode], meta)}${markdownTable(shownRows(coin, query.mode, series))}`;
  },
  files: {
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: (loaded) => {
        if ('problem' in loaded) throw loaded.problem;
        const { coin, query, series } = loaded;
        return csvOfObjects(shownRows(coin, query.mode, series), fieldsOf(query.mode));
      },
      headers: (loaded) =>
        'problem' in loaded ? {} : { 'content-disposition': `attachment; filename="${fileName(loaded)}"` },
    },
  },
});

async function loadHistory(context: PageContext): Promise<LoadedHistory> {
  const query = historyQuery(context);
  checkVenues(query, context);
  const { data, meta } = await requestDays(context, query);
  const { coin } = data;
  const all = await venuesOf(context, data.series);
  // Venues that no longer quote the coin have no volume, but the address can name them.
  const others = data.series.map(({ exchange }) => exchange).filter((name) => !all.includes(name));
  const choice = venueChoice(query.venues, [...all, ...others]);
  const paid = await paidByVenue(context, coin, choice.chosen, query.days, query.symbol);
  const daily =
    query.mode === '1d' && choice.chosen.length > 0
      ? (await dailyByVenue(context, coin, choice.chosen, query.days, query.symbol)).series
      : [];
  const age = pageAge(context, meta);
  const order = (one: { exchange: string }) => choice.chosen.indexOf(one.exchange);
  return {
    coin,
    query,
    choice,
    series: shownSeries(query.mode, paid, daily).toSorted((a, b) => order(a) - order(b)),
    heldSince: heldSince(paid),
    totals: paid.series.map(totalsOf).toSorted((a, b) => (b.sumPct ?? -1e9) - (a.sumPct ?? -1e9)),
    prices: await loadPrices(context, coin, query.days, age.as_of),
    ...{ meta, age },
  };
}

/** Null if the payments reach back to the start of the window, give or take a day. */
function heldSince({ series, fromMs }: PaidWindow): string | null {
  const firsts = series.flatMap((one) => one.heldSince ?? []).toSorted();
  return firsts[0] !== undefined && Date.parse(firsts[0]) > fromMs + DAY_MS ? firsts[0] : null;
}

/** `ETH-Bybit-funding-2025-11-18-2026-11-18.csv`: coin, venues and range. */
function fileName({ coin, query, choice, age }: LoadedHistory): string {
  const venues =
    choice.chosen.length > MOST_NAMED_VENUES ? [`${choice.chosen.length}-venues`] : choice.chosen;
  const to = age.as_of.slice(0, 10);
  const from = isoTime(Date.parse(to) - query.days * DAY_MS).slice(0, 10);
  const what = { settlement: 'funding', '1d': 'funding-per-day', cumulative: 'funding-added-up' }[query.mode];
  return `${[coin, ...venues, what, from, to].join('-').replaceAll(/[^\w-]/g, '_')}.csv`;
}

/** One day of all venues: which there are, and the name of the coin as the API spells it. */
function requestDays(
  { entrance, caller, named }: PageContext,
  { symbol }: HistoryQuery,
): Promise<PageAnswer<History>> {
  const query = new Map([
    ['coin', [named.coin ?? '']],
    ['days', ['1']],
  ]);
  if (symbol !== null) query.set('symbol', [symbol]);
  return answerForPage<History>(entrance, fundingHistory, caller, query);
}

/** By volume. A coin that is quoted nowhere any more still has its history. */
async function venuesOf(
  { entrance, caller, named }: PageContext,
  series: readonly HistorySeries[],
): Promise<string[]> {
  const held = new Set(series.map(({ exchange }) => exchange));
  try {
    const { data } = await answerForPage<{ rates: readonly Row[] }>(
      entrance,
      coinFunding,
      caller,
      new Map([['coin', [named.coin ?? '']]]),
    );
    return venuesByVolume(data.rates).filter((name) => held.has(name));
  } catch (problem) {
    if (problem instanceof Problem && (problem.status === 404 || problem.status === 503)) return [];
    throw problem;
  }
}
