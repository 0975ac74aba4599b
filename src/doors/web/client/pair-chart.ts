/** The spread of one pair of the backtest over the scan window, with its cycles as bands. */
interface PairData {
  from: string;
  step_seconds: number;
  spread_pct: (number | null)[];
  cycles: { opened_at: string; closed_at: string; direction: string; profit_pct: number }[];
  row: { exchange_a: string; exchange_b: string };
}

declare const uPlot: typeof import('uplot');

const HEIGHT = 340;
/** In the visitor's time zone, like all times on pages. */
const LOCAL = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const SPREAD = '#3b82c4';
const BANDS: Readonly<Record<string, string>> = {
  long_a_short_b: 'rgba(46, 160, 67, 0.25)',
  short_a_long_b: 'rgba(219, 109, 40, 0.28)',
};

async function draw(place: HTMLElement): Promise<void> {
  const reply = await fetch(place.dataset.source ?? '');
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const { data } = (await reply.json()) as { data: PairData };
  const fromSeconds = Date.parse(data.from) / 1000;
  const times = data.spread_pct.map((_, i) => fromSeconds + i * data.step_seconds);
  const cycles = data.cycles.map((cycle) => ({
    openSeconds: Date.parse(cycle.opened_at) / 1000,
    closeSeconds: Date.parse(cycle.closed_at) / 1000,
    direction: cycle.direction,
  }));
  // Read at each drawing: the colour scheme may change while the page is open.
  const ink = () => getComputedStyle(document.body).color;
  const grid = { stroke: 'rgba(128,128,128,0.25)', width: 1 };
  const percents = (value: number | null) =>
    value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(3).replace('-', '−')} %`;
  const drawBands = (chart: uPlot) => {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { openSeconds, closeSeconds, direction } of cycles) {
      const left = chart.valToPos(openSeconds, 'x', true);
      const width = Math.max(2, chart.valToPos(closeSeconds, 'x', true) - left);
      ctx.fillStyle = BANDS[direction] ?? 'rgba(128,128,128,0.25)';
      ctx.fillRect(left, bbox.top, width, bbox.height);
      // A bar at the top is long on the first venue, at the bottom on the second: colour is not the only signal.
      ctx.fillStyle = ink();
      ctx.fillRect(left, direction === 'long_a_short_b' ? bbox.top : bbox.top + bbox.height - 4, width, 4);
    }
    ctx.restore();
  };
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      series: [
        {
          label: 'Time',
          value: (_chart: unknown, seconds: number | null) =>
            seconds === null ? '–' : LOCAL.format(seconds * 1000),
        },
        { label: 'Spread', stroke: SPREAD, width: 1, value: (_chart: unknown, value) => percents(value) },
      ],
      axes: [
        {
          stroke: ink,
          grid,
          ticks: grid,
          space: 110,
          values: (_chart, ticks) => ticks.map((seconds) => LOCAL.format(seconds * 1000)),
        },
        {
          stroke: ink,
          grid,
          ticks: grid,
          size: 80,
          values: (_chart, ticks) =>
            ticks.map((tick) => `${tick > 0 ? '+' : ''}${String(tick).replace('-', '−')} %`),
        },
      ],
      hooks: { drawClear: [drawBands] },
    },
    [times, data.spread_pct],
    place,
  );
  const note = document.createElement('p');
  note.className = 'as-of';
  note.textContent = `${cycles.length} cycles as bands: a bar along the top is long on ${data.row.exchange_a}, along the bottom long on ${data.row.exchange_b}.`;
  place.append(note);
  place.dataset.ready = 'true';
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw(false, true));
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
}

for (const place of document.querySelectorAll<HTMLElement>('[data-pair-chart]')) {
  draw(place).catch(() => {
    place.textContent = 'The chart could not be loaded; the table below has the cycles.';
  });
}
