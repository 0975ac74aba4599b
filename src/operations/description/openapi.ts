import { SCOPES, type Scope } from '../../accounts/scopes.ts';
import type { JsonSchema, Parameter } from '../../query/parameter.ts';
import { csvText } from '../answer/flat-rows.ts';
import { type FileFormats, formatParameter, MEDIA_TYPES } from '../format.ts';
import { type AnyOperation, isStreamed, type StreamedOperation } from '../operation.ts';
import { deprecationOf } from './deprecation.ts';
import { API_PATH, API_VERSION, DISCOVERY_SCHEMA, discoveryDocument } from './discovery.ts';
import { META_SCHEMA } from './envelope.ts';
import { exampleAnswer, exampleValue } from './openapi-examples.ts';
import {
  COMMON_HEADERS,
  DEPRECATION_HEADERS,
  FILE_HEADERS,
  headerComponents,
  headerRefs,
  RATE_HEADERS,
} from './openapi-headers.ts';
import {
  DOCUMENT_PROBLEMS,
  type ProblemExample,
  problemResponses,
  problemSchema,
  problemsOf,
  SWITCHED_OFF,
} from './openapi-problems.ts';
import { published } from './openapi-schemas.ts';
import {
  STREAM_SCHEMA,
  streamDescription,
  streamExample,
  streamPath,
  streamSummary,
  TOO_MANY_STREAMS,
} from './streams.ts';

const TAGS: Readonly<Record<Scope | 'none', { name: string; description: string }>> = {
  'funding:read': { name: 'Funding', description: 'Current funding rates' },
  'history:read': { name: 'History', description: 'Funding that was really paid' },
  'spreads:read': { name: 'Spreads', description: 'Price differences between venues, live and backtested' },
  'listings:read': { name: 'Listings', description: 'Calendar of listings and delistings' },
  'usage:read': { name: 'Usage', description: 'What a key has used and may use' },
  none: { name: 'Catalogue', description: 'The venues and coins there are; any valid key will do' },
};
const DOCUMENTS = { name: 'Documents', description: 'What describes the API; no key needed' };

const DESCRIPTION = `Read-only market data for crypto perpetual futures over many venues.

Fields ending in \`_pct\` are percent (0.01 is one basis point), those ending in \`_usdt\` US dollars of Tether. Positive funding is paid by longs to shorts. Times are UTC, ISO 8601. Nulls are written out.

Send a key as \`Authorization: Bearer <key>\` or in \`X-Api-Key\`, never in the address. Every request costs one of the key's minute and month windows; a 304 and a 503 cost nothing. Lists and history also come as CSV, with \`Accept: text/csv\` or \`format=csv\`; errors are always JSON. HEAD works wherever GET does, answers are compressed (br, zstd, gzip) on request, and pages of every origin may call.

Lists take one value or several with commas between them. \`min_\` and \`max_\` bounds are inclusive and drop rows whose field is null. Unknown parameters are ignored. New fields, endpoints, parameters and enum values may come at any time; anything else would be a new version, and deprecations are announced in the headers Deprecation, Sunset and Link.

Whoever republishes figures names the source with a link to \`meta.url\` and keeps \`meta.as_of\`.`;

/** The OpenAPI 3.1 document, made from the operations. */
export function openApiDocument(operations: readonly AnyOperation[], baseUrl: string): object {
  const schemas: Record<string, JsonSchema> = {};
  schemas.Meta = published(META_SCHEMA, schemas, false);
  const paths = Object.fromEntries([
    ...operations.map((operation) => [
      `${API_PATH}${operation.path}`,
      { get: operationObject(operation, schemas, baseUrl) },
    ]),
    ...operations
      .filter(isStreamed)
      .map((operation) => [`${API_PATH}${streamPath(operation)}`, { get: streamObject(operation, baseUrl) }]),
  ]);
  const tags = [...new Set(operations.map((operation) => TAGS[operation.scope ?? 'none']))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perpwire API',
      version: API_VERSION,
      summary: 'Funding rates, spreads and listings of crypto perpetual futures',
      description: DESCRIPTION,
      license: { name: 'Terms of the plan of the key', url: `${baseUrl}/plans` },
      contact: { name: 'Developer page', url: `${baseUrl}/developers` },
    },
    servers: [{ url: baseUrl }],
    externalDocs: { description: 'Developer page', url: `${baseUrl}/developers` },
    tags: [...tags, DOCUMENTS],
    paths: { ...paths, ...documentPaths(operations, baseUrl, schemas) },
    components: {
      schemas: { ...schemas, Problem: problemSchema() },
      headers: headerComponents(operations.some((operation) => deprecationOf(operation) !== null)),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pw_live_ key',
          description: `API key. Scopes: ${SCOPES.join(', ')}`,
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same key' },
      },
    },
  };
}

