import { isoTime } from '../../../../../base/times.ts';
import { liveBadge } from '../../../layout/live-badge.ts';
import { chartCaption, lineChart } from '../../../markup/charts/line-chart.ts';
import { seriesTones } from '../../../markup/charts/tones.ts';
import { percent, shortTime, usdt } from '../../../markup/format.ts';
import { type Html, html } from '../../../markup/html.ts';
import { venueName } from '../../../markup/icons/marks.ts';
import { icon } from '../../../markup/icons/ui-icons.ts';
import { linkChanged, linkTo } from '../../../markup/page-links.ts';
import { rangeNote, rangeText } from '../../funding/days-range.ts';
import type { PageContext } from '../../page-context.ts';
import { runningPath } from '../../running/paths.ts';
import { coinHead, coinPath, segment } from '../head.ts';
import { choiceChips } from '../venue-choice.ts';
import { endOf, type LoadedInterest, RANGES_DAYS, USUAL_DAYS, VALID_MS } from './interest-data.ts';

const HEIGHT_PX = 240;
const COUNT_HEIGHT_PX = 100;
/** Dollars of the axis: billions, millions or thousands. */
const SCALES = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

type Point = readonly [atMs: number, value: number | null];
type Series = LoadedInterest['series'][number];

export const interestPath = (coin: string): string => `${coinPath(coin)}/open-interest`;

export function interestBody(loaded: LoadedInterest, context: PageContext): Html {
  const { coin, meta } = loaded;
  const { sent } = context;
  const path = interestPath(coin);
  return html`${coinHead(
    coin,
    'interest',
    context,
    null,
    html`${liveBadge(meta, linkTo(path, sent), VALID_MS / 1000)}
      <a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}CSV</a>`,
  )}
    ${totalCard(loaded, context)}
    ${premiumCard(loaded, context)}
    ${venuesCard(loaded)}`;
}

function totalCard(loaded: LoadedInterest, { sent, isSignedIn }: PageContext): Html {
  const { coin, days, range, total, meta } = loaded;
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: linkChanged(interestPath(coin), sent, { days: one === USUAL_DAYS ? undefined : String(one) }),
    isCurrent: one === days,
  }));
  const most = Math.max(0, ...total.map(({ open_interest_usdt }) => open_interest_usdt ?? 0));
  const [unitUsd, unit] = SCALES.find(([least]) => most >= least) ?? [1, ''];
  return html`<section class="card" id="interest">
    <header>
      <h2>Open interest, all venues</h2>
      <span class="mut">largest contract of each venue, $</span>
      ${segment('Range', ranges)}
    </header>
    <div class="pad" id="interest-plot" data-live>
      ${lineChart({
        id: 'interest-chart',
        label: `Open interest of ${coin}, summed over venues, over ${days} days`,
        unit: unit === '' ? '' : `\u00a0${unit}`,
        decimals: 2,
        heightPx: HEIGHT_PX,
        isFromZero: false,
        isPrice: true,
        hasDays: days === USUAL_DAYS,
        series: [
          {
            ...{ name: 'All venues', tone: 's1', dash: 0 },
            points: withGaps(
              loaded,
              total.map(({ at, open_interest_usdt: sum }) => [at, sum === null ? null : sum / unitUsd]),
            ),
          },
        ],
        caption: chartCaption(coin, 'open interest, $', rangeText(days), meta.as_of),
        empty: html`<p class="mut">No open interest of this range is recorded.</p>`,
      })}
      ${countChart(loaded)}
    </div>
    <div class="cfoot">
      <div>
        ${rangeNote(range, isSignedIn)}
        <span id="recorded" data-live>${countText(loaded)}</span>
      </div>
    </div>
  </section>`;
}

/** How many venues make the sum, where it changes: a step of the sum is then no change of the market. */
function countChart(loaded: LoadedInterest): Html | null {
  const { total, days } = loaded;
  if (new Set(total.map(({ open_interest_venues: count }) => count)).size < 2) return null;
  return lineChart({
    id: 'venues-chart',
    label: `Venues in the sum over ${days} days`,
    unit: '',
    decimals: 0,
    heightPx: COUNT_HEIGHT_PX,
    isPrice: true,
    series: [
      {
        ...{ name: 'Venues', tone: 's0', dash: 0 },
        points: withGaps(
          loaded,
          total.map(({ at, open_interest_venues: count }) => [at, count]),
        ),
      },
    ],
    caption: 'Venues in the sum',
  });
}

/** How many venues make the sum, since when it is recorded, and what a gap means. */
function countText({ total, fromMs, stepMs }: LoadedInterest): Html {
  const [first, last] = [total[0], total.at(-1)];
  if (!first || !last)
    return html`Nothing of this range is recorded. Open interest is recorded every five minutes.`;
  const counts = total.map(({ open_interest_venues: count }) => count);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const sum =
    fewest === most
      ? html`The sum is of ${most === 1 ? '1 venue' : `${most} venues`} at all times.`
      : html`The sum is of ${last.open_interest_venues} venues now, of ${fewest} to ${most} in this range: compare times with the same number.`;
  const since = Date.parse(first.at) > fromMs + stepMs ? html` Recorded since ${shortTime(first.at)}.` : null;
  return html`${sum}${since} A gap is a gap: nothing was recorded then.`;
}

