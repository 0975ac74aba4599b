/** Draws the figures of a still picture with a crosshair, a zoom by dragging, and the keyboard. */
import {
  type Drawn,
  drawBands,
  drawEnds,
  drawLine,
  drawLines,
  drawMarks,
  drawZone,
  figureText,
  widthPx,
} from './canvas-marks.ts';
import { colours, withOpacity } from './colours.ts';
import { niceScale, type ValueScale } from './nice-scale.ts';
import { axisZone, pointText, tickText, timeSplits, timeSteps } from './time-axis.ts';

declare const uPlot: typeof import('uplot');

/** As `.chart .dash1` and the others in styles/charts.css. */
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [14, 4], [8, 3, 2, 3, 2, 3], [6, 2, 6, 7]];
/** As `.chart .dots`. */
const DOT_PX = 7;
const LEFT_PX = 58;
const ENDS_PX = 140;
/** Room for half of the last date. */
const NARROW_PX = 20;
/** Below this width the lines have no names at their ends; the chips above have them. */
const ENDS_FROM_PX = 520;
const TIME_GAP_PX = 9;
const ZONE_GAP_PX = 6;

class Chart {
  readonly #figure: HTMLElement;
  readonly #place: HTMLElement;
  readonly #tip = document.createElement('div');
  #text = '';
  #plot: uPlot | null = null;
  #drawn: Drawn | null = null;
  #at = -1;
  /** The part of the time that is in sight; null for all of it. */
  #zoom: { min: number; max: number } | null = null;
  readonly #reset = document.createElement('button');

