import type { AnyOperation, RowsDescription } from '../../src/operations/operation.ts';
import type { JsonSchema, Parameter } from '../../src/query/parameter.ts';
import { rowsFieldOf } from './client-endpoints.ts';
import { kindOf, placesOf } from './python-endpoints.ts';

/** The generated half of the command line: one command for each operation, with its flags. */
export function commandLine(operations: readonly AnyOperation[]): string {
  return [
    '// Made by `npm run clients` from the operations of the service. Do not edit.',
    "import type { OperationCommand } from './command.ts';\n",
    `export const OPERATION_COMMANDS: readonly OperationCommand[] = ${JSON.stringify(operations.map(command), null, 2)};\n`,
  ].join('\n');
}

function command(operation: AnyOperation): object {
  const { id, path, summary, description, parameters, formats, rows, tableRows } = operation;
  return {
    name: id,
    path,
    summary,
    description,
    isList: operation.rows !== undefined,
    rowsField: rowsFieldOf(operation),
    hasCsv: formats?.names.includes('csv') ?? false,
    ...shortRowsOf(operation),
    ...(tableRows ? { tableRows } : {}),
    ...(rows ? { sortColumns: sortColumns(rows) } : {}),
    parameters: Object.values(parameters).map(parameter),
  };
}

/** The leading columns, and which of them name a row. */
function shortRowsOf(operation: AnyOperation): object {
  const { shortRows } = operation;
  if (!shortRows) return {};
  const kinds = Object.assign({}, ...placesOf(operation).map(({ properties }) => properties));
  const isName = (column: string) => column in kinds && kindOf(kinds[column]) === 'text';
  const end = shortRows.leading.findIndex((column) => !isName(column));
  return { shortRows: { ...shortRows, names: shortRows.leading.slice(0, end < 0 ? undefined : end) } };
}

/** The columns that each sort looks at. */
function sortColumns({ sorts }: RowsDescription): object {
  return Object.fromEntries(
    Object.entries(sorts).map(([name, { column, orSmaller }]) => [
      name,
      orSmaller === undefined ? [column] : [column, orSmaller],
    ]),
  );
}

function parameter({
  name,
  in: place,
  isRequired,
  isList,
  columns,
  adds,
  description,
  schema,
}: Parameter): object {
  const value = (isList ? schema.items : schema) as JsonSchema;
  return {
    name,
    isPath: place === 'path',
    isRequired,
    isList,
    kind: value.format === 'date-time' ? 'time' : value.type,
    ...(Array.isArray(value.enum) ? { choices: value.enum.map(String) } : {}),
    ...(columns ? { columns } : {}),
    ...(adds ? { adds } : {}),
    description,
  };
}
