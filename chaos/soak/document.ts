import { SERIES, type SoakSample, slopePerHour } from './samples.ts';

export interface SoakResult {
  venues: number;
  contracts: number;
  tickMinutes: number;
  samples: readonly SoakSample[];
  /** Growth of each table from the middle of the run to its end, in bytes. */
  grownTables: ReadonlyMap<string, number>;
}

const KILOBYTE = 1024;
/** Rows of the table of samples. */
const SHOWN_SAMPLES = 25;

/** The samples of the second half: in the first, caches and windows of a day fill. */
function secondHalf(samples: readonly SoakSample[]): readonly SoakSample[] {
  return samples.slice(Math.floor(samples.length / 2));
}

/** The tables of a soak in Markdown. */
export function soakTables({ venues, contracts, tickMinutes, samples, grownTables }: SoakResult): string {
  const hours = samples.at(-1)?.hour ?? 0;
  const halfHours = hours - (secondHalf(samples)[0]?.hour ?? 0);
  const every = Math.max(1, Math.ceil(samples.length / SHOWN_SAMPLES));
  const shown = samples.filter((_, i) => i % every === 0 || i === samples.length - 1);
  return [
    `${hours} simulated hours, ${venues} venues, ${contracts} contracts, ticks of ${tickMinutes} minutes.`,
    '',
    table(
      ['hour', ...SERIES.map(({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`))],
      shown.map((sample) => [
        sample.hour.toFixed(2),
        ...SERIES.map(({ figureOf }) => figureOf(sample).toFixed(1)),
      ]),
    ),
    '',
    table(
      ['', 'first', 'last', 'slope per hour', 'slope per hour, second half'],
      SERIES.map((series) => {
        const points = (of: readonly SoakSample[]) =>
          of.map((sample) => ({ hour: sample.hour, value: series.figureOf(sample) }));
        const all = points(samples);
        return [
          series.unit === '' ? series.name : `${series.name}, ${series.unit}`,
          (all[0]?.value ?? 0).toFixed(1),
          (all.at(-1)?.value ?? 0).toFixed(1),
          slopePerHour(all).toFixed(2),
          slopePerHour(points(secondHalf(samples))).toFixed(2),
        ];
      }),
    ),
    '',
    table(
      ['table', 'growth in the second half, kB per hour'],
      [...grownTables]
        .filter(([, bytes]) => bytes !== 0)
        .sort(([, a], [, b]) => b - a)
        .map(([name, bytes]) => [`\`${name}\``, (bytes / KILOBYTE / Math.max(halfHours, 0.01)).toFixed(1)]),
    ),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(3, title.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const PANEL_WIDTH = 360;
const PANEL_HEIGHT = 120;
const MARGIN = 24;

/** One panel for each figure over time, as SVG. */
export function soakPicture(samples: readonly SoakSample[]): string {
  const hours = Math.max(samples.at(-1)?.hour ?? 1, 0.01);
  const panels = SERIES.map(({ name, unit, figureOf }, index) => {
    const values = samples.map(figureOf);
    const most = Math.max(...values, 1e-9) * 1.1;
    const points = samples.map(
      (sample, i) =>
        `${((sample.hour / hours) * PANEL_WIDTH).toFixed(1)},${(PANEL_HEIGHT * (1 - (values[i] ?? 0) / most)).toFixed(1)}`,
    );
    const x = MARGIN + (index % 2) * (PANEL_WIDTH + 2 * MARGIN);
    const y = MARGIN + Math.floor(index / 2) * (PANEL_HEIGHT + 2 * MARGIN);
    const last = `${(values.at(-1) ?? 0).toFixed(1)}${unit === '' ? '' : ` ${unit}`}`;
    return [
      `<g transform="translate(${x} ${y})">`,
      `<text y="-6">${name}, at the end ${last}, scale 0 to ${most.toFixed(0)}</text>`,
      `<rect width="${PANEL_WIDTH}" height="${PANEL_HEIGHT}" fill="none" stroke="#ccc"/>`,
      `<polyline points="${points.join(' ')}" fill="none" stroke="#0b6" stroke-width="1.5"/>`,
      `<text x="0" y="${PANEL_HEIGHT + 14}">0 h</text>`,
      `<text x="${PANEL_WIDTH}" y="${PANEL_HEIGHT + 14}" text-anchor="end">${hours} h</text>`,
      '</g>',
    ].join('');
  });
  const width = 2 * PANEL_WIDTH + 4 * MARGIN;
  const height = Math.ceil(SERIES.length / 2) * (PANEL_HEIGHT + 2 * MARGIN) + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#333">`,
    '<title>What the soak measured, over simulated hours</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}
