import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { MINUTE_MS } from '../../src/base/times.ts';
import { alwaysShown } from '../../src/operations/description/row-schema.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { type Reply, until } from '../support/service.ts';
import { fillEveryPart, metaOf, problemOf, type Rest, remainingOf, startRest } from './rest-service.ts';

const CSV = { accept: 'text/csv' };
const PARQUET_TYPE = 'application/vnd.apache.parquet';

type Row = Readonly<Record<string, unknown>>;

/** RFC 4180, read character by character. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',' || (character === '\r' && text[i + 1] === '\n')) {
      lines.at(-1)?.push(cell);
      cell = '';
      if (character === '\r') {
        lines.push([]);
        i++;
      }
    } else cell += character;
  }
  assert.deepEqual([cell, lines.pop()], ['', []], 'the last line ends with CRLF');
  return lines;
}

/** A JSON row as CSV must have it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(';') : String(value);
}

/** The rows of an answer, flattened independently of the code under test. */
function rowsOf(data: unknown): Row[] {
  if (Array.isArray(data)) return data as Row[];
  const { series, days, points, ...own } = data as { series?: Row[]; days?: Row[]; points?: Row[] } & Row;
  const entries = days ?? points;
  if (entries) return entries.map((entry) => ({ ...own, ...entry }));
  if (!series)
    return Object.values(own).find((value) => Array.isArray(value) && typeof value[0] !== 'string') as Row[];
  return series.flatMap(({ daily, settlements, points, ...contract }) =>
    ((daily ?? settlements ?? points ?? []) as Row[]).map((point) => ({
      coin: own.coin,
      ...contract,
      ...point,
    })),
  );
}

/** The address with which an operation answers some rows. */
function addressOf({ path, parameters }: AnyOperation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name]?.example ?? '');
  const needed = Object.values(parameters).filter((one) => one.isRequired && one.in === 'query');
  return `/api/v1${filled}?${needed.map(({ name, example }) => `${name}=${example}`).join('&')}`;
}

