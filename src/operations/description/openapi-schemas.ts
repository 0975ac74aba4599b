import type { JsonSchema } from '../../query/parameter.ts';

type Components = Record<string, JsonSchema>;

/**
 * A schema for publishing: named parts move to the components, and objects are open, because a new field is no new
 * version. Rows of an operation with `fields` may also come with a part of their fields.
 */
export function published(schema: JsonSchema, components: Components, hasFields: boolean): JsonSchema {
  const { additionalProperties: _closed, title, ...rest } = schema;
  const inner: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    inner[name] = publishedKeyword(name, value, components, hasFields);
  }
  if (typeof title !== 'string') return inner;
  components[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

function publishedKeyword(name: string, value: unknown, components: Components, hasFields: boolean): unknown {
  if (name === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([field, own]) => [
        field,
        published(own, components, hasFields),
      ]),
    );
  }
  if (name === 'anyOf' || name === 'allOf' || name === 'oneOf')
    return (value as JsonSchema[]).map((own) => published(own, components, hasFields));
  if (name !== 'items') return value;
  const items = value as JsonSchema;
  const row = published(items, components, hasFields);
  if (!hasFields || typeof items.title !== 'string') return row;
  return { anyOf: [row, partial(items.title, components)] };
}

/** The same row when `fields` picks some of it. */
function partial(title: string, components: Components): JsonSchema {
  const name = `${title}Fields`;
  const { required: _all, ...rest } = components[title] ?? {};
  components[name] = {
    ...rest,
    description: `A ${title} with only the fields that the parameter \`fields\` names`,
    minProperties: 1,
  };
  return { $ref: `#/components/schemas/${name}` };
}
