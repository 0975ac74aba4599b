import { FUNDING_TABLE } from '../../../../engines/funding/table.ts';
import { csvText, flatObjects } from '../../../../operations/answer/flat-rows.ts';
import { coinFunding } from '../../../../operations/coin-funding/coin-funding.ts';
import { funding } from '../../../../operations/funding.ts';
import { escapeMarkdown, markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { answerForPage, type PageAnswer, type Row } from '../../layout/visitor.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { linkTo } from '../../markup/page-links.ts';
import { agesOf } from '../funding/row-age.ts';
import { unitOf } from '../funding/units.ts';
import { alertLink } from '../lists/alert-link.ts';
import { copyAs } from '../lists/copy-as.ts';
import { cycleSeconds } from '../live/cycle.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { type LateVenues, lateNotice, lateVenues } from '../venues/late-venues.ts';
import { outcomes, positionOf } from './calculator.ts';
import { calculatorCard } from './calculator-view.ts';
import { marketCard } from './cards/market-card.ts';
import { type BestPair, loadPairs, pairsCard } from './cards/pairs-card.ts';
import { type CoinComparison, compareRates, comparisonSentence, crossingPct } from './comparison.ts';
import { type FeeChoice, feeChoice, feesFor } from './fees.ts';
import { coinFigures, priceLine } from './figures.ts';
import { coinHead, coinPath, nameOf, unitLinks } from './head.ts';
import { paidCard } from './paid-card.ts';
import { loadPaid, type PaidChart } from './paid-chart.ts';
import { priceChangePct } from './price-change.ts';
import { COIN_PARAMETERS, cleanQuery, operationQuery, sentValue } from './query.ts';
import { rankingCard } from './ranking.ts';
import { settlementsCard } from './settlements.ts';

interface RankedRate {
  exchange: string;
  rate_pct: number;
  interval_hours: number | null;
}

interface CoinFunding extends BestPair {
  highest: RankedRate | null;
  lowest: RankedRate | null;
  coin: string;
  venue_count: number;
  total_volume_24h_usdt: number;
  inverse_venues: readonly string[];
  rates: readonly Row[];
}

interface LoadedCoin extends PageAnswer<CoinFunding> {
  late: LateVenues;
  ageOf: (row: Row) => number | undefined;
  comparison: CoinComparison | null;
  crossingPct: number | null;
  paid: PaidChart;
  pairs: readonly Row[];
  changePct: number | null;
  fees: FeeChoice;
  nowMs: number;
}

const USUAL_HELD_DAYS = 30;
const SHORT_RANKING = 22;

export const COIN_PAGE = definePage<LoadedCoin>({
  path: '/funding/:coin',
  label: 'One coin',
  section: '/funding',
  parameters: COIN_PARAMETERS,
  isLive: true,
  freshness: ({ entrance, caller }) => String(entrance.freshness(coinFunding, caller)),
  clean: cleanQuery,
  load: async (context) => {
    const { entrance, caller, venueTimes, sent } = context;
    const answer = await answerForPage<CoinFunding>(entrance, coinFunding, caller, operationQuery(context));
    const { coin, rates } = answer.data;
    const late = lateVenues(venueTimes(), answer.meta.as_of);
    const pairs = entrance.data.arbitrage.at(caller.plan.delaySeconds, entrance.clock.nowMs());
    const moment = entrance.data.funding.at(caller.plan.delaySeconds, entrance.clock.nowMs());
    const ageOf = moment ? agesOf(moment.table, moment.asOfMs) : () => undefined;
    const comparison = compareRates(rates, (row) => late.get(String(row.exchange)) ?? ageOf(row));
    const [paid, coinPairs] = await Promise.all([loadPaid(context, coin, rates), loadPairs(context, coin)]);
    return {
      ...answer,
      late,
      ageOf,
      comparison,
      crossingPct: comparison && pairs ? crossingPct(coin, comparison, pairs.table) : null,
      paid,
      pairs: coinPairs,
      changePct: priceChangePct(context, coin),
      fees: feeChoice(sentValue(sent, 'fees'), context),
      nowMs: entrance.clock.nowMs(),
    };
  },
  view: (loaded, context) => {
    const { coin } = loaded.data;
    const name = nameOf(coin);
    return {
      title: `${name === coin ? coin : `${name} (${coin})`} funding rates`,
      description: `${coin} funding. ${comparisonSentence(loaded.comparison, loaded.data.rates)}`,
      layout: 'wrap',
      asOf: loaded.meta.as_of,
      scripts: ['live', 'soft', 'filters', 'stars', 'uplot', 'line-chart', ...CODE_SCRIPTS],
      body: coinBody(loaded, context),
    };
  },
  files: {
    // The cards of the matrix read it.
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ data, meta }) => JSON.stringify({ data, meta }),
    },
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: ({ data }) => csvText(flatObjects(FUNDING_TABLE.columns, data.rates)),
    },
  },
  markdown: (loaded, context) => coinMarkdown(loaded, context),
});

