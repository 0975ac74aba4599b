import { DAY_SECONDS, timeSplits } from './time-axis.ts';

/** What a chart draws besides its lines: bands, levels, marks, and names at the ends. */
export interface Drawn {
  unit: string;
  decimals: number;
  height: number;
  /** Every point is a day of UTC. */
  isDaily: boolean;
  /** A line at the start of each day. */
  hasDays: boolean;
  isFromZero: boolean;
  /** Without a sign, in groups of three digits. */
  isPrice: boolean;
  scale: { low: number; high: number; ticks: number[]; decimals: number };
  series: {
    name: string;
    tone: string;
    dash: 0 | 1 | 2 | 3 | 4 | 5 | 6;
    isArea: boolean;
    isPoints: boolean;
    times: number[];
    values: (number | null)[];
  }[];
  bands: [fromSeconds: number, toSeconds: number, side: 'a' | 'b'][];
  lines: [value: number, label: string, side: string][];
  marks: [atSeconds: number, value: number, label: string][];
}

const END_LABEL_PX = 16;
export const AREA_OPACITY = 0.1;

export function figureText(value: number, decimals: number, isPrice: boolean): string {
  if (isPrice)
    return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const text = Math.abs(value).toFixed(decimals);
  return `${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`;
}

/** What stands behind the lines: the starts of days, and periods. */
export function drawBands(
  plot: uPlot,
  drawn: Drawn,
  sides: Readonly<Record<string, string>>,
  grid: string,
): void {
  drawDays(plot, drawn, grid);
  const { ctx, bbox } = plot;
  const cap = 4 * devicePixelRatio;
  for (const [from, to, side] of drawn.bands) {
    const left = plot.valToPos(from, 'x', true);
    const width = Math.max(2, plot.valToPos(to, 'x', true) - left);
    ctx.save();
    ctx.fillStyle = sides[side] ?? '';
    ctx.globalAlpha = AREA_OPACITY;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, side === 'a' ? bbox.top : bbox.top + bbox.height - cap, width, cap);
    ctx.restore();
  }
}

/** A line at the start of each day of the chosen zone. */
function drawDays(plot: uPlot, { hasDays, isDaily }: Drawn, colour: string): void {
  if (!hasDays) return;
  const { ctx, bbox, scales } = plot;
  const { min, max } = scales.x ?? {};
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (const seconds of timeSplits(min ?? 0, max ?? 0, DAY_SECONDS, isDaily)) {
    const x = Math.round(plot.valToPos(seconds, 'x', true)) + 0.5;
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

export function drawLines(plot: uPlot, { lines }: Drawn, sides: Record<string, string>, font: string): void {
  for (const [value, label, side] of lines) {
    const colour = sides[side] ?? '';
    drawLine(plot, value, colour, [4, 4]);
    const y = plot.valToPos(value, 'y', true);
    text(plot, label, plot.bbox.left + 8 * devicePixelRatio, y - 5 * devicePixelRatio, colour, font);
  }
}

export function drawMarks(plot: uPlot, { marks }: Drawn, fill: string, stroke: string, font: string): void {
  const { ctx } = plot;
  for (const [at, value, label] of marks) {
    const [x, y] = [plot.valToPos(at, 'x', true), plot.valToPos(value, 'y', true)];
    ctx.save();
    ctx.beginPath();
    ctx.arc(x, y, 4 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 1.8 * devicePixelRatio;
    ctx.fill();
    ctx.stroke();
    ctx.restore();
    text(plot, label, x + 8 * devicePixelRatio, y + 14 * devicePixelRatio, stroke, font);
  }
}

function text(plot: uPlot, words: string, x: number, y: number, colour: string, font: string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.font = font.replace('11px', `500 ${11 * devicePixelRatio}px`);
  ctx.fillStyle = colour;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.fillText(words, x, y);
  ctx.restore();
}

export function drawLine(plot: uPlot, value: number, colour: string, dash: number[]): void {
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(value, 'y', true)) + 0.5;
  if (y < bbox.top || y > bbox.top + bbox.height + 1) return;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(dash.map((one) => one * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

/** The zone of the times, below the axis of values. */
export function drawZone(plot: uPlot, zone: string, gapPx: number, colour: string, font: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = scaled(font);
  ctx.fillStyle = colour;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  ctx.fillText(zone, 0, bbox.top + bbox.height + gapPx * devicePixelRatio);
  ctx.restore();
}

/** The width of a text beside the axes, in CSS pixels. */
export function widthPx({ ctx }: uPlot, words: string, font: string): number {
  ctx.save();
  ctx.font = scaled(font);
  const { width } = ctx.measureText(words);
  ctx.restore();
  return width / devicePixelRatio;
}

const scaled = (font: string) => font.replace('11px', `${11 * devicePixelRatio}px`);

/** The name and the last value of each line, without overlap. */
export function drawEnds(
  plot: uPlot,
  { series, decimals, unit, isPrice }: Drawn,
  strokes: readonly string[],
  font: string,
): void {
  const { bbox } = plot;
  const room = END_LABEL_PX * devicePixelRatio;
  const untilSeconds = plot.scales.x?.max ?? Number.POSITIVE_INFINITY;
  const ends = series
    .flatMap(({ name, times, values }, i) => {
      // The last one in sight, where the line ends.
      const last = values.findLast((value, at) => value !== null && (times[at] ?? 0) <= untilSeconds);
      return last === null || last === undefined
        ? []
        : [{ name, last, colour: strokes[i] ?? '', y: plot.valToPos(last, 'y', true) }];
    })
    .sort((a, b) => a.y - b.y);
  for (const [i, end] of ends.entries()) end.y = Math.max(end.y, (ends[i - 1]?.y ?? -room) + room);
  let lowest = bbox.top + bbox.height;
  for (const end of ends.toReversed()) {
    end.y = Math.min(end.y, lowest);
    lowest = end.y - room;
  }
  // The lines may end before the chart does.
  const endTimes = series.map(
    ({ times, values }) => times[values.findLastIndex((value) => value !== null)] ?? 0,
  );
  const x = plot.valToPos(Math.max(...endTimes), 'x', true) + 8 * devicePixelRatio;
  for (const { name, last, colour, y } of ends)
    text(
      plot,
      `${name} ${figureText(last, decimals, isPrice)}${unit}`,
      x,
      y + 4 * devicePixelRatio,
      colour,
      font,
    );
}
