import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { PROBLEMS } from '../../src/base/problems.ts';
import { openApiDocument } from '../../src/operations/description/openapi.ts';
import { formatParameter, MEDIA_TYPES } from '../../src/operations/format.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { Description, type OpenApi, ourDescription, type ParameterObject } from '../support/openapi.ts';
import { type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/openapi.json';
const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

suite('GET /openapi.json', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 10 });
  });
  after(() => rest.stop());

  test('is the description of the operations, without a key', async () => {
    const reply = await rest.getWith(null, PATH);
    assert.equal(reply.status, 200);
    const made = openApiDocument(OPERATIONS, rest.service.baseUrl);
    assert.deepEqual(reply.body, JSON.parse(JSON.stringify(made)));
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=300');
    assert.equal(reply.headers.get('access-control-allow-origin'), '*');
    assert.equal((reply.body as OpenApi).servers[0]?.url, rest.service.baseUrl);
  });

  test('HEAD has the same headers, and If-None-Match gives 304', async () => {
    const plain = { 'accept-encoding': 'identity' };
    const got = await rest.getWith(null, PATH, plain);
    const head = await rest.getWith(null, PATH, plain, 'HEAD');
    assert.equal(head.status, 200);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      assert.equal(head.headers.get(name), got.headers.get(name), name);
    const again = await rest.getWith(null, PATH, { 'if-none-match': got.headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
  });

  test('lints clean with Redocly’s recommended rules', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-openapi-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, (await rest.getWith(null, PATH)).text);
    const redocly = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', file, '--extends=recommended', '--format=json'],
      { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 },
    );
    rmSync(folder, { recursive: true, force: true });
    const found = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: object; problems: object[] };
    assert.deepEqual(found.totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(found.problems));
  });
});

