import { PLANS } from '../../accounts/plans.ts';
import type { JsonSchema } from '../../query/parameter.ts';

const count = (description: string) => ({
  anyOf: [{ type: 'integer', format: 'int32' }, { type: 'null' }],
  description,
});

export const META_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'What the data is, how old, and where a person finds it; keep as_of and url with every figure',
  properties: {
    as_of: { type: 'string', format: 'date-time', description: 'Time of the snapshot, UTC' },
    delayed_seconds: {
      type: 'integer',
      format: 'int32',
      description: `Lag behind the live snapshot: 0 on paid plans, ${PLANS.demo.delaySeconds} on Demo`,
    },
    source: { type: 'string', description: 'Whom to attribute the figures to' },
    url: { type: 'string', description: 'Human page of the same data; link it when figures are republished' },
    count: count('Rows in this page; of /funding/{coin} its rates, of /funding/history its series'),
    total: count('Rows that match in all pages'),
    next_cursor: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Pass it as cursor to get the next page; absent on the last page',
    },
  },
  required: ['as_of', 'delayed_seconds', 'source', 'url', 'count', 'total'],
  additionalProperties: false,
};
