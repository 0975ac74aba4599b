import { toneOf } from './direction.ts';
import { type Html, html } from './html.ts';

const HEIGHT = 20;
const MARGIN = 2;

/** A line of a few dozen points over a dashed zero line, as an inline picture. Null points are gaps at the start. */
export function sparkline(
  points: readonly (number | null)[],
  width: number,
  label: string,
  height = HEIGHT,
): Html | null {
  const values = points.filter((value) => value !== null);
  if (values.length < 2) return null;
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const y = (value: number) => round(MARGIN + ((high - value) / span) * (height - 2 * MARGIN));
  const x = (i: number) => round(1 + (i / (points.length - 1)) * (width - 2));
  const path = points
    .flatMap((value, i) => (value === null ? [] : [`${x(i)} ${y(value)}`]))
    .map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`)
    .join('');
  const first = points.findIndex((value) => value !== null);
  const zero = y(0);
  const tone = toneOf(values.at(-1) ?? 0);
  const area = `${path}L${x(points.length - 1)} ${zero}L${x(first)} ${zero}Z`;
  return html`<svg class="spark ${tone}" viewBox="0 0 ${width} ${height}"
    width="${width}" height="${height}" role="img" aria-label="${label}">
      <path class="z" d="M0 ${zero}H${width}"/>
      <path class="a" d="${area}"/>
      <path class="l" d="${path}"/>
    </svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
