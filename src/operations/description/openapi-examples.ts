import type { JsonSchema } from '../../query/parameter.ts';
import { type Meta, SOURCE_NAME } from '../answer/meta.ts';
import type { AnyOperation } from '../operation.ts';

/** Base URL in the examples of operations; the description replaces it by the service's own. */
const WRITTEN_BASE_URL = 'https://perpwire.example';

function withBaseUrl(example: unknown, baseUrl: string): unknown {
  if (typeof example === 'string') return example.replaceAll(WRITTEN_BASE_URL, baseUrl);
  if (Array.isArray(example)) return example.map((item) => withBaseUrl(item, baseUrl));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, withBaseUrl(value, baseUrl)]),
  );
}

const EXAMPLE_TIME = '2026-11-15T12:00:00Z';

/** A value that matches the schema: the first of an enum, or a simple value of its type. */
function exampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as JsonSchema);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    return Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, exampleOf(own)]));
  }
  if (type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema)];
  if (type === 'integer') return schema.minimum ?? 1;
  if (type === 'number') return 0.01;
  if (type === 'boolean') return true;
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  if (schema.format === 'date') return EXAMPLE_TIME.slice(0, 10);
  return 'text';
}

/** An operation's example, with missing fields filled in from the schema. */
function completed(given: unknown, schema: JsonSchema): unknown {
  const made = exampleOf(schema);
  if (given === undefined) return made;
  if (Array.isArray(given)) {
    const items = (schema.items ?? {}) as JsonSchema;
    return given.map((item) => completed(item, items));
  }
  if (typeof given !== 'object' || given === null || typeof made !== 'object' || made === null) return given;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const names = new Set([...Object.keys(made), ...Object.keys(given)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const own = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined;
      return [name, own === null ? null : completed(own, properties[name] ?? {})];
    }),
  );
}

/** The number of rows in `data`: of the list itself, or of its field with a list of objects. Null if it has none. */
function rowCountOf(data: unknown, schema: JsonSchema): number | null {
  if (Array.isArray(data)) return data.length;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const rows = Object.entries(properties).find(([, own]) => (own.items as JsonSchema)?.type === 'object');
  const list = rows && (data as Record<string, unknown>)[rows[0]];
  return Array.isArray(list) ? list.length : null;
}

function exampleMeta(baseUrl: string, page: string, rows: number | null): Meta {
  return {
    as_of: EXAMPLE_TIME,
    delayed_seconds: 0,
    source: SOURCE_NAME,
    url: `${baseUrl}${page}`,
    count: rows,
    total: rows,
  };
}

/** An answer as the operation gives it. */
export function exampleAnswer(
  operation: Pick<AnyOperation, 'path' | 'example' | 'data'>,
  baseUrl: string,
): { data: unknown; meta: Meta } {
  const data = withBaseUrl(completed(operation.example, operation.data), baseUrl);
  return { data, meta: exampleMeta(baseUrl, operation.path, rowCountOf(data, operation.data)) };
}

/** Converts the text of a parameter's example to the type of its schema. */
export function exampleValue(text: string, schema: JsonSchema): unknown {
  if (schema.type === 'array') {
    const items = (schema.items ?? {}) as JsonSchema;
    return text.split(',').map((item) => exampleValue(item, items));
  }
  if (schema.type === 'integer' || schema.type === 'number') return Number(text);
  if (schema.type === 'boolean') return text === 'true';
  return text;
}
