/** One measured figure. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** What the same run measured beside it, in the same unit. */
  baseline?: { name: string; value: number };
  /** A bound on the value, or on its ratio to the baseline. */
  target?: { of: 'value' | 'ratio'; is: '≥' | '≤'; bound: number };
}

export interface BenchCase {
  run(): Promise<Figure[]>;
}

export const ratioAtLeast = (bound: number) => ({ of: 'ratio', is: '≥', bound }) as const;
export const ratioAtMost = (bound: number) => ({ of: 'ratio', is: '≤', bound }) as const;
export const valueAtMost = (bound: number) => ({ of: 'value', is: '≤', bound }) as const;

function ratioOf({ value, baseline }: Figure): number | null {
  return baseline ? value / baseline.value : null;
}

/** Null if the figure has no target. */
export function isMet(figure: Figure): boolean | null {
  const { target, value } = figure;
  if (!target) return null;
  const compared = target.of === 'value' ? value : (ratioOf(figure) ?? Number.NaN);
  return target.is === '≥' ? compared >= target.bound : compared <= target.bound;
}

const rounded = (value: number) => String(Number(value.toPrecision(3)));
const HEAD = ['figure', 'measured', 'baseline', 'ratio', 'target', 'met'];

/** The figures as a table of text. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, baseline, target } = figure;
    const ratio = ratioOf(figure);
    return [
      name,
      `${rounded(value)} ${unit}`,
      baseline ? `${rounded(baseline.value)} (${baseline.name})` : '',
      ratio === null ? '' : ratio.toFixed(2),
      target ? `${target.is} ${target.bound}${target.of === 'value' ? ` ${unit}` : ''}` : '',
      { true: 'yes', false: 'NO', null: '' }[String(isMet(figure)) as 'true' | 'false' | 'null'],
    ];
  });
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
