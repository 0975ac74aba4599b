import type { Problem } from '../../../../base/problems.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { lineChart } from '../../markup/charts/line-chart.ts';
import { seriesTones } from '../../markup/charts/tones.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo } from '../../markup/page-links.ts';
import { rangeNote } from '../funding/days-range.ts';
import { wrongFilter } from '../lists/list-states.ts';
import type { PageContext } from '../page-context.ts';
import { coinHead, coinPath, segment } from './head.ts';
import { MODES, type Mode } from './history-query.ts';
import type { LoadedHistory } from './history-rows.ts';
import { DECIMALS, emptyWords, figuresTable, totalsTable } from './history-tables.ts';
import { RANGES_DAYS, rangeText } from './paid-card.ts';
import { changed } from './query.ts';
import { choiceChips } from './venue-choice.ts';

export const LEADS: Readonly<Record<Mode, string>> = {
  settlement:
    'Every settled payment as the venue published it, in percent of the position for its interval. Positive: longs paid shorts.',
  '1d': 'What funding really paid, annualised per day and net of the fees to open and close, from settled payments only. A missing day is a gap in the data, never zero.',
  cumulative:
    'The settled payments added up since the start of the window, in percent of the position, before fees. Positive: longs paid shorts.',
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

export function historyBody(loaded: LoadedHistory, context: PageContext): Html {
  const { coin, query, choice, series, totals, meta } = loaded;
  const { sent, isSignedIn, preferences } = context;
  const { mode, days, range } = query;
  const path = `${coinPath(coin)}/history`;
  const tones = seriesTones(choice.chosen);
  const to = (change: Readonly<Record<string, string | undefined>>) => changed(path, sent, change);
  const modes = MODES.map((one) => ({
    words: MODE_WORDS[one],
    to: to({ resolution: one === '1d' ? undefined : one, days: undefined }),
    isCurrent: one === mode,
  }));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: to({ days: String(one) }),
    isCurrent: one === days,
  }));
  const chart = lineChart({
    id: 'history',
    label: `${MODE_WORDS[mode]}: funding of ${coin} over ${days} days on ${series.length} venues`,
    unit: ' %',
    decimals: DECIMALS[mode],
    heightPx: 340,
    isDaily: mode === '1d',
    series: series.map(({ exchange, points }) => ({
      name: exchange,
      ...(tones.get(exchange) ?? { tone: 's1', dash: 0 }),
      points,
    })),
    empty: html`<p class="mut">${emptyWords(loaded)}</p>`,
  });
  return html`${coinHead(
    coin,
    'history',
    context,
    null,
    html`${liveBadge(meta, linkTo(path, sent))}
      <span>
        <a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}Download CSV</a>
      </span>`,
  )}
    <p class="sub" id="lead">${LEADS[mode]}</p>
    <div class="note-line" id="range-note">${rangeNote(range, isSignedIn)}</div>
    <section class="card">
      <header id="history-head">
        <h2>What funding really paid</h2>
        ${segment('What is shown', modes)}
        ${segment('Range', ranges)}
      </header>
      ${choiceChips('history-venues', choice, tones, (value) => to({ exchange: value, symbol: undefined }))}
      <div class="pad" id="history-plot" data-live>${chart}</div>
    </section>
    <section class="card gap" id="totals" data-live>
      <header><h2>Averages and sums</h2><span class="mut">${days} days, before fees</span></header>
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