suite('the API description', () => {
  const description = ourDescription();
  const { document } = description;

  test('names every operation, and every parameter with its place and bounds', () => {
    for (const operation of OPERATIONS) {
      const described = document.paths[`/api/v1${operation.path}`]?.get;
      assert.ok(described, operation.path);
      const { formats } = operation;
      const parameters = [
        ...Object.values(operation.parameters),
        ...(formats ? [formatParameter(formats)] : []),
      ];
      assert.deepEqual(
        described.parameters?.map(({ name, in: place, required }) => ({ name, place, required })),
        parameters.map(({ name, in: place, isRequired }) => ({ name, place, required: isRequired })),
      );
      for (const { name, schema, isList } of parameters) {
        const shown: ParameterObject | undefined = described.parameters?.find((one) => one.name === name);
        for (const bound of ['enum', 'minimum', 'maximum', 'maxItems', 'maxLength', 'type'])
          assert.deepEqual(shown?.schema[bound], schema[bound], `${name} ${bound}`);
        if (isList) assert.deepEqual([shown?.style, shown?.explode], ['form', false], name);
      }
      assert.equal(described.security.length, 2, 'bearer or X-Api-Key');
    }
  });

  test('has stable operationIds, from which clients make the names of their methods', () => {
    const ids = Object.entries(document.paths).map(([path, { get }]) => [path, get.operationId]);
    assert.deepEqual(Object.fromEntries(ids), {
      '/api/v1/funding': 'listFunding',
      '/api/v1/funding/{coin}': 'getCoinFunding',
      '/api/v1/funding/history': 'getFundingHistory',
      '/api/v1/funding/running': 'getRunningFunding',
      '/api/v1/open-interest/history': 'getOpenInterestHistory',
      '/api/v1/spreads': 'listSpreads',
      '/api/v1/spreads/backtest': 'listSpreadBacktest',
      '/api/v1/arbitrage': 'listArbitrage',
      '/api/v1/arbitrage/history': 'getArbitrageHistory',
      '/api/v1/listings': 'listListings',
      '/api/v1/exchanges': 'listExchanges',
      '/api/v1/forecasts/accuracy': 'getForecastAccuracy',
      '/api/v1/coins': 'listCoins',
      '/api/v1/depth': 'listDepth',
      '/api/v1/depth/history': 'getDepthHistory',
      '/api/v1/usage': 'getUsage',
      '/api/v1/stream/funding': 'streamFunding',
      '/api/v1/stream/spreads': 'streamSpreads',
      '/api/v1/stream/spreads/backtest': 'streamSpreadBacktest',
      '/api/v1/stream/arbitrage': 'streamArbitrage',
      '/api/v1/stream/depth': 'streamDepth',
      '/api/v1/stream/listings': 'streamListings',
      '/api/v1': 'getDiscovery',
      '/api/v1/openapi.json': 'getDescription',
    });
  });

  test('has for every operation the statuses that it can answer with', () => {
    for (const { path, scope, parameters, freshness } of OPERATIONS) {
      const statuses = new Set(['200', '400', '401', '405', '414', '429', '503']);
      if (freshness !== null) statuses.add('304');
      if (scope !== null || parameters.limit) statuses.add('403');
      if (parameters.exchange || parameters.coin?.isRequired) statuses.add('404');
      const described = Object.keys(document.paths[`/api/v1${path}`]?.get.responses ?? {});
      assert.deepEqual(described.sort(), [...statuses].sort(), path);
    }
  });

  test('apr_pct says that it is simple interest with one round trip, and names the net of a holding time', () => {
    const texts = new Set<string>();
    const collect = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        const description = (inner as { description?: unknown } | null)?.description;
        if (name === 'apr_pct' && typeof description === 'string') texts.add(description);
        collect(inner);
      }
    };
    collect(openApiDocument(OPERATIONS, 'https://example.com'));
    assert.ok(texts.size >= 2, 'of a funding row and of a day');
    for (const text of texts)
      assert.match(text, /[Ss]imple interest.*one round trip.*\/arbitrage with hold_days/);
  });

  test('lists every error code', () => {
    const problem = document.components.schemas.Problem as { properties: { code: { enum: string[] } } };
    assert.deepEqual(problem.properties.code.enum, Object.keys(PROBLEMS));
  });

  test('has an example of its own for every operation', () => {
    for (const operation of OPERATIONS) assert.notEqual(operation.example, undefined, operation.id);
  });

  test('has an example for every status that has a body, and each example fits', () => {
    let examples = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      for (const [status, response] of Object.entries(get.responses)) {
        if (status === '304') continue;
        for (const [type, media] of Object.entries(response.content ?? {})) {
          if (type === MEDIA_TYPES.parquet) continue;
          assert.ok(Object.keys(media.examples).length > 0, `${path} ${status}`);
          for (const [name, { value }] of Object.entries(media.examples)) {
            const at = `/paths/${encodeURIComponent(pointer(path))}/get/responses/${status}/content/${encodeURIComponent(pointer(type))}/schema`;
            const misfit = description.misfit(at, value, true);
            assert.equal(misfit, null, `${path} ${status} ${name}: ${misfit} ${JSON.stringify(value)}`);
            examples++;
          }
        }
      }
    }
    assert.ok(examples > 50, `${examples} examples`);
  });

  test('has examples of parameters that fit their schemas and that the operation accepts', () => {
    for (const operation of OPERATIONS) {
      const path = `/api/v1${operation.path}`;
      for (const [place, parameter] of (document.paths[path]?.get.parameters ?? []).entries()) {
        if (parameter.example === undefined) continue;
        const at = `/paths/${encodeURIComponent(pointer(path))}/get/parameters/${place}/schema`;
        assert.equal(description.misfit(at, parameter.example), null, `${path} ${parameter.name}`);
        assert.doesNotThrow(() => operation.parameters[parameter.name]?.parse(String(parameter.example)));
      }
    }
  });

  test('is checked strictly: a wrong status, header, field, type or code does not fit', () => {
    const good = {
      status: 200,
      headers: new Headers(
        Object.fromEntries(
          Object.entries(document.components.headers)
            .filter(([name]) => !name.includes('.'))
            .map(([name, header]) => [name, (header as { example?: string }).example ?? '']),
        ),
      ),
      text: JSON.stringify(
        document.paths['/api/v1/funding']?.get.responses[200]?.content?.['application/json']?.examples.answer
          ?.value,
      ),
    };
    for (const name of ['retry-after', 'www-authenticate', 'allow']) good.headers.delete(name);
    good.headers.set('content-type', 'application/json; charset=utf-8');
    const fits = (change: Partial<typeof good>, url = '/api/v1/funding') => {
      description.assertFits(url, { ...good, ...change });
    };
    fits({});
    const without = (name: string) => {
      const headers = new Headers(good.headers);
      headers.delete(name);
      return headers;
    };
    const withRow = (change: object) => {
      const body = JSON.parse(good.text) as { data: object[] };
      body.data[0] = { ...body.data[0], ...change };
      return JSON.stringify(body);
    };
    assert.throws(() => fits({ status: 418 }), /not a described status/);
    assert.throws(() => fits({ headers: without('etag') }), /lacks ETag/);
    assert.throws(() => fits({ headers: without('ratelimit') }), /lacks RateLimit/);
    assert.throws(() => fits({ text: withRow({ surprise: 1 }) }), /additional properties/);
    assert.throws(() => fits({ text: withRow({ rate_pct: 'much' }) }), /must be number/);
    assert.throws(() => fits({ text: withRow({ coin: undefined }) }), /must have required property 'coin'/);
    fits(
      {
        text: '{"data":[{"coin":"BTC"}],"meta":{"as_of":"2026-11-15T12:00:00Z","delayed_seconds":0,"source":"Perpwire","url":"x","count":1,"total":1}}',
      },
      '/api/v1/funding?fields=coin',
    );
    assert.throws(() => fits({}, '/api/v1/nothing'), /not described/);
  });

  test('an operation without an example of its own gets one that fits', () => {
    const [first] = OPERATIONS;
    assert.ok(first);
    const { example: _none, ...bare } = first;
    const described = new Description(openApiDocument([bare], 'https://perpwire.example'));
    const path = `/api/v1${first.path}`;
    const answer = described.document.paths[path]?.get.responses[200]?.content?.['application/json'];
    const at = `/paths/${encodeURIComponent(pointer(path))}/get/responses/200/content/application~1json/schema`;
    assert.equal(described.misfit(at, answer?.examples.answer?.value), null);
  });
});
