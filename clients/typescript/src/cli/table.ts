export type Cells = Readonly<Record<string, unknown>>;

export interface TableStyle {
  hasColor: boolean;
  /** Columns that do not fit into this width are left out; null: all are shown. */
  maxWidth: number | null;
  /** Which columns are shown first, and the intervals that rates carry. */
  short?: ShortRows;
}

/** The leading columns of an operation's rows, and the columns with the settlement intervals of rates. */
export interface ShortRows {
  readonly leading: readonly string[];
  /** Those of the leading columns that name a row, such as coin and venue. */
  readonly names?: readonly string[];
  readonly intervals?: Readonly<Record<string, string>>;
}

const GAP = '  ';
const BOLD = 1;
const DIM = 2;
const RED = 31;
const GREEN = 32;

export function painted(text: string, code: number, { hasColor }: Pick<TableStyle, 'hasColor'>): string {
  return hasColor ? `\x1b[${code}m${text}\x1b[0m` : text;
}

export const dim = (text: string, style: Pick<TableStyle, 'hasColor'>) => painted(text, DIM, style);
export const bold = (text: string, style: Pick<TableStyle, 'hasColor'>) => painted(text, BOLD, style);

/** Rows under the names of their columns, numbers aligned right. */
export function tableText(rows: readonly Cells[], style: TableStyle): { text: string; hidden: string[] } {
  const { maxWidth, short } = style;
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // Where all columns are shown they keep the order of the answer.
  const leading = maxWidth === null ? [] : (short?.leading ?? []).filter((name) => all.includes(name));
  const names = [...leading, ...all.filter((name) => !leading.includes(name))];
  const columns = names.map((name) => {
    const texts = rows.map((row) => cellWithInterval(row, name, short));
    const isRight = rows.some((row) => typeof row[name] === 'number');
    return { name, texts, isRight, width: Math.max(...[name, ...texts].map(widthOf)) };
  });
  const shown = fitting(columns, maxWidth, leading.length);
  const line = (cells: readonly string[]) => cells.join(GAP).trimEnd();
  const padded = (text: string, { width, isRight }: (typeof columns)[number]) => {
    const space = ' '.repeat(width - widthOf(text));
    return isRight ? `${space}${text}` : `${text}${space}`;
  };
  const head = line(shown.map((column) => bold(padded(column.name, column), style)));
  const body = rows.map((row, i) =>
    line(
      shown.map((column) => {
        const text = padded(column.texts[i] ?? '', column);
        const color = colorOf(column.name, row[column.name]);
        return color === null ? text : painted(text, color, style);
      }),
    ),
  );
  const hidden = names.filter((name) => !shown.some((column) => column.name === name));
  return { text: [head, ...body].map((text) => `${text}\n`).join(''), hidden };
}

/** The leading columns that fit, then the others that fit; those that say the same in every row come last. */
function fitting<Column extends { width: number; texts: readonly string[] }>(
  columns: readonly Column[],
  maxWidth: number | null,
  leadingCount: number,
): Column[] {
  if (maxWidth === null) return [...columns];
  const isConstant = ({ texts }: Column) => texts.length > 1 && new Set(texts).size === 1;
  const others = columns.slice(leadingCount).sort((a, b) => Number(isConstant(a)) - Number(isConstant(b)));
  const fits = new Set<Column>();
  let width = -GAP.length;
  for (const column of [...columns.slice(0, leadingCount), ...others]) {
    width += GAP.length + column.width;
    if (fits.size > 0 && width > maxWidth) break;
    fits.add(column);
  }
  return columns.filter((column) => fits.has(column));
}

/** A rate is shown with its settlement interval: `0.01/8h`. */
function cellWithInterval(row: Cells, name: string, short: ShortRows | undefined): string {
  const interval = short?.intervals?.[name];
  const text = cellText(row[name]);
  if (interval === undefined || !Object.hasOwn(row, interval)) return text;
  return `${text}/${row[interval] === null ? '?' : cellText(row[interval])}h`;
}

/** Signed percentages are green or red. */
function colorOf(name: string, value: unknown): number | null {
  if (value === null || value === undefined) return DIM;
  if (!name.endsWith('_pct') || typeof value !== 'number' || value === 0) return null;
  return value > 0 ? GREEN : RED;
}

const LARGE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6, useGrouping: false });
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value for people: 12,345,678 and 0.00012, yes and no, times without T and Z. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number')
    return Math.abs(value) >= 100_000 ? LARGE.format(value) : SMALL.format(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(' ');
  if (typeof value === 'object') return printable(JSON.stringify(value));
  const text = String(value);
  return ISO_TIME.test(text) ? text.slice(0, 19).replace('T', ' ') : printable(text);
}

/** Control characters in a text could steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
