import type { JsonSchema } from '../../query/parameter.ts';
import { type AnyOperation, isStreamed } from '../operation.ts';
import { streamPath, streamSummary } from './streams.ts';

export const API_VERSION = '1.0.0';
export const API_PATH = '/api/v1';

/** The public document with the addresses of everything else. */
export function discoveryDocument(operations: readonly AnyOperation[], baseUrl: string): object {
  return {
    name: 'Perpwire',
    version: API_VERSION,
    description:
      'Read-only market data for crypto perpetual futures: current funding rates, settled funding history, cross-venue spreads, and a calendar of listings and delistings.',
    docs_url: `${baseUrl}/developers`,
    openapi_url: `${baseUrl}${API_PATH}/openapi.json`,
    reference_url: `${baseUrl}/developers/reference`,
    llms_url: `${baseUrl}/llms.txt`,
    mcp_url: `${baseUrl}/mcp`,
    plans_url: `${baseUrl}/plans`,
    auth: {
      type: 'bearer',
      header: 'Authorization',
      key_prefix: 'pw_live_',
      get_key_url: `${baseUrl}/account/keys`,
    },
    endpoints: [
      ...operations.map((operation) => ({
        method: 'GET',
        path: `${API_PATH}${operation.path}`,
        scope: operation.scope,
        summary: operation.summary,
      })),
      ...operations.filter(isStreamed).map((operation) => ({
        method: 'GET',
        path: `${API_PATH}${streamPath(operation)}`,
        scope: operation.scope,
        summary: streamSummary(operation),
      })),
    ],
  };
}

const texts = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const closed = (properties: Record<string, unknown>, description: string): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const DISCOVERY_SCHEMA: JsonSchema = {
  ...closed(
    {
      ...texts(['name', 'version', 'description', 'docs_url', 'openapi_url', 'reference_url', 'llms_url']),
      ...texts(['mcp_url', 'plans_url']),
      auth: closed(texts(['type', 'header', 'key_prefix', 'get_key_url']), 'How to send a key and get one'),
      endpoints: {
        type: 'array',
        description: 'Every endpoint, with the scope that a key needs; null = any valid key',
        items: closed(
          {
            ...texts(['method', 'path']),
            scope: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            summary: { type: 'string' },
          },
          'One endpoint',
        ),
      },
    },
    'Where everything is',
  ),
  title: 'Discovery',
};
