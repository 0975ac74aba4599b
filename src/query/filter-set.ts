import type { Table } from '../market/tables/table.ts';
import type { Parameter, ParameterSet } from './parameter.ts';
import { absoluteBetween, between, type RowFilter } from './row-filters.ts';

/** The snapshot that a filter is applied to. */
export interface FilteredSnapshot {
  table: Table;
  asOfMs: number;
}

export type FilterValues = Readonly<Record<string, unknown>>;

/** One end of an inclusive range. A lower and an upper end on the same columns are applied as one range. */
export interface RangeEnd {
  side: 'min' | 'max';
  isAbsolute: boolean;
}

/**
 * One filter of a list: the parameters that it takes and what they do to the rows. Both are one object, so that a
 * parameter without an effect cannot be declared.
 */
export interface ListFilter {
  /** The filter's own parameter under the given name, then the parameters that modify it. */
  parameters(name: string): readonly [own: Parameter, ...modifiers: Parameter[]];
  /** The table's columns that the filter reads. */
  columns: readonly string[];
  effect: RangeEnd | RowEffect;
  /** The names of other parameters that the effect reads. */
  alsoReads?: readonly string[];
}

/** What one filter, or both ends of a range, do for the values of a request. */
export interface FilterPart {
  /** Equal for parts that keep the same rows of a snapshot. */
  key: string;
  rowFilters(snapshot: FilteredSnapshot): readonly RowFilter[];
}

/** Appends to `found` the row filters for a value that was sent. `values` has the modifiers too. */
type RowEffect = (
  value: unknown,
  snapshot: FilteredSnapshot,
  found: RowFilter[],
  values: FilterValues,
) => void;

/** What the parameters named here do together. */
interface Step {
  /** Where both ends of a range were sent, the lower one applies the range and the upper one is skipped. */
  minName: string | null;
  /** The parameters that it reads. */
  names: readonly string[];
  apply(values: FilterValues, snapshot: FilteredSnapshot, found: RowFilter[]): void;
}

/** The filters of one list, compiled once: looking at a request costs only as much as it has values. */
export class FilterSet {
  readonly parameters: ParameterSet;
  readonly columns: readonly string[];
  readonly #steps = new Map<string, Step>();

  constructor(filters: Readonly<Record<string, ListFilter>>) {
    const parameters: Record<string, Parameter> = {};
    const entries = Object.entries(filters);
    for (const [name, filter] of entries) {
      for (const parameter of filter.parameters(name)) {
        if (parameters[parameter.name]) throw new Error(`two filters have the parameter ${parameter.name}`);
        parameters[parameter.name] = { ...parameter, columns: filter.columns };
      }
      const { effect } = filter;
      if (typeof effect === 'function')
        this.#steps.set(name, {
          minName: null,
          names: [name, ...(filter.alsoReads ?? [])],
          apply: (values, snapshot, found) => effect(values[name], snapshot, found, values),
        });
    }
    for (const range of rangesOf(entries))
      for (const name of [range.minName, range.maxName])
        if (name !== null) this.#steps.set(name, rangeStep(range));
    this.parameters = parameters;
    this.columns = entries.flatMap(([, filter]) => filter.columns);
  }

  /** The row filters for the values that a request sent. */
  rowFilters(values: FilterValues, snapshot: FilteredSnapshot): readonly RowFilter[] {
    const found: RowFilter[] = [];
    for (const name in values) this.#stepFor(name, values)?.apply(values, snapshot, found);
    return found;
  }

  /** The same filters one by one, for callers that share their results. */
  parts(values: FilterValues): readonly FilterPart[] {
    const parts: FilterPart[] = [];
    for (const name in values) {
      const step = this.#stepFor(name, values);
      if (!step) continue;
      // Only these: what is not in the key must have no effect.
      const read = Object.fromEntries(step.names.map((one) => [one, values[one]]));
      parts.push({
        key: JSON.stringify(read),
        rowFilters: (snapshot) => {
          const found: RowFilter[] = [];
          step.apply(read, snapshot, found);
          return found;
        },
      });
    }
    return parts;
  }

  #stepFor(name: string, values: FilterValues): Step | undefined {
    if (values[name] === undefined) return undefined;
    const step = this.#steps.get(name);
    const minName = step?.minName ?? null;
    return minName !== null && minName !== name && values[minName] !== undefined ? undefined : step;
  }
}

interface RangeNames {
  columns: readonly string[];
  isAbsolute: boolean;
  minName: string | null;
  maxName: string | null;
}

function rangesOf(entries: readonly (readonly [string, ListFilter])[]): Iterable<RangeNames> {
  const ranges = new Map<string, RangeNames>();
  for (const [name, { columns, effect }] of entries) {
    if (typeof effect === 'function') continue;
    const { side, isAbsolute } = effect;
    const key = `${isAbsolute} ${columns.join()}`;
    const range = ranges.get(key) ?? { columns, isAbsolute, minName: null, maxName: null };
    const place = side === 'min' ? 'minName' : 'maxName';
    if (range[place] !== null) throw new Error(`${range[place]} and ${name} are the same end of one range`);
    range[place] = name;
    ranges.set(key, range);
  }
  return ranges.values();
}

function rangeStep({ columns, isAbsolute, minName, maxName }: RangeNames): Step {
  const filterOf = isAbsolute ? absoluteBetween : between;
  return {
    minName,
    names: [minName, maxName].filter((name) => name !== null),
    apply: (values, { table }, found) => {
      const min = minName === null ? undefined : (values[minName] as number | undefined);
      const max = maxName === null ? undefined : (values[maxName] as number | undefined);
      for (const column of columns) found.push(filterOf(table, column, min, max));
    },
  };
}
