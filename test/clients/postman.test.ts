import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { isStreamed } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { openStream } from '../streams/client.ts';

const FILE = join(import.meta.dirname, '../../clients/postman/perpwire.postman_collection.json');
const END_OF_RUN = 'pm.execution.setNextRequest(null);';
/** Each operation takes about 15 kB, mostly descriptions of its parameters. */
const MAX_BYTES = 350_000;

interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  request: { auth?: { type: string }; url: { raw: string; path: string[]; query: Pair[]; variable: Pair[] } };
  event?: { script: { exec: string[] } }[];
  response: { code: number; body: string; _postman_previewlanguage: string }[];
}

const text = readFileSync(FILE, 'utf8');
const { item: folders } = JSON.parse(text) as { item: { name: string; item: Item[] }[] };
const items = folders.flatMap(({ item }) => item);

/** The address that Postman makes of a request. */
function addressOf({ request: { url } }: Item, baseUrl: string): string {
  const partOf = (part: string) => url.variable.find(({ key }) => `:${key}` === part)?.value ?? part;
  const query = url.query.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]);
  return `${baseUrl}/${url.path.map(partOf).join('/')}?${new URLSearchParams(query)}`;
}

suite('the Postman collection', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 6 });
    await fillEveryPart(rest);
  });
  after(() => rest.stop());

  test('is small, and has every operation and every stream', () => {
    assert.ok(text.length < MAX_BYTES, `${text.length} bytes`);
    const paths = items.map(({ request }) => `/${request.url.path.join('/')}`.replaceAll(/:(\w+)/g, '{$1}'));
    const streams = OPERATIONS.filter(isStreamed).map(({ path }) => `/api/v1/stream${path}`);
    assert.deepEqual(
      paths.toSorted(),
      [
        ...OPERATIONS.map(({ path }) => `/api/v1${path}`),
        ...streams,
        '/api/v1',
        '/api/v1/openapi.json',
      ].toSorted(),
    );
  });

  test('streams have a folder of their own at the end, before which a run of the collection ends', () => {
    const streams = folders.at(-1);
    assert.equal(streams?.name, 'Streams');
    const isStream = ({ request }: Item) => request.url.path.includes('stream');
    assert.ok(streams?.item.every(isStream));
    const others = folders.slice(0, -1).flatMap(({ item }) => item);
    assert.ok(!others.some(isStream));
    const ending = others.filter(({ event }) =>
      event?.some(({ script }) => script.exec.includes(END_OF_RUN)),
    );
    assert.deepEqual(ending, [others.at(-1)]);
  });

  test('every request works as it is, and has an example of its answer', async () => {
    const { baseUrl } = rest.service;
    for (const item of items) {
      const url = addressOf(item, baseUrl);
      const [example] = item.response;
      assert.equal(example?.code, 200, item.name);
      if (item.request.url.path.includes('stream')) {
        const stream = await openStream(url, rest.keys.business);
        assert.equal((await stream.next()).event, 'snapshot');
        stream.close();
        assert.match(example.body, /^event: snapshot\n/);
        continue;
      }
      const key = item.request.auth?.type === 'noauth' ? null : rest.keys.business;
      const reply = await rest.getWith(key, url.slice(baseUrl.length));
      assert.equal(reply.status, 200, `${url}: ${reply.text}`);
      assert.deepEqual(
        Object.keys(reply.body as object).toSorted(),
        url.includes('openapi.json')
          ? Object.keys(reply.body as object).toSorted()
          : Object.keys(JSON.parse(example.body)).toSorted(),
        item.name,
      );
    }
  });
});
