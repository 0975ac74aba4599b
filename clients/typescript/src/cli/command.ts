import type { ShortRows } from './table.ts';

/** A parameter of an operation, given as a flag or, in a path, as an argument. */
export interface CommandParameter {
  readonly name: string;
  readonly isPath: boolean;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly kind: string;
  readonly choices?: readonly string[];
  /** The columns that it filters by. */
  readonly columns?: readonly string[];
  /** The columns that rows have because of it. */
  readonly adds?: readonly string[];
  readonly description: string;
}

/** A command that calls one operation of the API. */
export interface OperationCommand {
  readonly name: string;
  /** Below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isList: boolean;
  readonly rowsField: string | null;
  readonly hasCsv: boolean;
  /** What a narrow terminal shows of the rows; absent for an operation without rows. */
  readonly shortRows?: ShortRows;
  /** The fields of `data` that lead to the rows, where there are several lists. */
  readonly tableRows?: readonly string[];
  /** The columns that each sort looks at. */
  readonly sortColumns?: Readonly<Record<string, readonly string[]>>;
  readonly parameters: readonly CommandParameter[];
}

/** Wrong usage: the message says what to change. */
export class UsageError extends Error {}

/** What the command line uses of its process, so that tests can replace it. */
export interface Terminal {
  /** Of the package. */
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  homeFolder: string;
  stdout: Output;
  stderr: Output;
  /** Reads the line with a key; it is not shown while it is typed. */
  readSecret(prompt: string): Promise<string>;
  /** Ends watching, on Ctrl-C. */
  signal: AbortSignal;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** `--min-apr-pct` of `min_apr_pct`. */
export const flagOf = (name: string) => `--${name.replaceAll('_', '-')}`;
