import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { errorCode } from '../base/connection-errors.ts';
import { isoTime } from '../base/times.ts';
import { flagFault } from '../settings.ts';
import { UsageError } from './command.ts';

/** Parses the flags of a command; throws a UsageError that names the flag to change. */
export function flagsOf<O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(flagFault(error));
  }
}

/** Returns the action if the command has it. */
export function actionOf<Action extends string>(
  command: string,
  given: string | undefined,
  actions: readonly Action[],
): Action {
  const action = actions.find((known) => known === given);
  if (action !== undefined) return action;
  const has = `${command} has ${new Intl.ListFormat('en-GB').format(actions)}; see perpwire ${command} --help`;
  throw new UsageError(
    given === undefined ? `name an action: ${has}` : `there is no action "${given}": ${has}`,
  );
}

/** Throws if a command got more arguments than it takes; `command` is the command as typed, with its action. */
export function refuseMore(command: string, extra: readonly string[]): void {
  if (extra.length > 0) throw new UsageError(`${command} takes no argument "${extra[0]}"; leave it out`);
}

const FILE_CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The reason in words why a file cannot be read or written; null if the error is of another kind. */
export function fileCause(error: unknown): string | null {
  return FILE_CAUSES[errorCode(error) ?? ''] ?? null;
}

/** Formats rows as aligned columns under their titles. */
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
