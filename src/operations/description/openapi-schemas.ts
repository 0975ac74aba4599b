import type { JsonSchema } from '../../query/parameter.ts';

type Components = Record<string, JsonSchema>;

/**
 * Converts a schema for publication: titled parts move to the components, and objects become open, because new fields
 * may appear without a new version. Rows of an operation with the parameter `fields` get a second, partial form.
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

/** The row with only the fields that `fields` names. */
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
