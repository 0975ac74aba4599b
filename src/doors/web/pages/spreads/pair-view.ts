import { SIZES_USD } from '../../../../history/samples/model.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { toneOf } from '../../markup/direction.ts';
import { signedPercent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { ownCoinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { statStrip } from '../../markup/stat-strip.ts';
import { pairDepthCards } from '../depth/pair-depth.ts';
import { closedPairNotice } from '../lists/closed-markets.ts';
import { cycleSeconds } from '../live/cycle.ts';
import type { PageContext } from '../page-context.ts';
import { chartCard } from './pair-chart.ts';
import { cyclesCard, distributionCard } from './pair-cycles.ts';
import { isLegClosed, type LoadedPair, ORDER_PARAMETER } from './pair-data.ts';
import { legsCard } from './pair-legs.ts';
import { PAIR_PATH } from './paths.ts';

export function pairBody(loaded: LoadedPair, context: PageContext): Html {
  const { coin, exchangeA, exchangeB, meta, row } = loaded;
  const { sent } = context;
  return html`<nav class="crumb" aria-label="Breadcrumb">
      <a href="/spreads">Spreads</a>
      ${icon('right')}
      <a href="/spreads/backtest">Backtest</a>
      ${icon('right')}
      <a href="/spreads?coin=${encodeURIComponent(coin)}&amp;open=${encodeURIComponent(coin)}">${coin}</a>
    </nav>
    <div class="pairhd">
      <h1>
        ${ownCoinMark(coin, 24)}
        ${coin}
        <span class="bar1" aria-hidden="true"></span>
        <span class="ven">${venueMark(exchangeA, 20)}${exchangeA}</span>
        ${icon('swap')}
        <span class="ven">${venueMark(exchangeB, 20)}${exchangeB}</span>
      </h1>
      <div class="end">
        ${liveBadge(meta, linkTo(PAIR_PATH, sent), cycleSeconds(context, 'backtest'))}
        ${sizeSwitch(loaded, context)}
      </div>
    </div>
    ${closedPairNotice(isLegClosed(loaded))}
    ${legsCard(loaded)}
${row ? results(loaded) : noResults(context)}
${chartCard(loaded, context)}
    <div class="cols c21 mt">
      ${cyclesCard(loaded, context)}
      <div class="stack">${distributionCard(loaded)}${ruleCard(loaded)}</div>
    </div>
    ${pairDepthCards(loaded.depth, PAIR_PATH, context, ORDER_PARAMETER)}`;
}

function sizeSwitch({ sizeUsd }: LoadedPair, { sent }: PageContext): Html {
  return html`<span class="lab">
    Order size <span class="seg" role="group" aria-label="Order size">
      ${SIZES_USD.map(
        (size) =>
          html`<a
            href="${linkWith(PAIR_PATH, sent, { size_usd: String(size) })}"${size === sizeUsd ? html` aria-current="true"` : null}>
            $${size}
          </a>`,
      )}
    </span>
  </span>`;
}

/** Six figures of the backtest row. */
function results({ row, cycles, sizeUsd }: LoadedPair): Html {
  const [median, mean] = [Number(row?.est_profit_pct), Number(row?.avg_profit_pct)];
  const count = Number(row?.cycles);
  const lost = cycles.filter(({ profit_pct }) => profit_pct <= 0).length;
  const inProfit = cycles.length === 0 ? '–' : `${Math.round((1 - lost / cycles.length) * 100)}\u00a0%`;
  const usd = ((mean / 100) * sizeUsd).toFixed(2).replace('-', '−');
  return statStrip(
    [
      {
        label: 'Median profit',
        value: signedPercent(median, 3),
        tone: toneOf(median),
        meaning: 'per round trip, after fees',
      },
      {
        label: 'Mean profit',
        value: signedPercent(mean, 3),
        tone: toneOf(mean),
        meaning: `$${usd} on $${sizeUsd}`,
      },
      { label: 'Cycles, 7 days', value: count, meaning: 'opened and closed' },
      { label: 'In profit', value: inProfit, meaning: `${lost} lost money` },
      {
        label: 'Fees per cycle',
        value: `${Number(row?.fee_pct_cycle).toFixed(2)}\u00a0%`,
        meaning: 'four taker fills',
      },
      {
        label: 'Confidence',
        value: html`${Number(row?.confidence)} <small>of 100</small>`,
        meaning: 'cycles, spread of results, gaps',
      },
    ],
    'figures',
  );
}

function noResults({ caller }: PageContext): Html {
  const isDelayed = caller.plan.delaySeconds > 0;
  return html`<section class="card mb">
    <div class="pad">
      <p>
        ${
          isDelayed
            ? html`No results here: no cycle of this pair has closed in the window, or it is among the best
              pairs, which a plan shows. <a class="lnk" href="/plans">Plans</a>`
            : html`No cycle of this pair has closed in the last 7 days: the spread never left enough after fees.`
        }
      </p>
    </div>
  </section>`;
}

function ruleCard({ sizeUsd }: LoadedPair): Html {
  return html`<section class="card">
    <header><h2>How this is tested</h2></header>
    <div class="pad prose">
      <p>
        Every minute we price a <b>$${sizeUsd}</b> order against both books. A cycle opens when the spread,
        with its usual exit and after four fills, leaves at least <b>0.05\u00a0%</b>. It closes at the usual
        exit, or after 24 h at whatever the price is then, loss included.
      </p>
      <p>
        Funding paid while a cycle is open is <b>not</b> in the profit. <a class="lnk" href="/developers/backtest">
          The full rule
        </a>
      </p>
    </div>
  </section>`;
}
