import { DAY_MS } from '../../../../base/times.ts';
import { assetPath } from '../assets.ts';
import { shortTime } from '../format.ts';
import { grouped } from '../grouped.ts';
import { Html, type HtmlValue, html } from '../html.ts';
import { type Scale, scaleOf, timeTicks } from './scale.ts';
import type { Dash, Tone } from './tones.ts';

export interface ChartSeries {
  name: string;
  tone: Tone;
  dash: Dash;
  /** Oldest first. Null is a gap. */
  points: readonly (readonly [atMs: number, value: number | null])[];
  /** Fills the room between the line and zero. */
  isArea?: boolean;
  /** Single points without a line between them, such as payments. */
  isPoints?: boolean;
}

/** A period with a colour behind the lines; its bar is on top for `a` and at the bottom for `b`. */
export interface ChartBand {
  fromMs: number;
  toMs: number;
  side: 'a' | 'b';
}

/** A horizontal line with a name. */
export interface ChartLine {
  value: number;
  label: string;
  side?: 'a' | 'b';
}

/** A point that the text explains. */
export interface ChartMark {
  atMs: number;
  value: number;
  label: string;
}

export interface LineChart {
  id: string;
  /** What the chart shows, for those who do not see it. */
  label: string;
  series: readonly ChartSeries[];
  unit: string;
  /** Decimals of the values at the crosshair and at the ends of the lines. */
  decimals: number;
  heightPx?: number;
  bands?: readonly ChartBand[];
  lines?: readonly ChartLine[];
  marks?: readonly ChartMark[];
  /** The points are days of UTC, as sums per day are: they stay so in every zone. */
  isDaily?: boolean;
  /** A line at the start of each day. */
  hasDays?: boolean;
  /** False where only differences matter, such as prices. */
  isFromZero?: boolean;
  /** The values are prices: without a sign, in groups of three digits. */
  isPrice?: boolean;
  /** What the chart is of, for who sees a picture of it. */
  caption?: HtmlValue;
  /** Shown instead of a chart without points. */
  empty?: HtmlValue;
}

const HEIGHT_PX = 286;
const TOP_PX = 10;
const BOTTOM_PX = 24;
/** The width of the drawing area in its own units; it is stretched to the width of the page. */
const UNITS_WIDE = 1000;
const END_LABEL_PX = 16;
/** A chart lower than this has fewer steps on its axis. */
const LOW_PX = 200;

/**
 * A chart as a picture that needs no script, in any width: lines are stretched, texts are not. With scripts
 * `client/charts/line-chart.ts` draws the same figures with a crosshair and a zoom.
 */
export function lineChart(chart: LineChart): Html {
  const { id, label, series, unit, decimals, heightPx = HEIGHT_PX, empty } = chart;
  const values = series.flatMap(({ points }) =>
    points.flatMap(([, value]) => (value === null ? [] : [value])),
  );
  if (values.length === 0)
    return html`<div class="chart-none" id="${id}">${empty ?? html`<p class="mut">No data in this window.</p>`}</div>`;
  const steps = heightPx < LOW_PX ? 3 : 6;
  const scale = scaleOf(
    [...values, ...(chart.lines ?? []).map(({ value }) => value)],
    steps,
    chart.isFromZero,
  );
  const data = {
    unit,
    decimals,
    height: heightPx,
    isDaily: chart.isDaily === true,
    hasDays: chart.hasDays === true,
    isFromZero: chart.isFromZero !== false,
    isPrice: chart.isPrice === true,
    scale,
    series: series.map(({ name, tone, dash, points, isArea, isPoints }) => ({
      name,
      tone,
      dash,
      isArea: isArea === true,
      isPoints: isPoints === true,
      times: points.map(([atMs]) => Math.round(atMs / 1000)),
      values: points.map(([, value]) => (value === null ? null : rounded(value, chart.isPrice))),
    })),
    bands: (chart.bands ?? []).map((band) => [band.fromMs / 1000, band.toMs / 1000, band.side]),
    lines: (chart.lines ?? []).map((line) => [line.value, line.label, line.side ?? '']),
    marks: (chart.marks ?? []).map((mark) => [mark.atMs / 1000, mark.value, mark.label]),
  };
  // In a script element nothing is escaped but the end of the element.
  const json = new Html(JSON.stringify(data).replaceAll('<', '\\u003c'));
  const hint = `${label}; the arrow keys move the crosshair`;
  return html`<link rel="stylesheet" href="${assetPath('uplot.css')}">
    <figure class="chart" id="${id}" data-chart>
      <div class="still" id="${id}-still" data-live>
        ${picture(chart, scale, heightPx)}
        <script type="application/json">${json}</script>
      </div>
      <div class="plot" data-own role="group" tabindex="0" aria-label="${hint}" hidden></div>
      ${chart.caption === undefined ? null : html`<figcaption>${chart.caption}</figcaption>`}
    </figure>`;
}