/** Steps as points at their ends, with a gap where steps are missing, over the whole range. */
function withGaps(
  { fromMs, toMs, stepMs }: Pick<LoadedInterest, 'fromMs' | 'toMs' | 'stepMs'>,
  steps: readonly (readonly [at: string, value: number | null])[],
): Point[] {
  if (steps.length === 0) return [];
  const points: Point[] = [[fromMs, null]];
  for (const [at, value] of steps) {
    const [atMs, lastMs] = [endOf(at, stepMs, toMs), points.at(-1)?.[0] ?? 0];
    if (points.length > 1 && atMs - lastMs > stepMs) points.push([lastMs + stepMs, null]);
    points.push([atMs, value]);
  }
  if ((points.at(-1)?.[0] ?? toMs) < toMs) points.push([toMs, null]);
  return points;
}

function premiumCard(loaded: LoadedInterest, { sent }: PageContext): Html {
  const { coin, days, choice, series, meta } = loaded;
  const tones = seriesTones(choice.chosen);
  const path = interestPath(coin);
  return html`<section class="card gap" id="premium">
    <header>
      <h2>Premium</h2>
      <span class="mut">mark price above the index price, %</span>
    </header>
    ${choiceChips('premium-venues', choice, tones, (value) => linkChanged(path, sent, { show: value }))}
    <div class="pad" id="premium-plot" data-live>
      ${lineChart({
        id: 'premium-chart',
        label: `Premium of ${coin} by venue over ${days} days`,
        unit: '\u00a0%',
        decimals: 3,
        heightPx: HEIGHT_PX,
        hasDays: days === USUAL_DAYS,
        series: series
          .filter(({ exchange }) => choice.chosen.includes(exchange))
          .map(({ exchange, points }) => ({
            name: exchange,
            ...(tones.get(exchange) ?? { tone: 's1', dash: 0 }),
            points: withGaps(
              loaded,
              points.map(({ at, premium_pct }) => [at, premium_pct]),
            ),
          })),
        caption: chartCaption(coin, 'premium', rangeText(days), meta.as_of),
        empty: html`<p class="mut">
          ${choice.chosen.length === 0 ? 'No venue is chosen.' : 'No premium of these venues is recorded in this range.'}
        </p>`,
      })}
    </div>
    <p class="cfoot"><span>Above zero the contract is dearer than the coin, and longs tend to pay.</span></p>
  </section>`;
}

interface VenueFigures {
  exchange: string;
  symbol: string;
  interestUsdt: number | null;
  changePct: number | null;
  premiumPct: number | null;
  lowPct: number | null;
  highPct: number | null;
}

export function venueFigures({ exchange, symbol, points }: Series): VenueFigures {
  const interest = points.flatMap(({ open_interest_usdt: usd }) => usd ?? []);
  const [first, last] = [interest[0], interest.at(-1)];
  const known = (field: 'low_premium_pct' | 'high_premium_pct') =>
    points.flatMap((point) => point[field] ?? []);
  const [lows, highs] = [known('low_premium_pct'), known('high_premium_pct')];
  return {
    exchange,
    symbol,
    interestUsdt: last ?? null,
    changePct: first && last !== undefined ? (last / first - 1) * 100 : null,
    premiumPct: points.findLast(({ premium_pct }) => premium_pct !== null)?.premium_pct ?? null,
    lowPct: lows.length === 0 ? null : Math.min(...lows),
    highPct: highs.length === 0 ? null : Math.max(...highs),
  };
}

function venuesCard({ coin, days, series, meta }: LoadedInterest): Html {
  const rows = series
    .map(venueFigures)
    .toSorted(
      (a, b) => (b.interestUsdt ?? -1) - (a.interestUsdt ?? -1) || (a.exchange < b.exchange ? -1 : 1),
    );
  return html`<section class="card gap" id="venues" data-live>
    <header>
      <h2>By venue</h2>
      <span class="mut">${rangeText(days)} up to ${shortTime(isoTime(Date.parse(meta.as_of)))}</span>
    </header>
    <div class="tw" tabindex="0" role="region" aria-label="Open interest and premium by venue">
      <table class="t keep">
        <thead>
          <tr>
            <th scope="col">Venue</th>
            <th scope="col" class="d">Contract</th>
            <th scope="col" class="num">Open interest<small>last recorded</small></th>
            <th scope="col" class="num">Change<small>in ${rangeText(days)}, %</small></th>
            <th scope="col" class="num">Premium<small>last, %</small></th>
            <th scope="col" class="num">Lowest<small>premium, %</small></th>
            <th scope="col" class="num">Highest<small>premium, %</small></th>
          </tr>
        </thead>
        <tbody>${rows.map((row) => venueRow(coin, row))}</tbody>
      </table>
    </div>
  </section>`;
}

function venueRow(coin: string, row: VenueFigures): Html {
  const { exchange, symbol, interestUsdt, changePct, premiumPct, lowPct, highPct } = row;
  return html`<tr data-key="${exchange}">
    <td><a class="vl" href="${runningPath(coin, exchange, symbol)}">${venueName(exchange)}</a></td>
    <td class="d">${symbol}</td>
    <td class="num"><b>${usdt(interestUsdt)}</b></td>
    <td class="num">${percent(changePct, 1)}</td>
    <td class="num">${percent(premiumPct, 3)}</td>
    <td class="num">${percent(lowPct, 3)}</td>
    <td class="num">${percent(highPct, 3)}</td>
  </tr>\n`;
}
