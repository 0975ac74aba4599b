import type { JsonSchema } from '../../query/parameter.ts';

export const double = { type: 'number', format: 'double' };
export const integer32 = { type: 'integer', format: 'int32' };

export function orNull(schema: JsonSchema, description: string): JsonSchema {
  return { anyOf: [schema, { type: 'null' }], description };
}

export function object(properties: Record<string, JsonSchema>, description?: string): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  };
}
