import { PLANS } from '../../../accounts/plans.ts';
import type { Scope } from '../../../accounts/scopes.ts';
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
  const toolOfRows = new Map<string, string>();
  return operations
    .flatMap((operation) => (operation.tool ? [{ operation, description: operation.tool }] : []))
    .toSorted((a, b) => a.description.place - b.description.place)
    .map(({ operation, description }) => ({
      operation,
      description,
      scope: operation.scope,
      definition: definitionOf(operation, description, operations, toolOfRows),
    }));
}

function definitionOf(
  operation: AnyOperation,
  { name, title }: ToolDescription,
  all: readonly AnyOperation[],
  toolOfRows: Map<string, string>,
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
    outputSchema: outputSchema(operation, name, toolOfRows),
    // Other hints have a meaning only for tools that change something.
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

function ageOf({ freshness }: AnyOperation): string {
  return freshness === null
    ? 'The answer is of this moment.'
    : `Quote figures with meta.as_of (${PLANS.demo.delaySeconds} s late on Demo) and meta.url.`;
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
function inputSchema({ schema }: Parameter, description: string): JsonSchema {
  return { ...(withoutWords(schema) as JsonSchema), description };
}

/** Of `meta`, which every tool has: the two fields that belong to every quoted figure. OpenAPI describes all of them. */
const META: JsonSchema = {
  type: 'object',
  properties: { as_of: { type: 'string' }, url: { type: 'string' } },
  required: ['as_of', 'url'],
};

/** What clients check results against. */
function outputSchema(operation: AnyOperation, name: string, toolOfRows: Map<string, string>): JsonSchema {
  const data = withoutRepeatedRows(withoutRequired(withoutWords(operation.data)), name, toolOfRows);
  return {
    type: 'object',
    properties: { data: data as JsonSchema, meta: META },
    required: ['data', 'meta'],
    additionalProperties: false,
  };
}

/** Rows that an earlier tool describes are not described again; `toolOfRows` has the tools by their rows' schema. */
function withoutRepeatedRows(schema: unknown, name: string, toolOfRows: Map<string, string>): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isRow = key === 'items' && value?.type === 'object';
      if (!isRow) return [key, withoutRepeatedRows(value, name, toolOfRows)];
      const text = JSON.stringify(value);
      const known = toolOfRows.get(text);
      toolOfRows.set(text, known ?? name);
      return [key, known === undefined ? value : { type: 'object', description: `A row of ${known}` }];
    }),
  );
}

const WORDS = ['description', 'title', 'format'];

/**
 * Descriptions, titles and formats: clients check results without them, models read the text of a result, and OpenAPI has
 * them. A property may have such a name too; its value is a schema and no text.
 */
const withoutWords = (schema: unknown) =>
  without(schema, (key, value) => WORDS.includes(key) && typeof value === 'string');

/** Lists of required fields repeat the name of every field; all fields are always there, and others may come. */
const withoutRequired = (schema: unknown) =>
  without(
    schema,
    (key, value) =>
      (key === 'required' && Array.isArray(value)) || (key === 'additionalProperties' && !value),
  );

function without(schema: unknown, isLeftOut: (key: string, value: unknown) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => without(one, isLeftOut));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isLeftOut(key, value))
      .map(([key, value]) => [key, without(value, isLeftOut)]),
  );
}
