import { Problem } from '../../base/problems.ts';
import type { ListDescription, Values } from './list-description.ts';

type CheckValues = (values: Values) => void;

/** Refuses what is about a column that rows have only with a parameter, if that is not sent: filters, sort and fields. */
export function neededParameters({
  table,
  filters,
  sorts,
}: Pick<ListDescription, 'table' | 'filters' | 'sorts'>): CheckValues {
  const neededBy = new Map(
    table.columns.flatMap(({ name, onlyWith }) => (onlyWith ? [[name, onlyWith]] : [])),
  );
  if (neededBy.size === 0) return () => {};
  const ofFilters = Object.entries(filters).flatMap(([name, { columns }]) => {
    const needed = columns.map((column) => neededBy.get(column)).find((one) => one !== undefined);
    return needed === undefined ? [] : [{ name, needed }];
  });
  const check = (values: Values, name: string, needed: string | undefined) => {
    if (needed !== undefined && values[needed] === undefined)
      throw new Problem('invalid-parameter', `"${name}" needs "${needed}", which it is about; send both.`);
  };
  return (values) => {
    for (const { name, needed } of ofFilters) if (values[name] !== undefined) check(values, name, needed);
    const sort = sorts[String(values.sort)];
    if (sort) check(values, 'sort', neededBy.get(sort.column));
    for (const field of (values.fields as readonly string[] | undefined) ?? [])
      check(values, 'fields', neededBy.get(field));
  };
}
