import { SCOPES } from '../accounts/scopes.ts';
import { type Usage, usageOf } from '../accounts/usage/usage.ts';
import type { ObjectAnswer } from './answer/answer.ts';
import { metaOf } from './answer/meta.ts';
import { defineOperation } from './operation.ts';

const windowSchema = {
  type: 'object',
  properties: {
    used: {
      type: 'integer',
      format: 'int64',
      description: 'Requests counted in the window, this one included',
    },
    limit: { type: 'integer', format: 'int64', description: 'Requests that the plan allows in the window' },
    remaining: { type: 'integer', format: 'int64', description: 'Requests left' },
    resets_at: { type: 'string', format: 'date-time', description: 'When the window is fresh again, UTC' },
  },
  required: ['used', 'limit', 'remaining', 'resets_at'],
  additionalProperties: false,
};

export const usage = defineOperation({
  id: 'usage',
  operationId: 'getUsage',
  path: '/usage',
  scope: 'usage:read',
  summary: 'Plan, windows and limits of the key that asks',
  description:
    'How much of the minute and month windows this key has used, and what its plan includes. The request itself is counted. Never cached.',
  tool: {
    name: 'svc_get_usage',
    title: 'Usage of this key',
    place: 9,
    conclusion: ({ fields: { plan, minute, month } }: ObjectAnswer<Usage>) =>
      `Plan ${plan}: ${minute.used} of ${minute.limit} requests used in this minute, ${month.used} of ${month.limit} in this month.`,
  },
  parameters: {},
  freshness: null,
  data: {
    type: 'object',
    properties: {
      plan: { type: 'string', enum: ['demo', 'developer', 'pro', 'business'], description: 'Effective plan' },
      key_prefix: { type: 'string', description: 'Start of the key, to tell it apart from others' },
      scopes: { type: 'array', items: { type: 'string', enum: SCOPES }, description: 'Scopes of the key' },
      month: { ...windowSchema, description: 'Month window; resets on the 1st at 00:00 UTC' },
      minute: { ...windowSchema, description: 'Minute window of 60 seconds' },
      history_days: {
        anyOf: [{ type: 'integer', format: 'int32' }, { type: 'null' }],
        description: 'History depth in days; null = everything held',
      },
      delay_seconds: {
        type: 'integer',
        format: 'int32',
        description: 'How far the data lags behind the live snapshot',
      },
      commercial_use: { type: 'boolean', description: 'Whether the plan includes commercial use' },
      upgrade_url: { type: 'string', description: 'Page of the plans' },
    },
    required: [
      'plan',
      'key_prefix',
      'scopes',
      'month',
      'minute',
      'history_days',
      'delay_seconds',
      'commercial_use',
      'upgrade_url',
    ],
    additionalProperties: false,
  },
  example: {
    plan: 'developer',
    key_prefix: 'pw_live_4fQ9sZ',
    scopes: SCOPES,
    month: { used: 412, limit: 100_000, remaining: 99_588, resets_at: '2026-12-01T00:00:00Z' },
    minute: { used: 1, limit: 120, remaining: 119, resets_at: '2026-11-15T12:01:00Z' },
    history_days: 90,
    delay_seconds: 0,
    commercial_use: false,
    upgrade_url: 'https://perpwire.example/plans',
  },
  run: (_values, context) => ({
    fields: usageOf(context.caller, context.states, context.baseUrl),
    rows: null,
    meta: { ...metaOf(context.nowMs, '/account/usage', context), delayed_seconds: 0 },
  }),
});