/** `BTC · funding paid · 30 d · Perpwire 16 Nov 08:44 UTC`. */
export function chartCaption(coin: string, what: string, range: string, asOf: string): Html {
  return html`<b>${coin}</b> · ${what} · ${range} · Perpwire ${shortTime(asOf)}`;
}

function picture(chart: LineChart, scale: Scale, heightPx: number): Html {
  const { label, series, unit, decimals, isPrice, bands = [], lines = [], marks = [] } = chart;
  const times = series.flatMap(({ points }) => points.map(([atMs]) => atMs));
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const spanMs = Math.max(1, toMs - fromMs);
  const plotPx = heightPx - TOP_PX - BOTTOM_PX;
  const y = (value: number) =>
    round(TOP_PX + plotPx * (1 - (value - scale.low) / (scale.high - scale.low || 1)));
  const x = (atMs: number) => round(((atMs - fromMs) / spanMs) * UNITS_WIDE);
  const share = (atMs: number) => `${round(((atMs - fromMs) / spanMs) * 100)}%`;
  const grid = scale.ticks.map(
    (tick) =>
      html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>`,
  );
  const names = scale.ticks.map(
    (tick) =>
      html`<text class="ax" x="-8" y="${y(tick) + 4}" text-anchor="end">${figureText(tick, scale.decimals, isPrice)}${unit}</text>`,
  );
  const days = timeTicks(fromMs, toMs).map(({ atMs, label: text }, i) => {
    const at = (atMs - fromMs) / spanMs;
    const anchor = at < 0.04 ? 'start' : at > 0.96 ? 'end' : 'middle';
    // A phone has room for every other one.
    const name = i % 2 === 0 ? 'ax' : 'ax odd';
    return html`<text class="${name}" x="${share(atMs)}" y="${heightPx - 6}" text-anchor="${anchor}">${text}</text>`;
  });
  const midnights = chart.hasDays === true ? midnightsOf(fromMs, toMs) : [];
  const starts = midnights.map(
    (atMs) =>
      html`<line class="grid" x1="${share(atMs)}" x2="${share(atMs)}" y1="${TOP_PX}" y2="${TOP_PX + plotPx}"/>`,
  );
  const zone = html`<text class="ax" x="-8" y="${heightPx - 6}" text-anchor="end">${chart.isDaily ? 'UTC day' : 'UTC'}</text>`;
  const drawnBands = bands.map(({ fromMs: from, toMs: to, side }) => {
    const [left, width] = [x(from), Math.max(2, round(x(to) - x(from)))];
    const capY = side === 'a' ? TOP_PX : TOP_PX + plotPx - 4;
    return html`<rect class="band ${side}" x="${left}" y="${TOP_PX}" width="${width}" height="${plotPx}"/>
      <rect class="bandcap ${side}" x="${left}" y="${capY}" width="${width}" height="4"/>`;
  });
  const paths = series.map(({ tone, dash, points, isArea, isPoints }) => {
    if (isPoints) return html`<path class="ln dots ${tone}" d="${dotsOf(points, x, y)}"/>`;
    const d = pathOf(points, x, y);
    const known = points.filter(([, value]) => value !== null);
    const area =
      isArea && known[0]
        ? html`<path class="area ${tone}" d="${d}L${x(known.at(-1)?.[0] ?? toMs)} ${y(0)}L${x(known[0][0])} ${y(0)}Z"/>`
        : null;
    return html`${area}<path class="ln ${tone}${dash > 0 ? ` dash${dash}` : ''}" d="${d}"/>`;
  });
  const drawnLines = lines.map(
    ({ value, label: text, side = '' }) =>
      html`<line class="hl ${side}" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>
        <text class="hlt ${side}" x="8" y="${y(value) - 5}">${text}</text>`,
  );
  const drawnMarks = marks.map(
    ({ atMs, value, label: text }) =>
      html`<circle class="mk" cx="${share(atMs)}" cy="${y(value)}" r="4"/>
        <text class="mkt" x="${share(atMs)}" dx="8" y="${y(value) + 14}">${text}</text>`,
  );
  const viewBox = `0 0 ${UNITS_WIDE} ${heightPx}`;
  const ends = endLabels(
    series,
    y,
    heightPx,
    share(lastKnownMs(series)),
    (value) => `${figureText(value, decimals, isPrice)}${unit}`,
  );
  return html`<svg width="100%" height="${heightPx}" role="img" aria-label="${label}">
    ${names}
    ${grid}
    ${starts}
    <svg width="100%" height="${heightPx}" viewBox="${viewBox}" preserveAspectRatio="none">${drawnBands}${paths}</svg>
    ${drawnLines}
    ${drawnMarks}
    ${days}
    ${zone}
    ${ends}
  </svg>`;
}

/** The starts of the UTC days within a time. */
function midnightsOf(fromMs: number, toMs: number): number[] {
  const first = Math.ceil(fromMs / DAY_MS);
  return Array.from({ length: Math.floor(toMs / DAY_MS) - first + 1 }, (_, i) => (first + i) * DAY_MS);
}

function pathOf(
  points: ChartSeries['points'],
  x: (atMs: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  let isDown = false;
  for (const [atMs, value] of points) {
    if (value !== null) path += `${isDown ? 'L' : 'M'}${x(atMs)} ${y(value)}`;
    isDown = value !== null;
  }
  return path;
}

/** Lines too short to see, of which the round ends are dots. */
function dotsOf(
  points: ChartSeries['points'],
  x: (atMs: number) => number,
  y: (value: number) => number,
): string {
  return points.map(([atMs, value]) => (value === null ? '' : `M${x(atMs)} ${y(value)}h.01`)).join('');
}

/** Where the lines end: before the end of the chart if nothing is known since. */
function lastKnownMs(series: readonly ChartSeries[]): number {
  return Math.max(...series.map(({ points }) => points.findLast(([, value]) => value !== null)?.[0] ?? 0));
}

/** The name and last value of each line, one below the other. */
function endLabels(
  series: readonly ChartSeries[],
  y: (value: number) => number,
  heightPx: number,
  x: string,
  text: (value: number) => string,
): Html[] {
  const ends = series
    .flatMap(({ name, tone, points }) => {
      const last = points.findLast(([, value]) => value !== null)?.[1];
      return last === null || last === undefined
        ? []
        : [{ name, tone, last, atPx: y(last), labelPx: y(last) }];
    })
    .sort((a, b) => a.atPx - b.atPx);
  for (const [i, end] of ends.entries())
    end.labelPx = Math.max(end.labelPx, (ends[i - 1]?.labelPx ?? -END_LABEL_PX) + END_LABEL_PX);
  let lowest = heightPx - BOTTOM_PX;
  for (const end of ends.toReversed()) {
    end.labelPx = Math.min(end.labelPx, lowest);
    lowest = end.labelPx - END_LABEL_PX;
  }
  return ends.map(
    ({ name, tone, last, atPx, labelPx }) =>
      html`<circle class="pt ${tone}" cx="${x}" cy="${atPx}" r="2.5"/>
        <text class="end ${tone}" x="${x}" dx="8" y="${round(labelPx + 4)}">${name} ${text(last)}</text>`,
  );
}

function rounded(value: number, isPrice = false): number {
  return Number(isPrice ? value.toPrecision(7) : value.toFixed(6));
}

function figureText(value: number, decimals: number, isPrice = false): string {
  if (isPrice) return grouped(value, decimals, decimals);
  const text = Math.abs(value).toFixed(decimals);
  return `${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
