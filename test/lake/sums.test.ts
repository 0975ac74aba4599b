import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { Perpwire } from '../../clients/typescript/src/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { buildLake } from '../../src/lake/build.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { firstPrintDayMs, lakeSources } from '../../src/lake/sources.ts';
import { startFilledRest } from '../clients/client-service.ts';
import type { Rest } from '../rest/rest-service.ts';
import { silentLog } from '../storage/sqlite.ts';
import { duckRows } from '../support/duckdb.ts';
import { pythonWithArrow } from '../support/python-lake.ts';

const [FROM, TO] = ['2026-11-05', '2026-11-12'];
const CLIENT = join(import.meta.dirname, '../../clients/python/src');
const PROGRAM = `
import sys
from perpwire import Perpwire
rows = Perpwire().lake("prints", from_=sys.argv[1], to=sys.argv[2], coin="btc", columns=["exchange", "symbol", "is_inverse", "rate_pct"]).to_pylist()
sums = {}
for row in rows:
    if row["is_inverse"]:
        continue
    key = row["exchange"] + " " + row["symbol"]
    sums[key] = sums.get(key, 0.0) + row["rate_pct"]
import json
print(json.dumps(sums))
`;
const python = await pythonWithArrow();

interface History {
  series: { symbol: string; settlements: { rate_pct: number }[] }[];
}
type Sums = Record<string, number>;
const add = (sums: Sums, key: string, ratePct: number) => {
  sums[key] = (sums[key] ?? 0) + ratePct;
};

/** REST has the linear contract of a venue; an inverse one may have the same symbol. Equal up to the order of addition. */
function assertSame(found: Sums, wanted: Sums): void {
  for (const [key, pct] of Object.entries(wanted))
    assert.ok(Math.abs((found[key] ?? Number.NaN) - pct) < 1e-12, `${key}: ${found[key]}, not ${pct}`);
}

suite('the sum of settled funding', () => {
  let rest: Rest;
  let folder: string;
  let rests: Sums;
  before(async () => {
    rest = await startFilledRest();
    folder = join(rest.dataDir, 'lake');
    const { storage } = rest.service.context;
    const { keeper } = rest.service.history;
    await buildLake({
      store: new LakeFolder(folder),
      sources: lakeSources(storage, keeper, silentLog),
      nowMs: rest.clock.nowMs() + 2 * MINUTE_MS,
      firstDayMs: () => firstPrintDayMs(keeper),
    });
    const to = new Date(Date.parse(TO) + DAY_MS - MINUTE_MS).toISOString();
    rests = {};
    for (const exchange of ['Binance', 'OKX', 'Kraken']) {
      const query = `coin=BTC&exchange=${exchange}&resolution=settlement&from=${FROM}T00:00:00Z&to=${to}`;
      const reply = await rest.get(`/api/v1/funding/history?${query}`);
      assert.equal(reply.status, 200, reply.text);
      const { data } = reply.body as { data: History };
      for (const { symbol, settlements } of data.series)
        for (const { rate_pct } of settlements) add(rests, `${exchange} ${symbol}`, rate_pct);
    }
    assert.equal(Object.keys(rests).length, 3);
  });
  after(() => rest.stop());

  test('is the same in REST and in DuckDB', async () => {
    const rows = await duckRows(
      `select exchange || ' ' || symbol as key, sum(rate_pct) as pct from read_parquet('${folder}/prints/*.parquet')
       where coin = 'BTC' and not is_inverse and settled_at >= '${FROM}' and settled_at < timestamptz '${TO} 00:00:00Z' + interval 1 day group by key`,
    );
    assertSame(Object.fromEntries(rows.map(({ key, pct }) => [String(key), Number(pct)])), rests);
  });

  test('is the same in the TypeScript client, which reads a part of each file', async () => {
    let bytes = 0;
    const perpwire = new Perpwire({
      apiKey: rest.keys.business,
      baseUrl: rest.service.baseUrl,
      fetch: async (...args) => {
        const reply = await fetch(...args);
        bytes += Number(reply.headers.get('content-length') ?? 0);
        return reply;
      },
    });
    const sums: Sums = {};
    for await (const row of perpwire.lake('prints', { from: FROM, to: new Date(TO), coin: 'btc' }))
      if (!row.is_inverse) add(sums, `${row.exchange} ${row.symbol}`, Number(row.rate_pct));
    assertSame(sums, rests);
    assert.ok(bytes > 0);
  });

  test('is the same in the Python client', {
    skip: typeof python === 'string' ? python : false,
  }, async () => {
    assert.ok(typeof python === 'object');
    const { stdout } = await promisify(execFile)(python.python, ['-c', PROGRAM, FROM, TO], {
      env: {
        PYTHONPATH: CLIENT,
        PERPWIRE_API_KEY: rest.keys.business,
        PERPWIRE_BASE_URL: rest.service.baseUrl,
      },
    });
    assertSame(JSON.parse(stdout) as Sums, rests);
  });

  test('a day that is none, and a key without the scope, are refused by the clients', async () => {
    const client = (apiKey: string) => new Perpwire({ apiKey, baseUrl: rest.service.baseUrl });
    await assert.rejects(
      client(rest.keys.business).lake('prints', { from: 'May' }).next(),
      /written as 2026-11-17/,
    );
    const { text } = await rest.newKey('business', { scopes: ['funding:read'] });
    await assert.rejects(client(text).lake('prints').next(), { code: 'scope-missing', status: 403 });
  });
});
