import { seriesTones } from '../../markup/charts/tones.ts';
import { type Html, html } from '../../markup/html.ts';
import { RANGES_DAYS, rangeNote, rangeText } from '../funding/days-range.ts';
import type { PageContext } from '../page-context.ts';
import { coinPath, segment } from './head.ts';
import type { PaidChart, PaidMode } from './paid-chart.ts';
import { changed } from './query.ts';
import { choiceChips } from './venue-choice.ts';

const NOTES: Readonly<Record<PaidMode, string>> = {
  daily: 'Settled funding per UTC day, as APR before fees.',
  cumulative: 'Settled payments added up, before fees. + is paid by longs.',
};

/** The chart with its switches. All are links; with scripts they change the chart in place. */
export function paidCard(
  coin: string,
  { mode, days, range, choice, chart }: PaidChart,
  { sent, isSignedIn }: PageContext,
): Html {
  const path = coinPath(coin);
  const tones = seriesTones(choice.chosen);
  const modeLink = (value: PaidMode, words: string) => ({
    words,
    to: changed(path, sent, { mode: value }),
    isCurrent: value === mode,
  });
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: changed(path, sent, { days: String(one) }),
    isCurrent: one === days,
  }));
  return html`<section class="card">
    <header>
      <h2>Funding paid</h2>
      ${segment('What the chart shows', [modeLink('cumulative', 'Cumulative'), modeLink('daily', 'Daily APR')])}
      ${segment('Range', ranges)}
    </header>
    ${choiceChips('paid-venues', choice, tones, (value) => changed(path, sent, { show: value }))}
    <div class="pad" id="paid-plot" data-live>${chart}</div>
    <div class="cfoot">
      <div>
        ${rangeNote(range, isSignedIn) ?? NOTES[mode]}
      </div>
      <a href="${path}/history">Full history</a>
    </div>
  </section>`;
}
