import type { Scope } from '../../../accounts/scopes.ts';
import { envelopeSchema } from '../../../operations/description/envelope.ts';
import type { AnyOperation, ToolDescription } from '../../../operations/operation.ts';
import type { JsonSchema, Parameter } from '../../../query/parameter.ts';

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: Readonly<Record<string, boolean>>;
}

export interface Tool {
  definition: ToolDefinition;
  scope: Scope | null;
  operation: AnyOperation;
  description: ToolDescription;
}

/** The tools of the operations that have one, in the order of their places. */
export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  return operations
    .flatMap((operation) => (operation.tool ? [{ operation, description: operation.tool }] : []))
    .toSorted((a, b) => a.description.place - b.description.place)
    .map(({ operation, description }) => ({
      operation,
      description,
      scope: operation.scope,
      definition: definitionOf(operation, description, operations),
    }));
}

function definitionOf(
  operation: AnyOperation,
  { name, title }: ToolDescription,
  all: readonly AnyOperation[],
): ToolDefinition {
  const taken = Object.values(operation.parameters).filter((parameter) => !parameter.isRestOnly);
  return {
    name,
    title,
    description: `${asTools(operation.description, all)} ${ageOf(operation)}${needs(operation)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        taken.map((parameter) => [
          parameter.name,
          inputSchema(parameter, asTools(parameter.description, all)),
        ]),
      ),
      required: taken.filter(({ isRequired }) => isRequired).map((parameter) => parameter.name),
      additionalProperties: false,
    },
    outputSchema: withoutNumberFormats(envelopeSchema(operation)) as JsonSchema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

function ageOf({ freshness }: AnyOperation): string {
  return freshness === null
    ? 'The answer is of this moment.'
    : 'Figures are of meta.as_of: at most about a minute old, 900 s late on the Demo plan. Quote them with meta.as_of and meta.url.';
}

function needs({ scope }: AnyOperation): string {
  return scope === null ? '' : ` Needs the scope ${scope}.`;
}

/** Replaces the REST paths in descriptions by tool names, which is how assistants know the endpoints. */
function asTools(text: string, operations: readonly AnyOperation[]): string {
  let named = text;
  for (const { path, tool } of operations.toSorted((a, b) => b.path.length - a.path.length)) {
    if (!tool) continue;
    const escaped = path.replaceAll(/[{}]/g, '\\$&');
    named = named.replaceAll(new RegExp(`(?:/api/v1)?${escaped}(?![\\w/{-])`, 'g'), tool.name);
  }
  return named;
}

/** Lists may be arrays or text with commas, and numbers may be text: assistants send all of these. */
function inputSchema(parameter: Parameter, description: string): JsonSchema {
  const { schema } = parameter;
  const plain = withoutNumberFormats(schema) as JsonSchema;
  if (parameter.isList)
    return { anyOf: [plain, { type: 'string', description: 'Values separated by commas' }], description };
  if (schema.type === 'number' || schema.type === 'integer') {
    const pattern = schema.type === 'integer' ? '^[+-]?\\d+$' : '^[+-]?\\d*\\.?\\d+(?:[eE][+-]?\\d+)?$';
    return { anyOf: [plain, { type: 'string', pattern }], description };
  }
  return { ...plain, description };
}

/** Removes OpenAPI's number formats: JSON Schema does not define them, and strict validators warn. */
function withoutNumberFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNumberFormats);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'format' && ['int32', 'int64', 'uint32', 'double'].includes(value)))
      .map(([key, value]) => [key, withoutNumberFormats(value)]),
  );
}