  constructor(figure: HTMLElement, place: HTMLElement) {
    this.#figure = figure;
    this.#place = place;
    this.#tip.className = 'tip';
    this.#tip.hidden = true;
    this.#reset.type = 'button';
    this.#reset.className = 'btn reset';
    this.#reset.textContent = 'Reset zoom';
    this.#reset.hidden = true;
    this.#reset.addEventListener('click', () => this.#showAll());
    place.addEventListener('keydown', (event) => this.#onKey(event));
    place.addEventListener('blur', () => this.#read(null));
    new ResizeObserver(() => this.#resize()).observe(figure);
    const again = () => {
      this.#text = '';
      this.update();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    document.documentElement.addEventListener('preference', again);
  }

  /** Draws again if the figures have changed. */
  update(): void {
    const text = this.#figure.querySelector('script')?.textContent ?? '';
    if (text === '' || text === this.#text) return;
    this.#text = text;
    this.#drawn = JSON.parse(text) as Drawn;
    this.#plot?.destroy();
    this.#place.hidden = false;
    this.#figure.dataset.ready = 'true';
    this.#plot = this.#make(this.#drawn);
    this.#place.append(this.#tip, this.#reset);
    this.#read(null);
    this.#reset.hidden = this.#zoom === null;
    if (this.#zoom) this.#plot.setScale('x', this.#zoom);
  }

  #showAll(): void {
    const times = this.#plot?.data[0] ?? [];
    this.#plot?.setScale('x', { min: times[0] ?? 0, max: times.at(-1) ?? 0 });
    this.#place.focus();
  }

  #onScale(plot: uPlot): void {
    const { min = null, max = null } = plot.scales.x ?? {};
    const times = plot.data[0];
    const isWhole = min === null || max === null || (min <= (times[0] ?? 0) && max >= (times.at(-1) ?? 0));
    this.#zoom = isWhole ? null : { min, max };
    this.#reset.hidden = isWhole;
    const { low, high } = this.#scaleOf(plot, this.#drawn as Drawn);
    this.#place.dataset.axis = `${low} ${high}`;
  }

  /** The axis of values: that of all figures, or of those in sight. */
  #scaleOf(plot: uPlot, { scale, isFromZero }: Drawn): ValueScale {
    const { min = null, max = null } = plot.scales.x ?? {};
    const times = plot.data[0];
    if (min === null || max === null || (min <= (times[0] ?? 0) && max >= (times.at(-1) ?? 0))) return scale;
    const seen = plot.data
      .slice(1)
      .flatMap((values) => [...values].filter((_, i) => (times[i] ?? 0) >= min && (times[i] ?? 0) <= max))
      .filter((value) => typeof value === 'number');
    return seen.length === 0 ? scale : niceScale(seen, isFromZero);
  }

  #make(drawn: Drawn): uPlot {
    const { series, height, unit, isDaily, isPrice } = drawn;
    const pick = colours(this.#figure);
    const [ink, grid, zero] = [pick.of('axc'), pick.of('grid'), pick.of('zero')];
    const strokes = series.map(({ tone }) => pick.of(tone));
    const sides = { a: pick.of('s3'), b: pick.of('s2'), '': pick.of('hl') };
    const [surface, strong] = [pick.of('paper'), pick.of('strong')];
    pick.remove();
    const data = uPlot.join(series.map(({ times, values }) => [times, values] as uPlot.AlignedData));
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    return new uPlot(
      {
        width: this.#place.clientWidth,
        height,
        padding: [10, this.#right(), 0, 0],
        legend: { show: false },
        cursor: {
          drag: { x: true, y: false },
          points: { size: 6 },
          bind: {
            mouseleave: () => () => {
              this.#read(null);
              return null;
            },
          },
        },
        scales: {
          y: {
            range: (plot) => {
              const { low, high } = this.#scaleOf(plot, drawn);
              return [low, high];
            },
          },
        },
        series: [
          {},
          ...series.map(({ name, dash, isArea, isPoints }, i) => ({
            label: name,
            stroke: strokes[i] ?? ink,
            width: 1.8,
            dash: DASHES[dash] ?? [],
            points: { show: isPoints, size: DOT_PX, width: 0, fill: strokes[i] ?? ink },
            ...(isPoints ? { paths: () => null } : {}),
            ...(isArea ? { fill: withOpacity(strokes[i] ?? ink) } : {}),
          })),
        ],
        axes: [
          {
            stroke: ink,
            font,
            size: 24,
            gap: TIME_GAP_PX,
            space: 72,
            grid: { show: false },
            ticks: { show: false },
            incrs: timeSteps(isDaily),
            splits: (_plot, _axis, from, to, step) => timeSplits(from, to, step, isDaily),
            values: (plot, ticks) => timeLabels(plot, ticks, isDaily, font),
          },
          {
            stroke: ink,
            font,
            size: LEFT_PX,
            gap: 8,
            grid: { stroke: grid, width: 1 },
            ticks: { show: false },
            splits: (plot) => this.#scaleOf(plot, drawn).ticks,
            values: (plot, ticks) =>
              ticks.map((tick) => `${figureText(tick, this.#scaleOf(plot, drawn).decimals, isPrice)}${unit}`),
          },
        ],
        hooks: {
          setScale: [(plot, key) => key === 'x' && this.#onScale(plot)],
          setCursor: [(plot) => this.#read(plot.cursor.idx ?? null)],
          drawClear: [(plot) => drawBands(plot, drawn, sides, grid)],
          draw: [
            (plot) => {
              drawLine(plot, 0, zero, []);
              drawLines(plot, drawn, sides, font);
              drawMarks(plot, drawn, surface, strong, font);
              drawZone(plot, zoneOf(plot, isDaily), TIME_GAP_PX, ink, font);
              if (this.#right() === ENDS_PX) drawEnds(plot, drawn, strokes, font);
            },
          ],
        },
      },
      data,
      this.#place,
    );
  }

  #right(): number {
    return this.#place.clientWidth > ENDS_FROM_PX ? ENDS_PX : NARROW_PX;
  }

  #resize(): void {
    if (!this.#plot || !this.#drawn || this.#plot.width === this.#place.clientWidth) return;
    this.#text = '';
    this.update();
  }

  /** The values at the crosshair; null hides them. */
  #read(index: number | null): void {
    const { unit = '', decimals = 0, series = [], ...drawn } = this.#drawn ?? ({} as Partial<Drawn>);
    const { isDaily = false, isPrice = false } = drawn;
    const seconds = index === null ? undefined : this.#plot?.data[0][index];
    this.#tip.hidden = seconds === undefined;
    if (seconds === undefined || index === null || !this.#plot) return;
    this.#at = index;
    const title = document.createElement('b');
    title.textContent = pointText(seconds, isDaily);
    const rows = series
      .map(({ name, tone }, i) => ({ name, tone, value: lastUntil(this.#plot?.data[i + 1] ?? [], index) }))
      .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
      .map(({ name, tone, value }) => {
        const [row, label, figure] = ['p', 'span', 'span'].map((kind) => document.createElement(kind));
        if (!row || !label || !figure) return '';
        label.textContent = name;
        label.className = tone;
        figure.textContent = value === null ? '–' : `${figureText(value, decimals, isPrice)}${unit}`;
        row.append(label, figure);
        return row;
      });
    this.#tip.replaceChildren(title, ...rows);
    const x = this.#plot.valToPos(seconds, 'x') + LEFT_PX;
    const isLeft = x > this.#place.clientWidth / 2;
    this.#tip.style.left = `${isLeft ? Math.max(0, x - this.#tip.offsetWidth - 12) : x + 12}px`;
  }

  #onKey(event: KeyboardEvent): void {
    const plot = this.#plot;
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!plot || step === 0) return;
    event.preventDefault();
    const times = plot.data[0];
    this.#at = Math.min(times.length - 1, Math.max(0, this.#at + step));
    plot.setCursor({ left: plot.valToPos(times[this.#at] ?? 0, 'x'), top: plot.over.clientHeight / 2 });
    this.#tip.setAttribute('role', 'status');
    this.#read(this.#at);
  }
}

function zoneOf({ scales }: uPlot, isDaily: boolean): string {
  const { min = 0, max = 0 } = scales.x ?? {};
  return axisZone(min ?? 0, max ?? 0, isDaily);
}

/** The labels of the time axis; the first ones leave room for the zone. */
function timeLabels(plot: uPlot, ticks: readonly number[], isDaily: boolean, font: string): string[] {
  const zonePx = widthPx(plot, zoneOf(plot, isDaily), font) + ZONE_GAP_PX;
  return ticks.map((seconds) => {
    const text = tickText(seconds, isDaily);
    const startPx = LEFT_PX + plot.valToPos(seconds, 'x') - widthPx(plot, text, font) / 2;
    return startPx < zonePx ? '' : text;
  });
}

/** Series of other intervals have no value at some times: then the last one counts. */
function lastUntil(values: ArrayLike<number | null | undefined>, index: number): number | null {
  for (let i = index; i >= 0; i--) if (values[i] !== undefined) return values[i] ?? null;
  return null;
}

const charts = new Map<HTMLElement, Chart>();

function drawAll(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) {
    const place = figure.querySelector<HTMLElement>('.plot');
    if (!place) continue;
    let chart = charts.get(figure);
    if (!chart) {
      chart = new Chart(figure, place);
      charts.set(figure, chart);
    }
    chart.update();
  }
}

drawAll();
document.addEventListener('liveupdate', drawAll);
