import type { Problem } from '../../../../../base/problems.ts';
import { DAY_MS } from '../../../../../base/times.ts';
import { liveBadge } from '../../../layout/live-badge.ts';
import { chartCaption, lineChart } from '../../../markup/charts/line-chart.ts';
import { seriesTones } from '../../../markup/charts/tones.ts';
import { dayOfMonth } from '../../../markup/format.ts';
import { type Html, type HtmlValue, html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons/ui-icons.ts';
import { linkTo } from '../../../markup/page-links.ts';
import { RANGES_DAYS, rangeNote, rangeText } from '../../funding/days-range.ts';
import { wrongFilter } from '../../lists/list-states.ts';
import { cycleSeconds } from '../../live/cycle.ts';
import type { PageContext } from '../../page-context.ts';
import { coinHead, coinPath, segment } from '../head.ts';
import { chartPoints } from '../paid.ts';
import { changed } from '../query.ts';
import { choiceChips } from '../venue-choice.ts';
import { priceChart } from './history-prices.ts';
import { MODES, type Mode } from './history-query.ts';
import type { LoadedHistory } from './history-rows.ts';
import { DECIMALS, emptyWords, figuresTable, totalsTable } from './history-tables.ts';

export const LEADS: Readonly<Record<Mode, string>> = {
  settlement: 'Every settled payment, in percent of the position. Positive: longs paid shorts.',
  '1d': 'Settled funding per day, as APR before fees. Positive: longs paid shorts. A day with missing payments is a gap, never zero.',
  cumulative:
    'Settled payments added up since the start of the range, in percent of the position, before fees. Positive: longs paid shorts.',
};
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  settlement: 'Per settlement',
  '1d': 'Per day',
  cumulative: 'Cumulative',
};

/** The page of an address that does not work. */
export function refusedBody(coin: string, problem: Problem, context: PageContext): Html {
  return html`${coinHead(coin, 'history', context, null, null)}
${wrongFilter(problem, `${coinPath(coin)}/history`)}`;
}

const MODE_CAPTIONS: Readonly<Record<Mode, string>> = {
  settlement: 'settled funding, % per payment',
  '1d': 'settled funding per day, APR before fees',
  cumulative: 'settled funding, added up',
};

/** `365 days`, or since when payments are held if that is later. */
function rangeWords({ query, heldSince }: LoadedHistory): HtmlValue {
  return heldSince === null
    ? `${query.days} days`
    : `held since ${dayOfMonth(heldSince)} ${heldSince.slice(0, 4)}`;
}

function heldNote(loaded: LoadedHistory): Html | null {
  if (loaded.heldSince === null) return null;
  return html`<p class="as-of mut">Payments of these venues are ${rangeWords(loaded)}.</p>`;
}

/** The payments themselves, and the figures of the chart where they are others. */
function csvLinks(path: string, sent: PageContext['sent'], mode: Mode): Html {
  const link = (to: string, words: string) =>
    html`<a class="btn" href="${to}" download>${icon('dl')}${words}</a>`;
  return html`<span class="acts" id="csv">
    ${link(changed(`${path}.csv`, sent, { resolution: 'settlement' }), 'Payments, CSV')}
    ${mode === 'settlement' ? null : link(linkTo(`${path}.csv`, sent), 'Chart, CSV')}
  </span>`;
}

export function historyBody(loaded: LoadedHistory, context: PageContext): Html {
  const { coin, query, choice, series, totals, meta, age } = loaded;
  const { sent, isSignedIn, preferences } = context;
  const { mode, days, range } = query;
  const path = `${coinPath(coin)}/history`;
  const tones = seriesTones(choice.chosen);
  const to = (change: Readonly<Record<string, string | undefined>>) => changed(path, sent, change);
  const modes = MODES.map((one) => ({
    words: MODE_WORDS[one],
    to: to({ resolution: one === '1d' ? undefined : one }),
    isCurrent: one === mode,
  }));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: to({ days: String(one) }),
    isCurrent: one === days,
  }));
  const lines = series.map(({ exchange, points }) => ({
    name: exchange,
    ...(tones.get(exchange) ?? { tone: 's1' as const, dash: 0 as const }),
    points: mode === 'cumulative' ? points : chartPoints(points, days),
  }));
  const isDaily = mode === '1d' || (mode === 'settlement' && days >= 180);
  const chart = lineChart({
    id: 'history',
    label: `${MODE_WORDS[mode]}: funding of ${coin} over ${days} days on ${series.length} venues`,
    unit: ' %',
    decimals: DECIMALS[mode],
    heightPx: 340,
    isDaily,
    series: lines,
    caption: chartCaption(coin, MODE_CAPTIONS[mode], rangeText(days), meta.as_of),
    empty: html`<p class="mut">${emptyWords(loaded)}</p>`,
  });
  const times = lines.flatMap(({ points }) => points.map(([atMs]) => atMs));
  const asOfMs = Date.parse(age.as_of);
  return html`${coinHead(
    coin,
    'history',
    context,
    null,
    html`${liveBadge(age, linkTo(path, sent), cycleSeconds(context, 'snapshots'))}
      ${csvLinks(path, sent, mode)}`,
  )}
    <p class="sub" id="lead">${LEADS[mode]}</p>
    <div class="note-line" id="range-note">${rangeNote(range, isSignedIn)}${heldNote(loaded)}</div>
    <section class="card">
      <header id="history-head">
        <h2>Funding paid</h2>
        ${segment('What is shown', modes)}
        ${segment('Range', ranges)}
      </header>
      ${choiceChips('history-venues', choice, tones, (value) => to({ exchange: value, symbol: undefined }))}
      <div class="pad" id="history-plot" data-live>
        ${chart}
        ${priceChart(loaded, times.length > 0 ? times : [asOfMs - days * DAY_MS, asOfMs], isDaily)}
      </div>
    </section>
    <section class="card gap" id="totals" data-live>
      <header><h2>Averages and sums</h2><span class="mut">${rangeWords(loaded)}, before fees</span></header>
      ${totalsTable(coin, totals, preferences.unit)}
    </section>
    <section class="card gap" id="figures" data-live>
      <header>
        <h2>Every figure</h2>
        <span class="mut">${mode === '1d' ? 'UTC days, ' : null}newest first</span>
      </header>
      ${figuresTable(loaded)}
    </section>`;
}