function operationObject(
  operation: AnyOperation,
  schemas: Record<string, JsonSchema>,
  baseUrl: string,
): object {
  const { scope, summary, description, parameters, formats } = operation;
  const dates = deprecationOf(operation);
  const deprecationHeaders = dates ? DEPRECATION_HEADERS : [];
  const answerHeaders = headerRefs(
    [...COMMON_HEADERS, 'ETag', ...RATE_HEADERS, ...deprecationHeaders],
    formats ? FILE_HEADERS : [],
  );
  const { data, meta } = exampleAnswer(operation, baseUrl);
  return {
    operationId: operation.operationId,
    tags: [TAGS[scope ?? 'none'].name],
    summary,
    description: scope === null ? description : `${description}\n\nScope: \`${scope}\`.`,
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(dates ? { 'x-deprecated': dates } : {}),
    ...(operation.rows ? { 'x-row-identity': operation.rows.identity } : {}),
    security: [{ bearer: scope === null ? [] : [scope] }, { apiKey: scope === null ? [] : [scope] }],
    parameters: [...Object.values(parameters), ...(formats ? [formatParameter(formats)] : [])].map(
      parameterObject,
    ),
    responses: {
      200: {
        description: summary,
        headers: answerHeaders,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                data: published(operation.data, schemas, parameters.fields !== undefined),
                meta: { $ref: '#/components/schemas/Meta' },
              },
              required: ['data', 'meta'],
            },
            examples: { answer: { summary, value: { data, meta } } },
          },
          ...(formats ? fileContent(formats, summary, data) : {}),
        },
      },
      ...(operation.freshness === null
        ? {}
        : {
            304: {
              description: 'Nothing new since the answer whose ETag was sent in If-None-Match; costs nothing',
              headers: answerHeaders,
            },
          }),
      ...problemResponses(problemsOf(operation), baseUrl, deprecationHeaders),
    },
  };
}

function fileContent({ names, flat }: FileFormats, summary: string, data: unknown): object {
  const csv = {
    schema: {
      type: 'string',
      description:
        'RFC 4180 with a header line: one line per row, empty for null, lists separated by semicolons. A text that a spreadsheet would take for a formula has an apostrophe in front.',
    },
    examples: { answer: { summary, value: csvText(flat(data)) } },
  };
  const parquet = { schema: { type: 'string', contentMediaType: MEDIA_TYPES.parquet } };
  return {
    [MEDIA_TYPES.csv]: csv,
    ...(names.includes('parquet') ? { [MEDIA_TYPES.parquet]: parquet } : {}),
  };
}

function streamObject(operation: StreamedOperation, baseUrl: string): object {
  const { scope, stream, rows } = operation;
  const dates = deprecationOf(operation);
  const summary = streamSummary(operation);
  const { data, meta } = exampleAnswer(operation, baseUrl);
  const needed = scope === null ? [] : [scope];
  return {
    operationId: operation.operationId.replace(/^[a-z]+/, 'stream'),
    tags: [TAGS[scope ?? 'none'].name],
    summary,
    description: `${streamDescription(operation)}${scope === null ? '' : `\n\nScope: \`${scope}\`.`}`,
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(dates ? { 'x-deprecated': dates } : {}),
    'x-row-identity': rows.identity,
    security: [{ bearer: needed }, { apiKey: needed }],
    parameters: [
      ...Object.values(stream.parameters).map(parameterObject),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event that you have: the stream resumes with what has changed since',
        schema: { type: 'string', format: 'date-time' },
        example: meta.as_of,
      },
    ],
    responses: {
      200: {
        description: summary,
        headers: headerRefs([...COMMON_HEADERS, ...RATE_HEADERS, ...(dates ? DEPRECATION_HEADERS : [])]),
        content: {
          'text/event-stream': {
            schema: STREAM_SCHEMA,
            examples: { events: { summary, value: streamExample(data, meta) } },
          },
        },
      },
      ...problemResponses(
        [...problemsOf({ ...operation, parameters: stream.parameters }), TOO_MANY_STREAMS],
        baseUrl,
        dates ? DEPRECATION_HEADERS : [],
      ),
    },
  };
}

function parameterObject(parameter: Parameter): object {
  const { name, in: place, isRequired, isList, allowsEmpty, description, schema, example } = parameter;
  const isPlainText = schema.type === 'string' && schema.enum === undefined && !allowsEmpty;
  return {
    name,
    in: place,
    required: isRequired,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: { ...schema, ...(isList ? { minItems: 1 } : {}), ...(isPlainText ? { minLength: 1 } : {}) },
    ...(example === '' ? {} : { example: exampleValue(example, schema) }),
  };
}

/** The public documents: discovery and this description itself. */
function documentPaths(
  operations: readonly AnyOperation[],
  baseUrl: string,
  schemas: Record<string, JsonSchema>,
): object {
  const headers = headerRefs([...COMMON_HEADERS, 'ETag'], RATE_HEADERS);
  const documentObject = (
    id: string,
    summary: string,
    description: string,
    schema: JsonSchema,
    value: unknown,
    problems: readonly ProblemExample[],
  ) => ({
    get: {
      operationId: id,
      tags: [DOCUMENTS.name],
      summary,
      description,
      security: [],
      responses: {
        200: {
          description: summary,
          headers,
          content: { 'application/json': { schema, examples: { document: { summary, value } } } },
        },
        304: { description: 'Nothing new since the answer whose ETag was sent', headers },
        ...problemResponses(problems, baseUrl),
      },
    },
  });
  return {
    [API_PATH]: documentObject(
      'getDiscovery',
      'Where everything is',
      'Every endpoint with the scope that a key needs, how to send a key, and the addresses of the documents. No key needed.',
      published(DISCOVERY_SCHEMA, schemas, false),
      discoveryDocument(operations.slice(0, 1), baseUrl),
      [...DOCUMENT_PROBLEMS, SWITCHED_OFF],
    ),
    [`${API_PATH}/openapi.json`]: documentObject(
      'getDescription',
      'This description, OpenAPI 3.1',
      'The document that generators of clients read. It changes only with a new release of the service. No key needed.',
      { type: 'object', description: 'An OpenAPI 3.1 document' },
      { openapi: '3.1.0', info: { title: 'Perpwire API', version: API_VERSION }, paths: {} },
      DOCUMENT_PROBLEMS,
    ),
  };
}
