import { type Html, html } from './html.ts';

/** The smallest and largest value of the bars that share one zero line. */
export interface BarRange {
  low: number;
  high: number;
}

const HEIGHT = 14;
const MARGIN = 2;

export function barRange(values: readonly number[]): BarRange {
  return { low: Math.min(0, ...values), high: Math.max(0, ...values) };
}

/** A bar to the right of zero for a positive value, to the left for a negative one. The number beside it is the text. */
export function divergingBar(value: number, { low, high }: BarRange, width: number): Html {
  const scale = (width - 2 * MARGIN) / (high - low || 1);
  const zero = MARGIN - low * scale;
  const length = Math.max(1, Math.abs(value) * scale);
  const left = value < 0 ? zero - length : zero;
  const look = value < 0 ? 'n' : 'p';
  return html`<svg class="dvg" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <path class="ax0" d="M${round(zero)} 0V${HEIGHT}"/>
    <rect class="${look}" x="${round(left)}" y="2" width="${round(length)}" height="${HEIGHT - 4}" rx="2"/>
  </svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
