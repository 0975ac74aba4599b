import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isoTime } from '../base/times.ts';
import { UsageError } from './command.ts';

/** Reads flags, or says in one line what is wrong with them. */
export function flagsOf<O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'flags cannot be read');
  }
}

/** Rows as aligned columns under their titles. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(titles), ...rows.map(line)].join('\n');
}

export function timeText(timeMs: number | null): string {
  return timeMs === null ? '-' : isoTime(Math.floor(timeMs / 1000) * 1000);
}
