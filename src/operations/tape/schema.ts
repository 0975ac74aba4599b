import type { JsonSchema } from '../../query/parameter.ts';
import { STEPS } from './steps.ts';

export const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
export const named = (description: string): JsonSchema => ({ type: 'string', description });
export const time = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});
export const double = { type: 'number', format: 'double' };
export const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});
export const listOf = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  items,
  description,
});

/** What every answer from the tape starts with. */
export const WINDOW_FIELDS = {
  coin: named('Ticker without multiplier'),
  step: { type: 'string', enum: STEPS, description: 'As requested' },
  from: time('Start of the window that was answered'),
  to: time('End of the window that was answered'),
};

export const CONTRACT_FIELDS = {
  exchange: named('Venue name'),
  symbol: named("Contract symbol with the contract's own base"),
  venue_symbol: named("The venue's own spelling of the contract"),
  is_inverse: { type: 'boolean', description: 'true = coin-margined' },
};

export const AT = time(
  'Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end',
);
