/** The chart of a funding history: lines can be switched, a crosshair reads the values. */
interface VenueSeries {
  exchange: string;
  daily: { day: string; apr_pct: number | null }[] | null;
  settlements: { time: string; rate_pct: number }[] | null;
}

/** A line of any other figure per day. */
interface NamedSeries {
  label: string;
  points: { day: string; pct: number | null }[];
}

type Series = VenueSeries | NamedSeries;

declare const uPlot: typeof import('uplot');

const COLOURS = [
  '#1f77b4',
  '#d62728',
  '#2ca02c',
  '#9467bd',
  '#ff7f0e',
  '#17becf',
  '#8c564b',
  '#e377c2',
  '#7f7f7f',
  '#bcbd22',
];
const HEIGHT = 380;
const DAY_SECONDS = 86_400;
const DAY_LABEL = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function utcText(seconds: number | null): string {
  return seconds === null ? '–' : new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

function signed(value: number | string): string {
  const text = String(value);
  return Number(value) > 0 ? `+${text}` : text.replace('-', '−');
}

async function draw(place: HTMLElement): Promise<void> {
  const reply = await fetch(place.dataset.source ?? '');
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const { data } = (await reply.json()) as { data: { series: Series[] } };
  const series = data.series
    .map((one) => ({ label: 'label' in one ? one.label : one.exchange, points: pointsOf(one) }))
    .filter(({ points }) => points.size > 0);
  if (series.length === 0) return;
  const times = [...new Set(series.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  const columns = series.map(({ points }) => times.map((seconds) => points.get(seconds) ?? null));
  // Read at each drawing: the colour scheme may change while the page is open.
  const ink = () => getComputedStyle(document.body).color;
  const grid = { stroke: 'rgba(128,128,128,0.25)', width: 1 };
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      padding: [null, 50, null, null],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      series: [
        { label: 'Time (UTC)', value: (_chart: unknown, seconds: number | null) => utcText(seconds) },
        ...series.map((one, i) => ({
          label: one.label,
          stroke: COLOURS[i % COLOURS.length] ?? '#888',
          width: 2,
          dash: i >= COLOURS.length ? [6, 4] : [],
          value: (_chart: unknown, value: number | null) =>
            value === null ? '–' : `${signed(value.toFixed(value > -1 && value < 1 ? 4 : 2))} %`,
        })),
      ],
      axes: [
        {
          stroke: ink,
          grid,
          ticks: grid,
          incrs: [1, 2, 5, 10, 30].map((days) => days * DAY_SECONDS),
          values: (_chart, ticks) => ticks.map((seconds) => DAY_LABEL.format(seconds * 1000)),
          space: 60,
        },
        {
          stroke: ink,
          grid,
          ticks: grid,
          size: 84,
          values: (_chart, ticks) => ticks.map((tick) => `${signed(tick)} %`),
        },
      ],
      cursor: { focus: { prox: 30 } },
      focus: { alpha: 0.25 },
    },
    [times, ...columns],
    place,
  );
  forKeyboard(place, chart);
  place.dataset.ready = 'true';
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw(false, true));
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
}

/** Values by their time in seconds: a figure per day, or the rate of each settled payment. */
function pointsOf(series: Series): Map<number, number | null> {
  if ('points' in series)
    return new Map(series.points.map(({ day, pct }) => [Date.parse(`${day}T00:00:00Z`) / 1000, pct]));
  const { daily, settlements } = series;
  return new Map([
    ...(daily ?? []).map(({ day, apr_pct }): [number, number | null] => [
      Date.parse(`${day}T00:00:00Z`) / 1000,
      apr_pct,
    ]),
    ...(settlements ?? []).map(({ time, rate_pct }): [number, number | null] => [
      Date.parse(time) / 1000,
      rate_pct,
    ]),
  ]);
}

/** Keyboard access: arrow keys move the crosshair, venue names are buttons. */
function forKeyboard(place: HTMLElement, chart: uPlot): void {
  let at = 0;
  place.tabIndex = 0;
  place.setAttribute('role', 'group');
  place.setAttribute(
    'aria-label',
    'Chart; the arrow keys move the crosshair, the table below has the figures',
  );
  place.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const times = chart.data[0];
    if (step === 0 || times.length === 0) return;
    event.preventDefault();
    at = Math.min(times.length - 1, Math.max(0, at + step));
    chart.setCursor({ left: chart.valToPos(times[at] ?? 0, 'x'), top: chart.bbox.height / 4 });
  });
  for (const [i, row] of place.querySelectorAll<HTMLElement>('.u-legend .u-series').entries()) {
    const name = row.querySelector<HTMLElement>('th');
    if (i === 0 || !name) continue;
    const updatePressed = () => name.setAttribute('aria-pressed', String(chart.series[i]?.show ?? false));
    name.tabIndex = 0;
    name.setAttribute('role', 'button');
    updatePressed();
    name.addEventListener('click', () => setTimeout(updatePressed));
    name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      name.click();
    });
  }
}

const place = document.getElementById('chart');
if (place) {
  draw(place).catch(() => {
    place.textContent = 'The chart could not be loaded; the table below has the same figures.';
  });
}