function coinMarkdown({ data, meta, comparison, fees, late }: LoadedCoin, context: PageContext): string {
  const { rates, highest, lowest, ...facts } = data;
  const named = {
    ...facts,
    highest_exchange: highest?.exchange,
    highest_rate_pct: highest?.rate_pct,
    highest_interval_hours: highest?.interval_hours,
    lowest_exchange: lowest?.exchange,
    lowest_rate_pct: lowest?.rate_pct,
    lowest_interval_hours: lowest?.interval_hours,
  };
  const position = positionOf(context.sent);
  const results = outcomes(rates, position, feesFor(context, fees), late).map(
    ({ exchange, symbol, usd, session }) => ({
      exchange,
      symbol,
      session,
      usd: Number(usd.toFixed(2)) || 0,
    }),
  );
  const held = `A ${position.side} of ${grouped(position.sizeUsd ?? 0)} USD held ${position.days} days`;
  const words = `${held} at the current rates, after the taker fees to open and close. Negative is paid.`;
  const lead = escapeMarkdown(comparisonSentence(comparison, rates));
  return `${markdownHead(`${data.coin} funding`, lead, meta)}${markdownTable([named])}
## Contracts

${markdownTable(rates)}
## What a position earns or pays

${results.length === 0 ? '' : `${words}\n\n${markdownTable(results)}`}`;
}

function coinBody(loaded: LoadedCoin, context: PageContext): Html {
  const { data, late, ageOf, comparison, crossingPct, paid, pairs, changePct, fees, nowMs, meta } = loaded;
  const { sent, caller, preferences } = context;
  const { coin, rates } = data;
  const path = coinPath(coin);
  const unit = unitOf(sent, preferences);
  const feeOf = feesFor(context, fees);
  const position = positionOf(sent);
  const heldDays = position.days ?? USUAL_HELD_DAYS;
  const totalVolumeUsdt = data.total_volume_24h_usdt;
  const figures = { rates, comparison, crossingPct, totalVolumeUsdt, feeOf, heldDays, nowMs };
  // The ranking of a coin on many venues is the longer column.
  const isShort = rates.length < SHORT_RANKING;
  const cards = html`${pairsCard(coin, pairs, data)}${marketCard(rates)}`;
  const alert = alertLink({ operation: funding }, new Map([['coin', [coin]]]));
  const copy = copyAs(coinFunding, operationQuery(context), context.entrance.baseUrl);
  return html`${coinHead(
    coin,
    'funding',
    context,
    priceLine(rates, changePct),
    html`${liveBadge(meta, linkTo(path, sent), cycleSeconds(context, 'snapshots'))}${unitLinks(path, context, unit)}${alert}${copy}`,
  )}
    <div id="late" data-live>${lateNotice(late)}</div>
    ${coinFigures(figures, unit)}
    <div class="cols">
      <div class="stack">
        ${rankingCard(rates, { path, sent, unit, late, ageOf })}
        ${isShort ? cards : null}
      </div>
      <div class="stack">
        ${paidCard(coin, paid, context)}
${settlementsCard(rates, nowMs)}
${calculatorCard(position, outcomes(rates, position, feeOf, late), { path, sent, fees, hasOwnFees: Boolean(caller.takerFees), isSignedIn: context.isSignedIn })}
        ${isShort ? null : cards}
      </div>
    </div>`;
}
