import { openApiDocument } from '../../src/operations/description/openapi.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  example?: unknown;
}

interface Described {
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
}

interface Document {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get: Described }>;
}

const STREAM_PATH = '/api/v1/stream/';
const STREAMS = {
  name: 'Streams',
  description:
    'Server-sent events. A stream stays open until you cancel it, so a run of the collection ends before this folder; send its requests one by one.',
};
/** Postman obeys this only in a run of the collection, not when a single request is sent. */
const END_OF_RUN = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ['// A stream never ends by itself, so the run ends here.', 'pm.execution.setNextRequest(null);'],
  },
};

/** A Postman collection: the requests of the API description, each with one example of its answer. */
export function postmanCollection(operations: readonly AnyOperation[], baseUrl: string): string {
  const { info, tags, paths } = openApiDocument(operations, baseUrl) as Document;
  const requests = Object.entries(paths).map(([path, { get }]) => ({
    folder: path.startsWith(STREAM_PATH) ? STREAMS.name : get.tags[0],
    item: item(path, get),
  }));
  const itemsOf = (name: string) =>
    requests.filter(({ folder }) => folder === name).map((request) => request.item);
  const folders = tags.map(({ name, description }) => ({ name, description, item: itemsOf(name) }));
  const last = folders.findLast(({ item: items }) => items.length > 0)?.item.at(-1);
  if (last) Object.assign(last, { event: [END_OF_RUN] });
  const collection = {
    info: { name: info.title, description: info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      { key: 'apiKey', value: '', type: 'string', description: 'A key of your account' },
    ],
    item: [
      ...folders.filter(({ item: items }) => items.length > 0),
      { ...STREAMS, item: itemsOf(STREAMS.name) },
    ],
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function item(path: string, described: Described): object {
  const request = requestOf(path, described);
  const [type, { examples = {} } = {}] = Object.entries(described.responses['200']?.content ?? {})[0] ?? [];
  const [example] = Object.values(examples);
  const isText = typeof example?.value === 'string';
  const answer = {
    name: 'Example',
    originalRequest: { method: request.method, url: request.url },
    status: 'OK',
    code: 200,
    _postman_previewlanguage: isText ? 'text' : 'json',
    header: [{ key: 'Content-Type', value: type }],
    body: isText ? example.value : JSON.stringify(example?.value, null, 2),
  };
  return { name: described.summary, request, response: example === undefined ? [] : [answer] };
}

/** Optional parameters are there with an example, but switched off. */
function requestOf(path: string, { description, parameters = [], security }: Described) {
  const exampleText = ({ example }: Parameter) => (example === undefined ? '' : String(example));
  const of = (place: string) => parameters.filter((one) => one.in === place);
  const query = of('query').map((one) => ({
    key: one.name,
    value: exampleText(one),
    description: one.description,
    ...(one.required ? {} : { disabled: true }),
  }));
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(.*)\}$/, ':$1'));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    method: 'GET',
    ...(security.length === 0 ? { auth: { type: 'noauth' } } : {}),
    header: of('header').map((one) => ({
      key: one.name,
      value: exampleText(one),
      description: one.description,
      disabled: true,
    })),
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
      host: ['{{baseUrl}}'],
      path: segments,
      query,
      variable: of('path').map((one) => ({
        key: one.name,
        value: exampleText(one),
        description: one.description,
      })),
    },
    description,
  };
}
