import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { OPERATIONS_DOCS, operationsDoc } from '../../scripts/operations-doc.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { discoveryDoor } from '../../src/doors/mcp/discovery/routes.ts';
import { mcpDoor } from '../../src/doors/mcp/mcp.ts';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { restDoor } from '../../src/doors/rest/rest.ts';
import { streamsDoor } from '../../src/doors/streams/streams.ts';
import { webDoor } from '../../src/doors/web/web.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { defineList } from '../../src/operations/list/list.ts';
import type { ListDescription } from '../../src/operations/list/list-description.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { oneOf } from '../../src/query/filter-kinds.ts';
import { coins } from '../../src/query/kinds.ts';
import { NO_DISK_FAULTS } from '../../src/storage/disk-state.ts';
import { callTool, handshakeRequest, postRaw } from '../mcp/rpc.ts';
import { openStream } from '../streams/client.ts';
import type { OpenApi } from '../support/openapi.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

/** What the file of a new endpoint would contain. */
const toyOf = (id: string, tool: Pick<ListDescription, 'tool'>) =>
  defineList({
    id,
    operationId: `list-${id}`,
    path: `/${id}`,
    scope: null,
    summary: `Toy contracts of ${id}`,
    description: 'Contracts, for a test.',
    table: FUNDING_TABLE,
    source: (data) => data.funding,
    shortRows: { leading: [] },
    identity: ['exchange', 'venue_symbol'],
    filters: { coin: oneOf('coin', coins, 'Tickers to keep') },
    sorts: { coin_asc: { column: 'coin', direction: 'asc' } },
    defaultSort: 'coin_asc',
    ties: ['exchange', 'venue_symbol'],
    example: [],
    ...tool,
  });
const TOY = toyOf('toy', {
  tool: {
    name: 'svc_get_toy',
    title: 'A toy',
    place: 100,
    noun: 'toy',
    conclusion: (row) => `${row.symbol} on ${row.exchange}`,
  },
});
const REST_ONLY = toyOf('toy-rest', {});
/** The registry with one more line for each. */
const WITH_TOYS: readonly AnyOperation[] = [...OPERATIONS, TOY, REST_ONLY];
const PATHS = ['/api/v1/toy', '/api/v1/toy-rest'];

