import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { restDoor } from '../../src/doors/rest/rest.ts';
import type { Column } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import { metaOf } from '../../src/operations/answer/meta.ts';
import { rowSchema } from '../../src/operations/description/row-schema.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { Description, type OpenApi } from '../support/openapi.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Rest, startRest } from './rest-service.ts';

const FIRST = { since: '2026-01-01', sunset: '2027-01-01' };
const SECOND = { since: '2026-03-01T12:00:00Z', sunset: '2026-12-01' };

/** Made-up operations: a deprecated one, one with a deprecated column, and one without either. */
const madeUp = (id: string, columns: readonly Column[], deprecated?: typeof FIRST) =>
  defineOperation({
    id,
    operationId: `get-${id}`,
    path: `/${id}`,
    scope: null,
    summary: 'Made up for a test',
    description: 'Made up for a test.',
    parameters: {},
    freshness: () => 1,
    data: { type: 'array', items: rowSchema({ name: id, columns }) },
    ...(deprecated ? { deprecated } : {}),
    run: (_values, context) => {
      const builder = new TableBuilder({ name: id, columns });
      builder.add({ old: 1, new: 2 });
      return {
        fields: null,
        rows: { table: builder.build(), numbers: [0], columns: null },
        meta: metaOf(context.nowMs, '/', context),
      };
    },
  });
const column = (name: string, deprecated?: typeof FIRST): Column => ({
  name,
  type: 'integer',
  nullable: false,
  description: name,
  ...(deprecated ? { deprecated } : {}),
});

suite('deprecation', () => {
  let rest: Rest;
  let url: string;
  let description: Description;
  const described = async () => JSON.parse((await rawRequest(`${url}/api/v1/openapi.json`)).text) as OpenApi;
  let close: () => Promise<unknown>;
  before(async () => {
    rest = await startRest({ isEmpty: true, venues: ['binance'] });
    const { entrance, metrics, baseUrl } = rest.service;
    const http = createHttpServer({
      baseUrl: () => baseUrl,
      trustedProxies: [],
      log: createLog('silent'),
      metrics,
    });
    const operations = [
      madeUp('leaving', [column('old'), column('new')], FIRST),
      madeUp('trimmed', [column('old', SECOND), column('new')]),
      madeUp('both', [column('old', SECOND), column('new')], FIRST),
      madeUp('staying', [column('old'), column('new')]),
    ];
    await http.register(restDoor({ entrance, operations, metrics }));
    await http.listen({ host: '127.0.0.1', port: 0 });
    close = () => http.close();
    url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
    description = new Description(await described());
  });
  after(async () => {
    await close();
    await rest.stop();
  });

  const get = async (path: string, headers: Record<string, string> = {}, key: string = rest.keys.pro) => {
    const reply = await rawRequest(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    description.assertFits(`/api/v1${path}`, reply);
    return reply;
  };
  const link = () => `<${rest.service.baseUrl}/developers#versioning>; rel="deprecation"`;

  test('a deprecated operation says since when, until when and where it is explained', async () => {
    const { headers } = await get('/leaving');
    assert.equal(headers.get('deprecation'), `@${Date.UTC(2026, 0, 1) / 1000}`);
    assert.equal(headers.get('sunset'), 'Fri, 01 Jan 2027 00:00:00 GMT');
    assert.ok(headers.get('link')?.includes(link()), headers.get('link') ?? '');
    assert.ok(headers.get('link')?.includes('rel="describedby"'));
    assert.match(headers.get('access-control-expose-headers') ?? '', /Deprecation.*Sunset/);
  });

  test('its 304 and its problems say so too', async () => {
    const etag = (await get('/leaving')).headers.get('etag') ?? '';
    const known = await get('/leaving', { 'if-none-match': etag });
    assert.equal(known.status, 304);
    const refused = await get('/leaving', {}, 'wrong');
    assert.equal(refused.status, 401);
    for (const { headers } of [known, refused]) {
      assert.equal(headers.get('sunset'), 'Fri, 01 Jan 2027 00:00:00 GMT');
      assert.ok(headers.get('link')?.includes(link()));
    }
  });

  test('so does one with a deprecated field', async () => {
    const { headers } = await get('/trimmed');
    assert.equal(headers.get('deprecation'), `@${Date.UTC(2026, 2, 1, 12) / 1000}`);
    assert.equal(headers.get('sunset'), 'Tue, 01 Dec 2026 00:00:00 GMT');
  });

  test('with both, the earliest dates count', async () => {
    const { headers } = await get('/both');
    assert.equal(headers.get('deprecation'), `@${Date.UTC(2026, 0, 1) / 1000}`);
    assert.equal(headers.get('sunset'), 'Tue, 01 Dec 2026 00:00:00 GMT');
  });

  test('one without deprecations has no such headers', async () => {
    const { headers } = await get('/staying');
    assert.equal(headers.get('deprecation'), null);
    assert.equal(headers.get('sunset'), null);
    assert.ok(!headers.get('link')?.includes('deprecation'));
  });

  test('the API description marks the operation and the field', async () => {
    const { paths, components } = await described();
    assert.equal(paths['/api/v1/leaving']?.get.deprecated, true);
    assert.equal(paths['/api/v1/trimmed']?.get.deprecated, undefined);
    const row = components.schemas.TrimmedRow as { properties: Record<string, { deprecated?: boolean }> };
    assert.equal(row.properties.old?.deprecated, true);
    assert.equal(row.properties.new?.deprecated, undefined);
    assert.ok('Sunset' in (paths['/api/v1/trimmed']?.get.responses[200]?.headers ?? {}));
    assert.ok(!('Sunset' in (paths['/api/v1/staying']?.get.responses[200]?.headers ?? {})));
  });
});
