import type { Scope } from '../../../accounts/scopes.ts';
import { envelopeSchema } from '../../../operations/description/envelope.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import type { JsonSchema, Parameter } from '../../../query/parameter.ts';

/** The contract's order, which is that of a conversation: find the coin, then its rates. */
export const TOOL_ORDER: readonly string[] = [
  'svc_search_coins',
  'svc_get_funding_rates',
  'svc_get_coin_funding',
  'svc_get_funding_history',
  'svc_get_spreads',
  'svc_get_spread_backtest',
  'svc_get_listings',
  'svc_get_exchanges',
  'svc_get_usage',
];

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
}

/** One tool per operation, described by what describes the REST endpoint. */
export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  return operations
    .toSorted((a, b) => TOOL_ORDER.indexOf(a.tool.name) - TOOL_ORDER.indexOf(b.tool.name))
    .map((operation) => ({
      operation,
      scope: operation.scope,
      definition: definitionOf(operation, operations),
    }));
}

function definitionOf(operation: AnyOperation, all: readonly AnyOperation[]): ToolDefinition {
  const taken = Object.values(operation.parameters).filter((parameter) => !parameter.isRestOnly);
  return {
    name: operation.tool.name,
    title: operation.tool.title,
    description: `${asTools(operation.description, all)} ${ageOf(operation)}${needs(operation)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        taken.map((parameter) => [
          parameter.name,
          inputSchema(parameter, asTools(parameter.description, all)),
        ]),
      ),
      required: taken.filter(({ isRequired }) => isRequired).map(({ name }) => name),
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

/** Descriptions name neighbours by their REST path; an assistant knows them by their tool name. */
function asTools(text: string, operations: readonly AnyOperation[]): string {
  let named = text;
  for (const { path, tool } of operations.toSorted((a, b) => b.path.length - a.path.length)) {
    const escaped = path.replaceAll(/[{}]/g, '\\$&');
    named = named.replaceAll(new RegExp(`(?:/api/v1)?${escaped}(?![\\w/{-])`, 'g'), tool.name);
  }
  return named;
}

/** Assistants write lists as arrays or with commas, and numbers now and then as text: all of it is fine. */
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

/** int32 and double are OpenAPI's words; JSON Schema does not know them and strict readers warn. */
function withoutNumberFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNumberFormats);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'format' && ['int32', 'int64', 'uint32', 'double'].includes(value)))
      .map(([key, value]) => [key, withoutNumberFormats(value)]),
  );
}