suite('a new operation needs one file and one registry line', () => {
  let running: Running;
  let baseUrl: string;
  let key: string;
  let close: () => Promise<unknown>;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
    await collectOnce(running);
    const { entrance, metrics, log } = running.service;
    key = running.keys.business;
    const probe = createHttpServer({ baseUrl: () => '', trustedProxies: [], log, metrics });
    await probe.listen({ host: '127.0.0.1', port: 0 });
    const { port } = probe.server.address() as AddressInfo;
    await probe.close();
    baseUrl = `http://127.0.0.1:${port}`;
    const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
    await server.register(
      webDoor({
        entrance,
        operations: WITH_TOYS,
        signedIn: () => null,
        venueStatus: () => [],
        venueTimes: () => [],
        jobs: () => [],
        diskFaults: () => NO_DISK_FAULTS,
        splitTickers: () => [],
        accuracy: () => null,
        pairChart: async () => null,
        saveStars: async () => undefined,
        saveFees: async () => undefined,
        saveOrderSize: async () => undefined,
      }),
    );
    await server.register(restDoor({ entrance, operations: WITH_TOYS, metrics }));
    await server.register(streamsDoor({ entrance, operations: WITH_TOYS, metrics }));
    await server.register(
      mcpDoor({
        entrance,
        tools: toolsOf(WITH_TOYS),
        operations: WITH_TOYS,
        findGrant: async () => 'unknown',
        origins: { baseUrl, allowedOrigins: [], allowedHosts: [] },
        challenge: { metadataUrl: baseUrl },
        metrics,
        log,
      }),
    );
    await server.register(
      discoveryDoor({ operations: WITH_TOYS, baseUrl, freePagesPerMinute: entrance.freePagesPerMinute }, []),
    );
    await server.listen({ host: '127.0.0.1', port });
    close = () => server.close();
  });
  after(async () => {
    await close();
    await running.stop();
  });

  const get = (path: string) => fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const textAt = async (path: string) => {
    const reply = await get(path);
    assert.equal(reply.status, 200, path);
    return await reply.text();
  };

  test('REST answers, and its filter works', async () => {
    for (const path of PATHS) {
      const { data, meta } = JSON.parse(await textAt(`${path}?coin=BTC&limit=1`)) as {
        data: { coin: string }[];
        meta: { total: number };
      };
      assert.equal(data.length, 1);
      assert.equal(data[0]?.coin, 'BTC');
      const all = JSON.parse(await textAt(path)) as { meta: { total: number } };
      assert.ok(all.meta.total > meta.total && meta.total > 0, `${meta.total} of ${all.meta.total}`);
    }
  });

  test('it has a stream', async () => {
    for (const path of ['/api/v1/stream/toy', '/api/v1/stream/toy-rest']) {
      const stream = await openStream(`${baseUrl}${path}?coin=BTC`, key);
      const { data } = await stream.next('snapshot');
      const coinsSeen = new Set((data.data as { coin: string }[]).map(({ coin }) => coin));
      assert.deepEqual([...coinsSeen], ['BTC']);
      stream.close();
    }
  });

  test('discovery and OpenAPI have it', async () => {
    const { endpoints } = JSON.parse(await textAt('/api/v1')) as { endpoints: { path: string }[] };
    const { paths } = JSON.parse(await textAt('/api/v1/openapi.json')) as OpenApi;
    for (const path of PATHS) {
      assert.ok(
        endpoints.some((one) => one.path === path),
        `discovery: ${path}`,
      );
      assert.ok(Object.hasOwn(paths, path), `OpenAPI: ${path}`);
    }
  });

  test('MCP lists and calls it, but only if it has a tool', async () => {
    const reply = await postRaw(baseUrl, handshakeRequest('tools/list'), { authorization: `Bearer ${key}` });
    const { tools } = reply.body.result as { tools: { name: string }[] };
    assert.equal(tools.length, toolsOf(OPERATIONS).length + 1);
    assert.equal(tools.at(-1)?.name, 'svc_get_toy');
    assert.equal(JSON.stringify(tools).includes('toy-rest'), false);
    const { content, structuredContent } = await callTool(baseUrl, key, 'svc_get_toy', { coin: 'BTC' });
    assert.match(content[0]?.text ?? '', /^\d+ toys? match(es)?; first: BTC-\w+ on Binance\. As of /);
    assert.ok(Array.isArray(structuredContent?.data));
  });

  test('llms.txt, the developer guide and the reference have it', async () => {
    for (const path of ['/llms.txt', '/developers', '/developers.md', '/developers/reference.md']) {
      const text = await textAt(path);
      for (const { path: own, summary } of [TOY, REST_ONLY]) {
        assert.ok(text.includes(`/api/v1${own}`), `${path} has ${own}`);
        assert.ok(text.includes(summary), `${path} has "${summary}"`);
      }
    }
    const assistants = await textAt('/developers/assistants');
    assert.ok(assistants.includes('svc_get_toy'));
    assert.equal(assistants.includes('toy-rest'), false);
  });

  test('the generated tables of docs/ have it', () => {
    const [assistants = '', developers = '', streams = ''] = OPERATIONS_DOCS.map((file) =>
      operationsDoc(file, WITH_TOYS),
    );
    assert.match(assistants, /\| `svc_get_toy` +\| Toy contracts of toy +\|/);
    assert.match(developers, /\| `GET \/api\/v1\/toy` +\| Toy contracts of toy +\| any valid key +\|/);
    assert.match(developers, /\| `GET \/api\/v1\/toy-rest` +\| Toy contracts of toy-rest +\|/);
    assert.match(
      streams,
      /\| `GET \/api\/v1\/stream\/toy` +\| `GET \/api\/v1\/toy` +\| `exchange`, `venue_symbol` +\|/,
    );
  });
});
