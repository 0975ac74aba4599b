import type { JsonSchema } from '../../query/parameter.ts';

/** One field of an answer, or one parameter, as the reference lists it. */
export interface Field {
  /** With the names of what it is inside, such as `rates[].rate_pct`. */
  name: string;
  type: string;
  /** The values that it can have; empty: any of its type. */
  values: readonly string[];
  description: string;
}

const PLAIN: Readonly<Record<string, string>> = {
  'date-time': 'time (ISO 8601)',
  date: 'day (2026-11-15)',
  uri: 'address',
};

/** A schema in words: `number or null`, `list of text`, `integer, 1 to 24`. */
export function typeWords(schema: JsonSchema): string {
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((one) => typeWords(one as JsonSchema)).join(' or ');
  const { type, format, minimum, maximum } = schema;
  if (Array.isArray(type)) return type.map((one) => typeWords({ ...schema, type: one })).join(' or ');
  if (type === 'array') return `list of ${typeWords((schema.items ?? {}) as JsonSchema)}`;
  if (type === 'string' || type === undefined) return PLAIN[String(format)] ?? 'text';
  if (type === 'boolean') return 'true or false';
  if (type !== 'number' && type !== 'integer') return String(type);
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${type}, ${minimum} or more`;
  return maximum === undefined ? type : `${type}, at most ${maximum}`;
}

/** The values that a schema allows by name; of a list those of its items. */
export function allowedValues(schema: JsonSchema): string[] {
  if (schema.const !== undefined) return [String(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.filter((one) => one !== null).map(String);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((one) => allowedValues(one as JsonSchema));
  return schema.items === undefined ? [] : allowedValues(schema.items as JsonSchema);
}

/** All fields inside a schema, each after the object that it is in. */
export function fieldsOf(schema: JsonSchema, inside = ''): Field[] {
  const object = objectIn(schema);
  if (!object) return [];
  const properties = (object.properties ?? {}) as Record<string, JsonSchema>;
  return Object.entries(properties).flatMap(([field, own]) => {
    const name = `${inside}${field}`;
    const found = { name, type: typeWords(own), values: allowedValues(own), description: wordsOf(own) };
    return [found, ...fieldsOf(own, `${name}${listIn(own) ? '[]' : ''}.`)];
  });
}

function wordsOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}

/** The list that a schema is, or is when it is not null. */
function listIn(schema: JsonSchema): JsonSchema | null {
  return alternatives(schema).find(({ type }) => type === 'array') ?? null;
}

/** The object that a schema is, or whose list it is. */
function objectIn(schema: JsonSchema): JsonSchema | null {
  const list = listIn(schema);
  if (list) return objectIn((list.items ?? {}) as JsonSchema);
  return alternatives(schema).find(({ properties }) => properties !== undefined) ?? null;
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [schema];
}
