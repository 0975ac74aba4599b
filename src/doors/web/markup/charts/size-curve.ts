import { moneyText } from '../format.ts';
import { type Html, html } from '../html.ts';
import { scaleOf } from './scale.ts';
import type { Dash, Tone } from './tones.ts';

/** What orders of growing size cost. It ends at the largest order whose cost is known. */
export interface SizeLine {
  name: string;
  tone: Tone;
  dash: Dash;
  /** By size, in percent. */
  points: readonly (readonly [sizeUsd: number, pct: number])[];
}

export interface SizeCurve {
  id: string;
  /** What the chart shows, for those who do not see it. */
  label: string;
  lines: readonly SizeLine[];
  fromUsd: number;
  toUsd: number;
  /** The size that the reader has chosen. */
  markedUsd: number;
}

const HEIGHT_PX = 260;
const TOP_PX = 18;
const BOTTOM_PX = 24;
const UNITS_WIDE = 1000;
const TICKS_USD = [100, 1_000, 10_000, 100_000];
const END_LABEL_PX = 16;
/** What is unknown from here on has no room for the word. */
const NARROW_FROM = 0.86;

/** Costs against sizes, which are in logarithmic steps. A picture without a script, stretched to the width of the page. */
export function sizeCurve({ id, label, lines, fromUsd, toUsd, markedUsd }: SizeCurve): Html {
  const scale = scaleOf(
    lines.flatMap(({ points }) => points.map(([, pct]) => pct)),
    5,
  );
  const plotPx = HEIGHT_PX - TOP_PX - BOTTOM_PX;
  const y = (pct: number) => round(TOP_PX + plotPx * (1 - (pct - scale.low) / (scale.high - scale.low || 1)));
  const at = (usd: number) => Math.log(usd / fromUsd) / Math.log(toUsd / fromUsd);
  const x = (usd: number) => round(at(usd) * UNITS_WIDE);
  const share = (usd: number) => `${round(at(usd) * 100)}%`;
  const grid = scale.ticks.map(
    (tick) =>
      html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>
        <text class="ax" x="-8" y="${y(tick) + 4}" text-anchor="end">${tick.toFixed(scale.decimals)}\u00a0%</text>`,
  );
  const sizes = TICKS_USD.map(
    (usd) =>
      html`<text class="ax" x="${share(usd)}" y="${HEIGHT_PX - 6}" text-anchor="middle">${sizeText(usd)}</text>`,
  );
  const known = Math.max(fromUsd, ...lines.map(({ points }) => points.at(-1)?.[0] ?? fromUsd));
  const unknown =
    known >= toUsd
      ? null
      : html`<rect class="unk" x="${share(known)}" y="${TOP_PX}" width="${round((1 - at(known)) * 100)}%" height="${plotPx}"/>
        ${at(known) > NARROW_FROM ? null : html`<text class="ax" x="${share(known)}" dx="6" y="${TOP_PX + 14}">unknown</text>`}`;
  const paths = lines.map(({ tone, dash, points }) => {
    const d = points.map(([usd, pct], i) => `${i === 0 ? 'M' : 'L'}${x(usd)} ${y(pct)}`).join('');
    return html`<path class="ln ${tone}${dash > 0 ? ` dash${dash}` : ''}" d="${d}"/>`;
  });
  const mark = html`<line class="cur" x1="${share(markedUsd)}" x2="${share(markedUsd)}" y1="${TOP_PX}" y2="${TOP_PX + plotPx}"/>
    <text class="mkt" x="${share(markedUsd)}" y="${TOP_PX - 6}" text-anchor="${at(markedUsd) > 0.9 ? 'end' : 'middle'}">${sizeText(markedUsd)}</text>`;
  return html`<figure class="chart" id="${id}">
    <div class="still">
      <svg width="100%" height="${HEIGHT_PX}" role="img" aria-label="${label}">
        ${grid}
        ${unknown}
        ${mark}
        <svg width="100%" height="${HEIGHT_PX}" viewBox="0 0 ${UNITS_WIDE} ${HEIGHT_PX}" preserveAspectRatio="none">${paths}</svg>
        ${ends(lines, y, share)}
        ${sizes}
      </svg>
    </div>
  </figure>`;
}

/** Where each line ends, with its name beside the picture. */
function ends(
  lines: readonly SizeLine[],
  y: (pct: number) => number,
  share: (usd: number) => string,
): Html[] {
  const found = lines
    .flatMap(({ name, tone, points }) => {
      const last = points.at(-1);
      return last ? [{ name, tone, x: share(last[0]), atPx: y(last[1]), labelPx: y(last[1]) }] : [];
    })
    .sort((a, b) => a.atPx - b.atPx);
  for (const [i, end] of found.entries())
    end.labelPx = Math.max(end.labelPx, (found[i - 1]?.labelPx ?? -END_LABEL_PX) + END_LABEL_PX);
  const lowestPx = HEIGHT_PX - BOTTOM_PX - 4;
  const overPx = Math.max(0, (found.at(-1)?.labelPx ?? 0) - lowestPx);
  return found.map(
    ({ name, tone, x, atPx, labelPx }) =>
      html`<circle class="pt ${tone}" cx="${x}" cy="${atPx}" r="3"/>
        <text class="end ${tone}" x="100%" dx="8" y="${round(labelPx - overPx + 4)}">${name}</text>`,
  );
}

/** `$20 k`, without decimals that say nothing. */
export function sizeText(usd: number): string {
  return moneyText(usd).replace('.0', '');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
