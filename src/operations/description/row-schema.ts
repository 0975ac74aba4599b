import type { Column, TableSpec } from '../../market/tables/table.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import { deprecatedField } from './deprecation.ts';

/** JSON Schema of a table's row, made from its columns. */
export function rowSchema(spec: TableSpec): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const column of spec.columns) {
    const base = column.isUnsigned ? UNSIGNED : COLUMN_SCHEMAS[column.type];
    properties[column.name] = {
      ...(column.nullable ? { anyOf: [base, { type: 'null' }] } : base),
      description: column.description,
      ...(column.deprecated ? deprecatedField(column.deprecated) : {}),
    };
  }
  return {
    type: 'object',
    title: spec.rowTitle ?? `${spec.name.charAt(0).toUpperCase()}${spec.name.slice(1)}Row`,
    properties,
    required: alwaysShown(spec).map((column) => column.name),
    additionalProperties: false,
  };
}

/** The columns that every row has, whatever the parameters. */
export function alwaysShown({ columns }: Pick<TableSpec, 'columns'>): readonly Column[] {
  return columns.filter(({ onlyWith }) => onlyWith === undefined);
}

const UNSIGNED: JsonSchema = { type: 'integer', format: 'uint32', minimum: 0 };

const COLUMN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  number: { type: 'number', format: 'double' },
  integer: { type: 'integer', format: 'int32' },
  flag: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
};
