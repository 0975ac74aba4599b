import type { FilteredSnapshot, ListFilter, RangeEnd } from './filter-set.ts';
import {
  choice,
  exactText,
  flag,
  type IntegerBounds,
  integer,
  integers,
  number,
  text,
  time,
} from './kinds.ts';
import type { Parameter } from './parameter.ts';
import {
  between,
  flagIs,
  numberIn,
  type RowFilter,
  textIn,
  textInColumns,
  textNotIn,
} from './row-filters.ts';

/** The filters that lists are made of. Each takes the columns it reads and the description of its parameter. */

/** A kind of parameter that needs only a name and a description, such as `coins` and `exchanges`. */
type NamedKind<T> = (name: string, description: string) => Parameter<T>;

/** A filter of any kind. `rows` returns null when the value keeps all rows, as an empty search text does. */
export function filter<T>(
  kind: (name: string) => Parameter<T>,
  columns: readonly string[],
  rows: (value: T, snapshot: FilteredSnapshot) => RowFilter | null,
): ListFilter {
  return {
    parameters: (name) => [kind(name)],
    columns,
    effect: (value, snapshot, found) => {
      const made = rows(value as T, snapshot);
      if (made !== null) found.push(made);
    },
  };
}

/** A filter with a second parameter that says how values are matched. The first mode is the default. */
export function matchedFilter<T, Mode extends string>(
  kind: (name: string) => Parameter<T>,
  columns: readonly string[],
  match: { name: string; modes: readonly [Mode, ...Mode[]]; description: string },
  rows: (value: T, snapshot: FilteredSnapshot, mode: Mode) => RowFilter | null,
): ListFilter {
  return {
    parameters: (name) => [kind(name), choice(match.name, match.modes, match.description)],
    columns,
    alsoReads: [match.name],
    effect: (value, snapshot, found, values) => {
      const mode = (values[match.name] as Mode | undefined) ?? match.modes[0];
      const made = rows(value as T, snapshot, mode);
      if (made !== null) found.push(made);
    },
  };
}

/** Rows whose text is one of the list. */
export function oneOf(column: string, kind: NamedKind<readonly string[]>, description: string): ListFilter {
  return filter(
    (name) => kind(name, description),
    [column],
    (wanted, { table }) => textIn(table, column, wanted),
  );
}

/** Rows that have none of the listed texts in any of the columns. */
export function noneOf(
  columns: readonly string[],
  kind: NamedKind<readonly string[]>,
  description: string,
): ListFilter {
  return {
    parameters: (name) => [kind(name, description)],
    columns,
    effect: (unwanted, { table }, found) => {
      for (const column of columns) found.push(textNotIn(table, column, unwanted as readonly string[]));
    },
  };
}

/** Rows with a listed text in any or in all of the columns, as the parameter `match.name` says. */
export function inColumns(
  columns: readonly string[],
  kind: NamedKind<readonly string[]>,
  description: string,
  match: { name: string; description: string },
): ListFilter {
  return matchedFilter(
    (name) => kind(name, description),
    columns,
    { ...match, modes: ['any', 'all'] },
    (wanted, { table }, mode) => textInColumns(table, columns, wanted, mode),
  );
}

/** Rows whose text is the chosen one. */
export function equals(column: string, choices: readonly string[], description: string): ListFilter {
  return filter(
    (name) => choice(name, choices, description),
    [column],
    (wanted, { table }) => textIn(table, column, [wanted]),
  );
}

/** Rows whose text is exactly the value; none if no row has it. */
export function equalsText(column: string, usual: readonly string[], description: string): ListFilter {
  return filter(
    (name) => exactText(name, usual, description),
    [column],
    (wanted, { table }) => textIn(table, column, [wanted]),
  );
}

