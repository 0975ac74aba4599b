import type { Meta } from '../generated.ts';
import type { Answer } from '../request.ts';
import type { Arguments } from './arguments.ts';
import type { OperationCommand, Terminal } from './command.ts';
import { flatAnswer } from './flat-rows.ts';
import { bold, cellText, dim, type ShortRows, type TableStyle, tableText } from './table.ts';

/** For terminals of unknown size, which report 0. */
const DEFAULT_WIDTH = 80;

/** An answer for people: its values, its rows as a table, and a line about both. */
export function answerText(
  { data, meta }: Answer<unknown>,
  command: OperationCommand,
  args: Arguments,
  terminal: Terminal,
): string {
  const style = styleOf(command, args, terminal);
  const { rows, values } = flatAnswer(data, command.tableRows);
  const names = Object.keys(values);
  const width = Math.max(0, ...names.map((name) => name.length));
  const head = names.map((name) => `${bold(name.padEnd(width), style)}  ${cellText(values[name])}\n`);
  const table = rows.length > 0 ? tableText(rows, style) : { text: '', hidden: [] };
  const gap = head.length > 0 && rows.length > 0 ? '\n' : '';
  const { length: hidden } = table.hidden;
  const footer = [
    `${cellText(meta.as_of)} UTC`,
    meta.delayed_seconds > 0 ? `delayed by ${meta.delayed_seconds} s` : '',
    command.isList ? rowsText(meta, rows.length, args) : '',
    hidden > 0 ? `${hidden} columns do not fit, see --fields or --json` : '',
    meta.source,
  ];
  const line = dim(footer.filter((part) => part !== '').join(' · '), style);
  return `${head.join('')}${gap}${table.text}${line}\n`;
}

function rowsText({ count, total }: Meta, shown: number, args: Arguments): string {
  if (shown === 0) return 'no rows';
  if (count === null || total === null || count >= total) return '';
  const more = args.watch === undefined ? '--all shows all' : '--limit shows more';
  return `${count} of ${total} rows, ${more}`;
}

/** The names of a row, then what the caller asked about, then the usual columns. */
function shortRowsFor(
  { shortRows, sortColumns, parameters }: OperationCommand,
  args: Arguments,
): ShortRows | undefined {
  if (!shortRows) return undefined;
  const sent = parameters.filter(({ name }) => args[name] !== undefined);
  const asked = [
    ...(sortColumns?.[args.sort ?? ''] ?? []),
    ...sent.flatMap(({ columns = [] }) => columns),
    ...sent.flatMap(({ adds = [] }) => adds),
  ];
  const { names = [], leading } = shortRows;
  return { ...shortRows, leading: [...new Set([...names, ...asked, ...leading])] };
}

function styleOf(command: OperationCommand, args: Arguments, { stdout, env }: Terminal): TableStyle {
  const { color, fields } = args;
  const shortRows = shortRowsFor(command, args);
  const isTerminal = stdout.isTTY === true;
  const hasColor =
    color === undefined ? isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' : color === 'true';
  const isFree = !isTerminal || fields !== undefined;
  const maxWidth = isFree ? null : stdout.columns || DEFAULT_WIDTH;
  return { hasColor, maxWidth, ...(shortRows ? { short: shortRows } : {}) };
}
