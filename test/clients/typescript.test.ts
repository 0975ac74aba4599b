import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Perpwire, PerpwireError, type PerpwireOptions } from '../../clients/typescript/src/index.ts';
import { PROBLEMS, type ProblemCode } from '../../src/base/problems.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { type Rest, startRest } from '../rest/rest-service.ts';
import { MANY_ROWS, serveManyRows, serveProblem, startFilledRest } from './client-service.ts';
import { LossyProxy } from './lossy-proxy.ts';

async function collected<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The error that the promise must reject with. */
async function errorOf(promise: Promise<unknown>): Promise<PerpwireError> {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PerpwireError, String(error));
  return error;
}

suite('the TypeScript client', () => {
  let rest: Rest;
  before(async () => {
    rest = await startFilledRest();
  });
  after(() => rest.stop());

  /** A client that notes the status of every answer. */
  const clientOf = (options: Partial<PerpwireOptions> = {}) => {
    const statuses: number[] = [];
    const perpwire = new Perpwire({
      apiKey: rest.keys.business,
      baseUrl: rest.service.baseUrl,
      fetch: async (...sent) => {
        const reply = await fetch(...sent);
        statuses.push(reply.status);
        return reply;
      },
      ...options,
    });
    return { perpwire, statuses };
  };
  const dataAt = async (path: string) => (await rest.get(`/api/v1${path}`)).body;

  test('has a method for every operation, which answers what the API answers', async () => {
    const { perpwire } = clientOf();
    const pair = { coin: 'BTC', long_exchange: 'OKX', short_exchange: 'Binance' };
    const answers: Record<string, unknown> = {
      listFunding: await perpwire.funding.list({ coin: ['BTC', 'ETH'], sort: 'coin_asc' }),
      getCoinFunding: await perpwire.funding.coin('btc', { min_volume_usdt: 1 }),
      getFundingHistory: await perpwire.funding.history({ coin: 'BTC', from: new Date('2026-11-10') }),
      getRunningFunding: await perpwire.funding.running({ coin: 'BTC', step: '5m' }),
      getOpenInterestHistory: await perpwire.open_interest.history({
        coin: 'BTC',
        exchange: ['OKX'],
        days: 1,
      }),
      listSpreads: await perpwire.spreads.list({ limit: 3 }),
      listSpreadBacktest: await perpwire.spreads.backtest.list({ size_usd: 500 }),
      listArbitrage: await perpwire.arbitrage.list({ limit: 3 }),
      getArbitrageHistory: await perpwire.arbitrage.history(pair),
      listDepth: await perpwire.depth.list({ limit: 3 }),
      getDepthHistory: await perpwire.depth.history({ coin: 'BTC', exchange: 'OKX', days: 1 }),
      getForecastAccuracy: await perpwire.forecasts.accuracy({ days: 7 }),
      listListings: await perpwire.listings.list(),
      listExchanges: await perpwire.exchanges.list(),
      listCoins: await perpwire.coins.list({ q: 'B', match: 'contains' }),
    };
    const query = new URLSearchParams(pair).toString();
    const wanted: Record<string, string> = {
      listFunding: '/funding?coin=BTC,ETH&sort=coin_asc',
      getCoinFunding: '/funding/btc?min_volume_usdt=1',
      getFundingHistory: '/funding/history?coin=BTC&from=2026-11-10T00:00:00.000Z',
      getRunningFunding: '/funding/running?coin=BTC&step=5m',
      getOpenInterestHistory: '/open-interest/history?coin=BTC&exchange=OKX&days=1',
      listSpreads: '/spreads?limit=3',
      listSpreadBacktest: '/spreads/backtest?size_usd=500',
      listArbitrage: '/arbitrage?limit=3',
      getArbitrageHistory: `/arbitrage/history?${query}`,
      listDepth: '/depth?limit=3',
      getDepthHistory: '/depth/history?coin=BTC&exchange=OKX&days=1',
      getForecastAccuracy: '/forecasts/accuracy?days=7',
      listListings: '/listings',
      listExchanges: '/exchanges',
      listCoins: '/coins?q=B&match=contains',
    };
    for (const [id, path] of Object.entries(wanted)) assert.deepEqual(answers[id], await dataAt(path), id);
    const usage = await perpwire.usage.get();
    assert.equal(usage.data.plan, 'business');
    assert.deepEqual(
      [...Object.keys(wanted), 'getUsage'].sort(),
      OPERATIONS.map(({ operationId }) => operationId).sort(),
    );
  });

  test('fields narrows rows and their types', async () => {
    const { perpwire } = clientOf();
    const { data } = await perpwire.funding.list({ fields: ['symbol', 'rate_pct'], limit: 2 });
    const row: { symbol: string; rate_pct: number } | undefined = data[0];
    assert.deepEqual(Object.keys(row ?? {}).sort(), ['rate_pct', 'symbol']);
    // @ts-expect-error a field that was not requested is not part of the row
    assert.equal(data[0]?.coin, undefined);
    const coin = await perpwire.funding.coin('BTC', { fields: ['exchange'] });
    assert.deepEqual(Object.keys(coin.data.rates[0] ?? {}), ['exchange']);
    const history = await perpwire.funding.history({ coin: 'BTC', fields: ['apr_pct'] });
    assert.deepEqual(Object.keys(history.data.series[0]?.daily?.[0] ?? {}), ['apr_pct']);
    // @ts-expect-error an unknown sort is a type error, and a 400
    const error = await errorOf(perpwire.funding.list({ sort: 'nonsense' }));
    assert.equal(error.code, 'invalid-parameter');
  });

  test('all reads every page to the end', async () => {
    const { perpwire, statuses } = clientOf();
    const whole = (await dataAt('/funding?limit=500&sort=coin_asc')) as { data: object[] };
    const rows = await collected(perpwire.funding.all({ limit: 7, sort: 'coin_asc' }));
    assert.deepEqual(rows, whole.data);
    assert.equal(statuses.length, Math.ceil(rows.length / 7));
    assert.ok(statuses.length > 2);
    const pairs = await collected(perpwire.arbitrage.all({ limit: 5, fields: ['coin', 'net_apr_pct'] }));
    const { meta } = await perpwire.arbitrage.list({ limit: 1 });
    assert.equal(pairs.length, meta.total);
    const venues = await collected(perpwire.exchanges.all());
    assert.equal(venues.length, 3);
  });

  test('all reads pages of 50 rows on the Demo plan, which refuses larger ones', async () => {
    const { text: apiKey } = await rest.newKey('demo');
    const { perpwire, statuses } = clientOf({ apiKey });
    const rows = await collected(perpwire.coins.all());
    assert.equal(rows.length, (await perpwire.coins.list()).meta.total);
    assert.deepEqual(statuses.slice(0, 2), [403, 200]);
  });

  test('all stops requesting when the loop ends', async () => {
    const { perpwire, statuses } = clientOf();
    for await (const row of perpwire.funding.all({ limit: 2 })) {
      assert.ok(row.symbol);
      break;
    }
    assert.equal(statuses.length, 1);
  });

  test(`${MANY_ROWS} rows come complete and in order`, async () => {
    const restore = serveManyRows(rest);
    try {
      const { perpwire, statuses } = clientOf();
      const progress: { rows: number; total: number | null }[] = [];
      const onPage = (page: (typeof progress)[number]) => progress.push(page);
      // Without a limit pages are as large as the plan allows.
      const rows = await collected(perpwire.funding.all({ sort: 'rate_desc' }, { onPage }));
      assert.deepEqual(progress[1], { rows: 1000, total: MANY_ROWS });
      assert.deepEqual(
        rows.map(({ symbol }) => symbol),
        Array.from({ length: MANY_ROWS }, (_, i) => `C${i}-USDT`),
      );
      assert.equal(statuses.length, 20);
    } finally {
      restore();
    }
  });

  test('an unchanged answer is a 304, which costs nothing and can be changed by the caller', async () => {
    const { text: apiKey } = await rest.newKey('developer');
    const { perpwire, statuses } = clientOf({ apiKey });
    const first = await perpwire.coins.list({ limit: 5 });
    const used = async () => (await perpwire.usage.get()).data.minute.used;
    const before = await used();
    const second = await perpwire.coins.list({ limit: 5 });
    assert.deepEqual(second, first);
    second.data.length = 0;
    assert.deepEqual(await perpwire.coins.list({ limit: 5 }), first);
    assert.deepEqual(statuses, [200, 200, 304, 304]);
    assert.equal(await used(), before + 1, 'only the usage report counted');
    const uncached = clientOf({ cachedAnswers: 0 });
    for (let i = 0; i < 2; i++) await uncached.perpwire.coins.list();
    assert.deepEqual(uncached.statuses, [200, 200]);
  });

  test('the cache keeps the newest answers', async () => {
    const { perpwire, statuses } = clientOf({ cachedAnswers: 2 });
    for (const limit of [1, 2, 3, 3, 2, 1]) await perpwire.coins.list({ limit });
    assert.deepEqual(statuses, [200, 200, 200, 304, 304, 200]);
  });

  test('errors have the code, the detail and the suggestions of the problem', async () => {
    const { perpwire, statuses } = clientOf();
    const unknown = await errorOf(perpwire.funding.coin('BTX'));
    assert.equal(unknown.code, 'unknown-coin');
    assert.equal(unknown.status, 404);
    assert.ok(unknown.message.includes('BTX') && unknown.suggestions.includes('BTC'), unknown.message);
    assert.match(unknown.requestId ?? '', /^[\w.-]+$/);
    assert.equal(unknown.docs, `${rest.service.baseUrl}/developers`);
    assert.equal((await errorOf(perpwire.coins.list({ exchange: 'Nowhere' }))).code, 'unknown-exchange');
    assert.equal((await errorOf(perpwire.coins.list({ limit: 0 }))).code, 'invalid-parameter');
    assert.deepEqual(statuses, [404, 404, 400], 'none was tried again');
    const codeWith = async (options: Partial<PerpwireOptions>) =>
      (await errorOf(clientOf(options).perpwire.funding.list({ limit: 100 }))).code;
    assert.equal(await codeWith({ apiKey: 'wrong' }), 'unauthenticated');
    assert.equal(await codeWith({ apiKey: rest.keys.demo }), 'plan-limit');
    const { text: apiKey } = await rest.newKey('pro', { scopes: ['usage:read'] });
    assert.equal(await codeWith({ apiKey }), 'scope-missing');
    assert.equal(await codeWith({ baseUrl: `${rest.service.baseUrl}/api/v1` }), 'not-found');
  });

  test('an empty service is a snapshot-unavailable and a disabled one an api-disabled', async () => {
    const empty = await startRest({ isEmpty: true, venues: ['binance'] });
    const disabled = await startRest({
      isEmpty: true,
      venues: ['binance'],
      settings: { API_ENABLED: 'false' },
    });
    try {
      const at = ({ service, keys }: Rest) =>
        new Perpwire({ baseUrl: service.baseUrl, apiKey: keys.pro, maxRetries: 0 });
      assert.equal((await errorOf(at(empty).funding.list())).code, 'snapshot-unavailable');
      assert.equal((await errorOf(at(disabled).funding.list())).code, 'api-disabled');
    } finally {
      await Promise.all([empty.stop(), disabled.stop()]);
    }
  });

  test('a 429 is tried again after Retry-After, or thrown if that is too long', async (t) => {
    const { text: apiKey } = await rest.newKey('demo');
    const waits: (string | null)[] = [];
    const { perpwire, statuses } = clientOf({
      apiKey,
      fetch: async (...sent) => {
        const reply = await fetch(...sent);
        statuses.push(reply.status);
        if (reply.status === 429) {
          waits.push(reply.headers.get('retry-after'));
          rest.clock.advanceMs(2_000);
        }
        return reply;
      },
    });
    for (let i = 1; i <= 20; i++) await perpwire.coins.list({ limit: i });
    const spent = await errorOf(clientOf({ apiKey, maxRetryAfterSeconds: 5 }).perpwire.coins.list());
    assert.equal(spent.code, 'rate-limited');
    assert.ok((spent.retryAfterSeconds ?? 0) > 5, `${spent.retryAfterSeconds} s`);
    rest.clock.advanceMs(((spent.retryAfterSeconds ?? 0) - 1) * 1000);
    const timers = t.mock.method(globalThis, 'setTimeout');
    const { data } = await perpwire.coins.list();
    assert.ok(data.length > 0);
    assert.deepEqual([statuses.slice(-2), waits], [[429, 200], ['1']]);
    const delays = timers.mock.calls.map(({ arguments: [, delayMs] }) => delayMs ?? 0);
    assert.ok(
      delays.some((delayMs) => delayMs > 1000 && delayMs < 2000),
      `Retry-After and jitter: ${delays}`,
    );
  });

  test('a service that dies in the middle of a page and comes back loses no row', async () => {
    const proxy = new LossyProxy(rest.service.baseUrl);
    const baseUrl = await proxy.start();
    try {
      const { perpwire } = clientOf({ baseUrl });
      const whole = (await dataAt('/funding?limit=500')) as { data: object[] };
      proxy.breakAt(1, 3, 4);
      assert.deepEqual(await collected(perpwire.funding.all({ limit: 10 })), whole.data);
      assert.ok(proxy.requested.length > new Set(proxy.requested).size, 'some pages were requested again');
      await proxy.stop();
      const later = perpwire.coins.list();
      await proxy.start();
      assert.ok((await later).data.length > 0);
      proxy.breakAt(0, 1, 2, 3);
      assert.equal((await errorOf(perpwire.coins.list({ limit: 3 }))).code, 'unreachable');
    } finally {
      await proxy.stop();
    }
  });

  test('an AbortSignal ends a request, a wait and a loop', async () => {
    const stop = new AbortController();
    const { perpwire } = clientOf({
      fetch: async () => {
        setImmediate(() => stop.abort(new Error('enough')));
        return new Response('{}', { status: 503, headers: { 'retry-after': '30' } });
      },
    });
    await assert.rejects(perpwire.coins.list({}, { signal: stop.signal }), /enough/);
    await assert.rejects(perpwire.coins.list({}, { signal: stop.signal }), /enough/);
    const loop = collected(clientOf().perpwire.funding.all({ limit: 1 }, { signal: stop.signal }));
    await assert.rejects(loop, /enough/);
  });

  test('every error code of the API arrives, with its status, detail and request', async () => {
    const { perpwire, statuses } = clientOf();
    const codes = Object.keys(PROBLEMS) as ProblemCode[];
    for (const code of codes) {
      // A Retry-After that is too long to wait for: one request each.
      const restore = serveProblem(rest, code, 1000);
      const error = await errorOf(perpwire.funding.list()).finally(restore);
      assert.deepEqual(
        [error.code, error.message, error.status, error.retryAfterSeconds],
        [code, `This is the detail of ${code}.`, PROBLEMS[code].status, 1000],
      );
      assert.ok(error.requestId);
    }
    assert.deepEqual(
      statuses,
      codes.map((code) => PROBLEMS[code].status),
    );
  });

  for (const code of ['quota-exhausted', 'api-disabled', 'unauthenticated'] as const) {
    test(`${code} is not tried again`, async () => {
      const { perpwire, statuses } = clientOf();
      const restore = serveProblem(rest, code);
      assert.equal((await errorOf(perpwire.funding.list()).finally(restore)).code, code);
      assert.equal(statuses.length, 1);
    });
  }

  test('an answer of something else than the API is an unexpected-answer', async () => {
    const { perpwire, statuses } = clientOf({
      fetch: async () => {
        statuses.push(200);
        return new Response('<h1>Hi</h1>', { headers: { 'content-type': 'text/html' } });
      },
    });
    assert.equal((await errorOf(perpwire.coins.list())).code, 'unexpected-answer');
    assert.equal(statuses.length, 1);
  });
});
