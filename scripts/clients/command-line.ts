import type { AnyOperation } from '../../src/operations/operation.ts';
import type { JsonSchema, Parameter } from '../../src/query/parameter.ts';
import { rowsFieldOf } from './client-endpoints.ts';

/** The generated half of the command line: one command for each operation, with its flags. */
export function commandLine(operations: readonly AnyOperation[]): string {
  return [
    '// Made by `npm run clients` from the operations of the service. Do not edit.',
    "import type { OperationCommand } from './command.ts';\n",
    `export const OPERATION_COMMANDS: readonly OperationCommand[] = ${JSON.stringify(operations.map(command), null, 2)};\n`,
  ].join('\n');
}

function command(operation: AnyOperation): object {
  const { id, path, summary, description, parameters, formats, shortRows } = operation;
  return {
    name: id,
    path,
    summary,
    description,
    isList: operation.rows !== undefined,
    rowsField: rowsFieldOf(operation),
    hasCsv: formats?.names.includes('csv') ?? false,
    ...(shortRows ? { shortRows } : {}),
    parameters: Object.values(parameters).map(parameter),
  };
}

function parameter({ name, in: place, isRequired, isList, description, schema }: Parameter): object {
  const value = (isList ? schema.items : schema) as JsonSchema;
  return {
    name,
    isPath: place === 'path',
    isRequired,
    isList,
    kind: value.format === 'date-time' ? 'time' : value.type,
    ...(Array.isArray(value.enum) ? { choices: value.enum.map(String) } : {}),
    description,
  };
}
