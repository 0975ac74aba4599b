import { PLANS } from '../../../accounts/plans.ts';
import type { Scope } from '../../../accounts/scopes.ts';
import type { AnyOperation, ToolDescription } from '../../../operations/operation.ts';
import { type JsonSchema, type Parameter, parametersOf } from '../../../query/parameter.ts';

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

type Properties = Readonly<Record<string, unknown>>;
/** The fields of the rows of each tool. */
type ToolRows = Map<string, Properties>;

/** The tools of the operations that have one, in the order of their places. */
export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  const toolRows: ToolRows = new Map();
  return operations
    .flatMap((operation) => (operation.tool ? [{ operation, description: operation.tool }] : []))
    .toSorted((a, b) => a.description.place - b.description.place)
    .map(({ operation, description }) => ({
      operation,
      description,
      scope: operation.scope,
      definition: definitionOf(operation, description, operations, toolRows),
    }));
}

/** The arguments of an operation's tool. */
export function argumentsOf({ parameters }: AnyOperation): readonly Parameter[] {
  return parametersOf(parameters).filter(({ isRestOnly }) => !isRestOnly);
}

function definitionOf(
  operation: AnyOperation,
  { name, title }: ToolDescription,
  all: readonly AnyOperation[],
  toolRows: ToolRows,
): ToolDefinition {
  const taken = argumentsOf(operation);
  const required = taken.filter(({ isRequired }) => isRequired).map((parameter) => parameter.name);
  return {
    name,
    title,
    description: `${asTools(operation.description, all)} ${ageOf(operation)}${needs(operation)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        taken.map((parameter) => [parameter.name, inputSchema(parameter, taken, all)]),
      ),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    outputSchema: outputSchema(operation, name, toolRows),
    // Other hints have a meaning only for tools that change something.
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

function ageOf({ freshness }: AnyOperation): string {
  return freshness === null
    ? 'The answer is of this moment.'
    : `Quote meta.as_of (${PLANS.demo.delaySeconds} s late on Demo) and meta.url.`;
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

/**
 * The usual spelling of a parameter. The server also accepts lists as text with commas and numbers as text, which some
 * assistants send; naming every spelling would double the size of the list of tools.
 */
function inputSchema(
  { name, schema, description }: Parameter,
  taken: readonly Parameter[],
  all: readonly AnyOperation[],
): JsonSchema {
  const plain = withoutWords(schema) as JsonSchema;
  // An upper bound is that of the lower one, which has the words.
  if (name.startsWith('max_') && taken.some((one) => one.name === name.replace('max_', 'min_'))) return plain;
  // A list is an array here; `maxItems` and `maxLength` say how many.
  const words = description.replace(/; at most \d+(?:, separated by commas| characters)?$/, '');
  return { ...plain, description: asTools(words, all) };
}

/** Of `meta`, which every tool has: the two fields that belong to every quoted figure. OpenAPI describes all of them. */
const META: JsonSchema = {
  type: 'object',
  properties: { as_of: { type: 'string' }, url: { type: 'string' } },
  required: ['as_of', 'url'],
};

/** What clients check results against. */
function outputSchema(operation: AnyOperation, name: string, toolRows: ToolRows): JsonSchema {
  const data = withoutRepeatedRows(withoutRequired(withoutWords(operation.data)), name, toolRows);
  return {
    type: 'object',
    properties: { data: data as JsonSchema, meta: META },
    required: ['data', 'meta'],
  };
}

/** Fields of rows that an earlier tool describes are not described again. */
function withoutRepeatedRows(schema: unknown, name: string, toolRows: ToolRows): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isRow = key === 'items' && value?.type === 'object';
      return [key, isRow ? rowOf(value, name, toolRows) : withoutRepeatedRows(value, name, toolRows)];
    }),
  );
}

function rowOf(row: { properties: Properties }, name: string, toolRows: ToolRows): unknown {
  const { properties } = row;
  const isIn = ([field, schema]: [string, unknown]) =>
    JSON.stringify(properties[field]) === JSON.stringify(schema);
  const known = [...toolRows].find(([, fields]) => Object.entries(fields).every(isIn));
  if (!known) {
    toolRows.set(name, properties);
    return row;
  }
  const further = Object.entries(properties).filter(([field]) => !(field in known[1]));
  return {
    type: 'object',
    description: `A row of ${known[0]}`,
    ...(further.length > 0 ? { properties: Object.fromEntries(further) } : {}),
  };
}

const WORDS = ['description', 'title', 'format'];

/**
 * Descriptions, titles and formats: clients check results without them, models read the text of a result, and OpenAPI has
 * them. A property may have such a name too; its value is a schema and no text.
 */
const withoutWords = (schema: unknown) =>
  shortNulls(without(schema, (key, value) => WORDS.includes(key) && typeof value === 'string'));

/** "A number or null" in fewer bytes: `type` with two values in place of `anyOf`. */
function shortNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortNulls);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf } = schema as { anyOf?: unknown };
  const types = Array.isArray(anyOf) ? anyOf.map(onlyType) : [];
  if (types.length > 0 && types.every((type) => type !== null)) return { type: types };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shortNulls(value)]));
}

/** The type of a schema that says nothing else; null of any other. */
function onlyType(schema: object): string | null {
  const [[key, type] = [], ...others] = Object.entries(schema);
  return key === 'type' && typeof type === 'string' && others.length === 0 ? type : null;
}

/** Lists of required fields repeat the name of every field; these fields are always there, and others may come. */
const withoutRequired = (schema: unknown) =>
  without(
    onlyRequired(schema),
    (key, value) =>
      (key === 'required' && Array.isArray(value)) || (key === 'additionalProperties' && !value),
  );

/** Without the fields that rows have only with some parameter, whose description names them. */
function onlyRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(onlyRequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required } = schema as { properties?: object; required?: unknown };
  const shown =
    properties && Array.isArray(required)
      ? {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(properties).filter(([name]) => required.includes(name)),
          ),
        }
      : schema;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, onlyRequired(value)]));
}

function without(schema: unknown, isLeftOut: (key: string, value: unknown) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => without(one, isLeftOut));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isLeftOut(key, value))
      .map(([key, value]) => [key, without(value, isLeftOut)]),
  );
}