suite('formats besides JSON', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ settings: { HISTORY_DAYS: '40', HISTORY_PACED: 'false' } });
    await fillEveryPart(rest);
    rest.service.history.startVenues();
    const pump = setInterval(() => rest.clock.advanceMs(50), 10);
    await until(() => rest.service.history.isBackfilled(), 'the backfill');
    clearInterval(pump);
    await rest.service.publisher.publish(rest.clock.nowMs());
    // The tape has a minute once another one has begun.
    rest.clock.advanceMs(MINUTE_MS);
    await rest.service.publisher.publish(rest.clock.nowMs());
  });
  after(() => rest.stop());

  const linkOf = (reply: Reply, relation: string) =>
    new RegExp(`<([^>]+)>; rel="${relation}"`).exec(reply.headers.get('link') ?? '')?.[1] ?? null;
  const csvOf = (reply: Reply) => {
    assert.equal(reply.status, 200, reply.text.slice(0, 300));
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    return cellsOf(reply.text);
  };

  const withFormats = OPERATIONS.filter(({ formats }) => formats);

  test('every list and history has CSV; reports of usage and accuracy have not', () => {
    assert.deepEqual(
      OPERATIONS.filter(({ formats }) => !formats).map(({ id }) => id),
      ['forecast-accuracy', 'usage'],
    );
    for (const { id, formats } of withFormats) assert.ok(formats?.names.includes('csv'), id);
  });

  for (const operation of withFormats) {
    test(`GET ${operation.path}: CSV has the rows of the JSON answer`, async () => {
      const address = addressOf(operation);
      const json = await rest.get(address);
      const rows = rowsOf((json.body as { data: unknown }).data) ?? [];
      const reply = await rest.get(address, { headers: CSV });
      const [header = [], ...lines] = csvOf(reply);
      // The backtest has no rows before cycles have closed.
      if (operation.id !== 'spread-backtest') assert.ok(rows.length > 1, `${rows.length} rows`);
      const names = operation.rows ? alwaysShown(operation.rows.table).map(({ name }) => name) : header;
      assert.deepEqual(header, names);
      assert.deepEqual(
        lines,
        rows.map((row) => header.map((name) => textOf(row[name]))),
      );
      for (const row of rows)
        for (const name of header) assert.ok(Object.hasOwn(row, name), `${name} is in JSON too`);
      const meta = metaOf(json);
      assert.equal(reply.headers.get('x-as-of'), meta.as_of);
      assert.equal(reply.headers.get('x-delayed-seconds'), '0');
      assert.equal(linkOf(reply, 'alternate"; type="text/html'), meta.url);
      assert.equal((await rest.get(`${address}&format=csv`)).text, reply.text, 'format=csv is the same');
    });
  }

  test('format wins over Accept', async () => {
    const json = await rest.get('/api/v1/coins?format=json', { headers: CSV });
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
    assert.doesNotMatch(metaOf(json).url, /format/, 'the human page has no format');
    csvOf(await rest.get('/api/v1/coins?format=csv', { headers: { accept: 'application/json' } }));
  });

  for (const [what, query, part] of [
    ['an unknown format', 'format=xml', 'json, csv'],
    ['no format', 'format=', 'empty'],
    ['two formats', 'format=csv&format=json', '2 times'],
    ['Parquet of a list', 'format=parquet', 'json, csv'],
  ] as const) {
    test(`${what}: 400 that says what is allowed`, async () => {
      const reply = await rest.get(`/api/v1/funding?${query}`, { headers: CSV });
      const { detail } = problemOf(rest, reply, 400, 'invalid-parameter');
      assert.ok(detail.includes('"format"') && detail.includes(part), detail);
    });
  }

  test('errors stay problem+json', async () => {
    problemOf(rest, await rest.get('/api/v1/funding?sort=x', { headers: CSV }), 400, 'invalid-parameter');
    problemOf(rest, await rest.get('/api/v1/funding/NOSUCH?format=csv'), 404, 'unknown-coin');
    const key = rest.keys.business;
    const inAddress = await rest.getWith(null, `/api/v1/funding?format=csv&key=${key}&api_key=${key}`, CSV);
    problemOf(rest, inAddress, 401, 'unauthenticated');
  });

  test('an operation without CSV answers JSON', async () => {
    const reply = await rest.get('/api/v1/usage?format=csv', { headers: CSV });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
  });

  test('the cache keeps the formats of one address apart', async () => {
    for (let i = 0; i < 4; i++) {
      assert.match(csvOf(await rest.get('/api/v1/exchanges', { headers: CSV })).join(), /^exchange,/);
      assert.ok((await rest.get('/api/v1/exchanges')).body);
    }
  });

  test('each format has its own ETag, 304 is refunded, and Vary names Accept', async () => {
    const { text: key } = await rest.newKey('developer');
    const address = '/api/v1/funding?coin=BTC,ETH';
    const [json, csv] = [await rest.getWith(key, address), await rest.getWith(key, address, CSV)];
    const tags = [json, csv].map((reply) => reply.headers.get('etag') ?? '');
    assert.notEqual(tags[0], tags[1]);
    for (const reply of [json, csv]) assert.match(reply.headers.get('vary') ?? '', /(^|, )Accept(,|$)/);
    const before = remainingOf(csv);
    const again = await rest.getWith(key, address, { ...CSV, 'if-none-match': tags[1] ?? '' });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.deepEqual(remainingOf(again), before);
    assert.equal(again.headers.get('x-as-of'), csv.headers.get('x-as-of'));
    const other = await rest.getWith(key, address, { ...CSV, 'if-none-match': tags[0] ?? '' });
    assert.equal(other.status, 200, 'the tag of the JSON answer does not match');
    assert.equal(remainingOf(other).minute, before.minute - 1);
  });

  test('Link leads through all pages, to the rows that one page has', async () => {
    const whole = await rest.get('/api/v1/funding?limit=500&sort=coin_asc&format=csv');
    const [header, ...rows] = csvOf(whole);
    assert.equal(linkOf(whole, 'next'), null);
    assert.equal(whole.headers.get('x-total-count'), String(rows.length));
    const paged: string[][] = [];
    let next: string | null = '/api/v1/funding?limit=7&sort=coin_asc&format=csv';
    while (next !== null) {
      const reply: Reply = await rest.get(next);
      const [first, ...lines] = csvOf(reply);
      assert.deepEqual(first, header);
      paged.push(...lines);
      next = linkOf(reply, 'next')?.replace(rest.service.baseUrl, '') ?? null;
      assert.ok(next === null || lines.length === 7);
    }
    assert.ok(rows.length > 14);
    assert.deepEqual(paged, rows);
  });

  test('a cursor of a JSON page continues in CSV', async () => {
    const cursor = metaOf(await rest.get('/api/v1/coins?limit=3')).next_cursor;
    const next = await rest.get(`/api/v1/coins?limit=3&cursor=${cursor}`);
    const csv = csvOf(await rest.get(`/api/v1/coins?limit=3&cursor=${cursor}&format=csv`));
    assert.deepEqual(
      csv.slice(1).map(([coin]) => coin),
      (next.body as { data: { coin: string }[] }).data.map(({ coin }) => coin),
    );
  });

  test('fields keeps its columns, also when no row matches', async () => {
    const kept = csvOf(await rest.get('/api/v1/funding?fields=rate_pct,symbol&limit=2&format=csv'));
    assert.deepEqual([kept.length, kept[0]], [3, ['symbol', 'rate_pct']]);
    const none = await rest.get('/api/v1/funding?fields=rate_pct,symbol&min_rate_pct=90&format=csv');
    assert.equal(none.text, 'symbol,rate_pct\r\n');
    const points = await rest.get('/api/v1/funding/history?coin=BTC&fields=apr_pct&format=csv');
    assert.deepEqual(csvOf(points)[0], [
      'coin',
      'exchange',
      'symbol',
      'venue_symbol',
      'is_inverse',
      'apr_pct',
      'price_outlier',
      'taker_fee_pct',
    ]);
  });

  test('the rules of the plan are those of JSON', async () => {
    const large = await rest.get('/api/v1/funding?limit=100&format=csv', { plan: 'demo' });
    problemOf(rest, large, 403, 'plan-limit');
    const deep = await rest.get('/api/v1/funding/history?coin=BTC&days=30&format=csv', { plan: 'demo' });
    problemOf(rest, deep, 403, 'plan-limit');
    const late = await rest.get('/api/v1/coins?format=csv', { plan: 'demo' });
    assert.equal(late.headers.get('x-delayed-seconds'), '900');
    assert.equal(late.headers.get('cache-control'), 'max-age=300');
    rest.clock.advanceMs(MINUTE_MS);
    const { text: key } = await rest.newKey('demo');
    for (let i = 0; i < 20; i++) csvOf(await rest.getWith(key, `/api/v1/coins?limit=${i + 1}`, CSV));
    problemOf(rest, await rest.getWith(key, '/api/v1/coins', CSV), 429, 'rate-limited');
  });

  test('HEAD has the headers of GET', async () => {
    const plain = { ...CSV, 'accept-encoding': 'identity' };
    const [get, head] = [
      await rest.get('/api/v1/coins', { headers: plain }),
      await rest.get('/api/v1/coins', { headers: plain, method: 'HEAD' }),
    ];
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'x-total-count'])
      assert.equal(head.headers.get(name), get.headers.get(name), name);
  });

  for (const [what, address] of [
    ['days', '/api/v1/funding/history?coin=BTC&days=20'],
    ['prints', '/api/v1/funding/history?coin=BTC&resolution=settlement&exchange=Binance&days=20'],
    ['pairs', '/api/v1/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance&days=20'],
  ] as const) {
    test(`Parquet of history has the rows of the JSON answer: ${what}`, async () => {
      const json = await rest.get(address);
      const rows = rowsOf((json.body as { data: unknown }).data);
      const reply = await fetch(`${rest.service.baseUrl}${address}`, {
        headers: { authorization: `Bearer ${rest.keys.business}`, accept: PARQUET_TYPE },
      });
      assert.equal(reply.headers.get('content-type'), PARQUET_TYPE);
      const file = await reply.arrayBuffer();
      const read = (await parquetReadObjects({ file })) as Row[];
      assert.ok(read.length > 10 && read.length === rows.length, `${read.length} rows`);
      for (const [i, row] of read.entries()) {
        for (const [name, value] of Object.entries(row)) {
          const wanted = rows[i]?.[name] ?? null;
          if (value instanceof Date) assert.equal(value.getTime(), Date.parse(String(wanted)), name);
          else assert.equal(value, wanted, name);
        }
      }
      const types = parquetMetadata(file).schema.map(
        ({ name, type, converted_type: kind, logical_type: logical }) => [
          name,
          logical?.type ?? kind ?? type,
        ],
      );
      const typeOf = Object.fromEntries(types) as Record<string, string>;
      if (what === 'prints') assert.equal(typeOf.time, 'TIMESTAMP');
      else assert.equal(typeOf.day, 'DATE');
    });
  }

  test('Parquet without rows has the same columns', async () => {
    const empty = '/api/v1/funding/history?coin=BTC&from=2020-01-01&to=2020-01-02&format=parquet';
    const reply = await fetch(`${rest.service.baseUrl}${empty}`, {
      headers: { authorization: `Bearer ${rest.keys.business}` },
    });
    assert.equal(reply.status, 200);
    const { schema, num_rows: count } = parquetMetadata(await reply.arrayBuffer());
    assert.equal(Number(count), 0);
    assert.deepEqual(
      schema.slice(1).map(({ name }) => name),
      [
        ...['coin', 'exchange', 'symbol', 'venue_symbol', 'is_inverse'],
        ...['day', 'apr_pct', 'price_outlier', 'taker_fee_pct'],
      ],
    );
  });
});