/** Rows of which a text starts with the value, in any case. */
export function startsWith(columns: readonly string[], maxLength: number, description: string): ListFilter {
  return filter(
    (name) => text(name, maxLength, description),
    columns,
    (value, { table }) => {
      const start = value.toLowerCase();
      const fits = (column: string, row: number) => table.text(column, row).toLowerCase().startsWith(start);
      return start === '' ? null : (row) => columns.some((column) => fits(column, row));
    },
  );
}

export function isFlag(column: string, description: string): ListFilter {
  return filter(
    (name) => flag(name, description),
    [column],
    (wanted, { table }) => flagIs(table, column, wanted),
  );
}

/** Rows whose integer is one of the list. */
export function oneOfIntegers(column: string, bounds: IntegerBounds, description: string): ListFilter {
  return filter(
    (name) => integers(name, bounds, description),
    [column],
    (wanted, { table }) => numberIn(table, column, wanted),
  );
}

/** At least the value in the column, or in each of several. With `bounds` the parameter is an integer. */
export function atLeast(
  columns: string | readonly string[],
  description: string,
  bounds?: IntegerBounds,
): ListFilter {
  return rangeEnd(columns, description, bounds, { side: 'min', isAbsolute: false });
}

export function atMost(
  columns: string | readonly string[],
  description: string,
  bounds?: IntegerBounds,
): ListFilter {
  return rangeEnd(columns, description, bounds, { side: 'max', isAbsolute: false });
}

/** Like `atLeast`, for the number without its sign. */
export function magnitudeAtLeast(column: string, description: string): ListFilter {
  return rangeEnd(column, description, undefined, { side: 'min', isAbsolute: true });
}

export function magnitudeAtMost(column: string, description: string): ListFilter {
  return rangeEnd(column, description, undefined, { side: 'max', isAbsolute: true });
}

function rangeEnd(
  columns: string | readonly string[],
  description: string,
  bounds: IntegerBounds | undefined,
  effect: RangeEnd,
): ListFilter {
  return {
    parameters: (name) => [bounds ? integer(name, bounds, description) : number(name, description)],
    columns: typeof columns === 'string' ? [columns] : columns,
    effect,
  };
}

/** Times from the snapshot's up to so many units later, both included. */
export function within(
  column: string,
  unitMs: number,
  bounds: IntegerBounds,
  description: string,
): ListFilter {
  return filter(
    (name) => integer(name, bounds, description),
    [column],
    (units, { table, asOfMs }) => between(table, column, asOfMs, asOfMs + units * unitMs),
  );
}

/** Times at most so many units before the snapshot's. */
export function notOlderThan(
  column: string,
  unitMs: number,
  bounds: IntegerBounds,
  description: string,
): ListFilter {
  return filter(
    (name) => integer(name, bounds, description),
    [column],
    (units, { table, asOfMs }) => between(table, column, asOfMs - units * unitMs, undefined),
  );
}

/** Times from the value on, the value included. */
export function notBefore(column: string, description: string): ListFilter {
  return filter(
    (name) => time(name, description),
    [column],
    (fromMs, { table }) => between(table, column, fromMs, undefined),
  );
}

/** Times before the value, the value excluded. */
export function before(column: string, description: string): ListFilter {
  return filter(
    (name) => time(name, description),
    [column],
    (toMs, { table }) => {
      const timesMs = table.numbers(column);
      return (row) => (timesMs[row] as number) < toMs;
    },
  );
}

/** Times after the value, the value excluded. */
export function after(column: string, description: string): ListFilter {
  return filter(
    (name) => time(name, description),
    [column],
    (fromMs, { table }) => {
      const timesMs = table.numbers(column);
      return (row) => (timesMs[row] as number) > fromMs;
    },
  );
}

/** The filter, whose parameter is ignored when one of the named parameters is sent. */
export function unless(names: readonly string[], inner: ListFilter): ListFilter {
  return {
    ...inner,
    parameters: (name) => {
      const [own, ...modifiers] = inner.parameters(name);
      return [{ ...own, ignoredWith: names }, ...modifiers];
    },
  };
}
