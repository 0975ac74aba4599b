/** Draws the figures of a still picture with a crosshair, a zoom by dragging, and the keyboard. */
import {
  AREA_OPACITY,
  type Drawn,
  drawBands,
  drawEnds,
  drawLine,
  drawLines,
  drawMarks,
  signed,
} from './canvas-marks.ts';

declare const uPlot: typeof import('uplot');

/** As `.chart .dash1` and the others in styles/charts.css. */
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [14, 4]];
const LEFT_PX = 58;
const ENDS_PX = 140;
/** Room for half of the last date. */
const NARROW_PX = 20;
/** Below this width the lines have no names at their ends; the chips above have them. */
const ENDS_FROM_PX = 520;
const DAY_SECONDS = 86_400;
const DAY_LABEL = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Colours come from the style sheet, through elements of the still picture or one made for the purpose. */
function colours(figure: HTMLElement) {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  figure.querySelector('.still')?.append(probe);
  const of = (name: string, property: 'stroke' | 'fill' = 'stroke') => {
    probe.setAttribute('class', name);
    return getComputedStyle(probe)[property];
  };
  return { of, remove: () => probe.remove() };
}

class Chart {
  readonly #figure: HTMLElement;
  readonly #place: HTMLElement;
  readonly #tip = document.createElement('div');
  #text = '';
  #plot: uPlot | null = null;
  #drawn: Drawn | null = null;
  #at = -1;

  constructor(figure: HTMLElement, place: HTMLElement) {
    this.#figure = figure;
    this.#place = place;
    this.#tip.className = 'tip';
    this.#tip.hidden = true;
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
    this.#place.append(this.#tip);
    this.#read(null);
  }

  #make(drawn: Drawn): uPlot {
    const { series, height, scale, unit } = drawn;
    const pick = colours(this.#figure);
    const [ink, grid, zero] = [pick.of('axc'), pick.of('grid'), pick.of('zero')];
    const strokes = series.map(({ tone }) => pick.of(tone));
    const sides = { a: pick.of('s3'), b: pick.of('s2'), '': pick.of('hl') };
    const [surface, strong] = [pick.of('paper'), pick.of('strong')];
    pick.remove();
    // Figures per day have no hours to name.
    const isDaily = series.every(({ times }) => times.every((seconds) => seconds % DAY_SECONDS === 0));
    const data = uPlot.join(series.map(({ times, values }) => [times, values] as uPlot.AlignedData));
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    return new uPlot(
      {
        width: this.#place.clientWidth,
        height,
        padding: [10, this.#right(), 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
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
        scales: { y: { range: [scale.low, scale.high] } },
        series: [
          {},
          ...series.map(({ name, dash, isArea }, i) => ({
            label: name,
            stroke: strokes[i] ?? ink,
            width: 1.8,
            dash: DASHES[dash] ?? [],
            points: { show: false },
            ...(isArea ? { fill: withOpacity(strokes[i] ?? ink) } : {}),
          })),
        ],
        axes: [
          {
            stroke: ink,
            font,
            size: 24,
            gap: 9,
            space: 64,
            grid: { show: false },
            ticks: { show: false },
            incrs: [
              ...(isDaily ? [] : [1 / 24, 3 / 24, 6 / 24, 12 / 24]),
              1,
              2,
              3,
              5,
              7,
              10,
              14,
              21,
              30,
              60,
            ].map((days) => days * DAY_SECONDS),
            values: (_plot, ticks) =>
              ticks.map((seconds) =>
                seconds % DAY_SECONDS === 0
                  ? DAY_LABEL.format(seconds * 1000)
                  : new Date(seconds * 1000).toISOString().slice(11, 16),
              ),
          },
          {
            stroke: ink,
            font,
            size: LEFT_PX,
            gap: 8,
            grid: { stroke: grid, width: 1 },
            ticks: { show: false },
            splits: () => scale.ticks,
            values: (_plot, ticks) => ticks.map((tick) => `${signed(tick, scale.decimals)}${unit}`),
          },
        ],
        hooks: {
          setCursor: [(plot) => this.#read(plot.cursor.idx ?? null)],
          drawClear: [(plot) => drawBands(plot, drawn, sides)],
          draw: [
            (plot) => {
              drawLine(plot, 0, zero, []);
              drawLines(plot, drawn, sides, font);
              drawMarks(plot, drawn, surface, strong, font);
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
    const { unit, decimals, series } = this.#drawn ?? { unit: '', decimals: 0, series: [] };
    const seconds = index === null ? undefined : this.#plot?.data[0][index];
    this.#tip.hidden = seconds === undefined;
    if (seconds === undefined || index === null || !this.#plot) return;
    this.#at = index;
    const title = document.createElement('b');
    const iso = new Date(seconds * 1000).toISOString();
    title.textContent = `${iso.slice(0, 16).replace('T', ' ')} UTC`;
    const rows = series
      .map(({ name, tone }, i) => ({ name, tone, value: lastUntil(this.#plot?.data[i + 1] ?? [], index) }))
      .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
      .map(({ name, tone, value }) => {
        const [row, label, figure] = ['p', 'span', 'span'].map((kind) => document.createElement(kind));
        if (!row || !label || !figure) return '';
        label.textContent = name;
        label.className = tone;
        figure.textContent = value === null ? '–' : `${signed(value, decimals)}${unit}`;
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

function withOpacity(colour: string): string {
  return colour.replace('rgb(', 'rgba(').replace(')', `, ${AREA_OPACITY})`);
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
