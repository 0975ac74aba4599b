import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { Perpwire, PerpwireError, type StreamUpdate } from '../../clients/typescript/src/index.ts';
import { isStreamed } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { collectOnce, until } from '../support/service.ts';

/** The next update; the stream must not end before. */
async function next<Update>(stream: AsyncGenerator<Update, void, undefined>): Promise<Update> {
  const { value, done } = await stream.next();
  assert.ok(!done && value, 'the stream ended');
  return value;
}

async function failure(stream: AsyncGenerator<unknown, void, undefined>): Promise<PerpwireError> {
  const error: unknown = await stream.next().then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PerpwireError, String(error));
  return error;
}

type AnyStream = AsyncGenerator<
  StreamUpdate<Record<string, unknown>, Record<string, unknown>, object>,
  void,
  undefined
>;

suite('streams of the TypeScript client', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 8 });
    await fillEveryPart(rest);
  });
  after(() => rest.stop());

  /** Moves the clock, on which the service sends its events, until the promise settles. */
  const moved = async <Value>(promise: Promise<Value>): Promise<Value> => {
    const pump = setInterval(() => rest.clock.advanceMs(300), 5);
    return await promise.finally(() => clearInterval(pump));
  };
  const publish = async (afterMs = 61_000) => {
    rest.clock.advanceMs(afterMs);
    await collectOnce(rest);
    await fillEveryPart(rest);
  };
  const openStreams = async () => {
    const { values } = await rest.service.metrics.streamConnections.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  /** A client that notes the headers of its requests and whose connections can be cut. */
  const clientOf = async (apiKey?: string) => {
    const requests: Headers[] = [];
    const connections: AbortController[] = [];
    const perpwire = new Perpwire({
      apiKey: apiKey ?? (await rest.newKey('business')).text,
      baseUrl: rest.service.baseUrl,
      fetch: (url, init) => {
        requests.push(new Headers(init?.headers));
        const cut = new AbortController();
        connections.push(cut);
        return fetch(url, {
          ...init,
          signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]),
        });
      },
    });
    return { perpwire, requests, cut: () => connections.at(-1)?.abort(new Error('cut')) };
  };

  test('every operation that streams has stream(), whose rows are those of the list in its order', async () => {
    const { perpwire } = await clientOf();
    const lists = {
      '/funding': [perpwire.funding, { limit: 5, sort: 'apr_desc' }, null],
      '/spreads': [perpwire.spreads, { limit: 5, sort: 'volume_desc' }, null],
      '/spreads/backtest': [perpwire.spreads.backtest, { limit: 5 }, 'spreads'],
      '/arbitrage': [perpwire.arbitrage, { limit: 5 }, 'pairs'],
      '/depth': [perpwire.depth, { limit: 5 }, null],
      '/listings': [perpwire.listings, { limit: 5, sort: 'detected_desc' }, null],
    } as const;
    assert.deepEqual(
      Object.keys(lists),
      OPERATIONS.filter(isStreamed).map(({ path }) => path),
    );
    assert.equal('stream' in perpwire.coins, false);
    for (const [path, [resource, params, rowsField]] of Object.entries(lists)) {
      const expected = async () => {
        const query = new URLSearchParams(
          Object.entries(params).map(([name, value]) => [name, String(value)]),
        );
        const { data, meta } = (await rest.get(`/api/v1${path}?${query}`, { plan: 'business' })).body as {
          data: Record<string, unknown>;
          meta: { as_of: string; next_cursor?: string };
        };
        delete meta.next_cursor;
        if (rowsField === null) return { rows: data, fields: {}, meta, id: meta.as_of };
        const { [rowsField]: rows, ...fields } = data;
        return { rows, fields, meta, id: meta.as_of };
      };
      const stream = (resource.stream as (params: object) => AnyStream)(params);
      const { rows, fields, meta, id, ...first } = await next(stream);
      assert.deepEqual({ rows, fields, meta, id }, await expected(), path);
      assert.deepEqual(first, { kind: 'snapshot', upsert: rows, remove: [] });
      if (path === '/funding' || path === '/spreads') {
        await publish();
        const later = await moved(next(stream));
        const wanted = await expected();
        assert.equal(later.kind, 'change');
        assert.deepEqual(later.rows, wanted.rows, `${path} after a change`);
        assert.ok(later.upsert.length > 0);
      }
      await stream.return();
    }
    await until(async () => (await openStreams()) === 0, 'no open streams');
  });

  test('fields narrows the type of the rows, which keep their identity', async () => {
    const { perpwire } = await clientOf();
    for await (const { rows } of perpwire.funding.stream({ fields: ['apr_pct'], limit: 2 })) {
      const row: { exchange: string; venue_symbol: string; apr_pct: number | null } | undefined = rows[0];
      assert.deepEqual(Object.keys(row ?? {}).sort(), ['apr_pct', 'exchange', 'venue_symbol']);
      // @ts-expect-error a field that was not requested is not part of the row
      assert.equal(rows[0]?.coin, undefined);
      break;
    }
    await until(async () => (await openStreams()) === 0, 'the end of the loop closes the stream');
  });

  test('a lost connection resumes with the last id and loses nothing', async () => {
    const { perpwire, requests, cut } = await clientOf();
    const reconnects: (string | null)[] = [];
    const stream = perpwire.funding.stream(
      { limit: 6, sort: 'apr_desc' },
      { onReconnect: ({ error }) => reconnects.push(error?.code ?? null) },
    );
    const first = await next(stream);
    cut();
    await publish();
    const later = await moved(next(stream));
    assert.deepEqual([later.kind, reconnects], ['change', ['unreachable']]);
    assert.equal(requests.at(-1)?.get('last-event-id'), first.id);
    const { data } = await perpwire.funding.list({ limit: 6, sort: 'apr_desc' });
    assert.deepEqual(later.rows, data);
    await stream.return();

    const resumed = perpwire.funding.stream({ limit: 6, sort: 'apr_desc' }, { resumeFrom: first });
    const update = await moved(next(resumed));
    assert.deepEqual([update.kind, update.rows], ['change', data], 'another process goes on from an update');
    await resumed.return();
  });

  test('after a gap, the update has what changed between both snapshots', async () => {
    const { perpwire, cut } = await clientOf();
    const stream = perpwire.funding.stream({ limit: 6, sort: 'apr_desc' });
    const first = await next(stream);
    cut();
    await publish(40 * 60_000);
    const later = await moved(next(stream));
    assert.equal(later.kind, 'snapshot');
    const known = new Set(first.rows.map((row) => JSON.stringify(row)));
    assert.deepEqual(
      later.upsert,
      later.rows.filter((row) => !known.has(JSON.stringify(row))),
    );
    const kept = new Set(later.rows.map(({ exchange, venue_symbol }) => `${exchange} ${venue_symbol}`));
    assert.deepEqual(
      later.remove,
      first.rows
        .filter(({ exchange, venue_symbol }) => !kept.has(`${exchange} ${venue_symbol}`))
        .map(({ exchange, venue_symbol }) => ({ exchange, venue_symbol })),
    );
    await stream.return();
  });

  test('refusals are errors at once: a wrong parameter, a revoked key while the stream is open', async () => {
    const { text, key } = await rest.newKey('developer');
    const { perpwire } = await clientOf(text);
    const refused = await failure(perpwire.funding.stream({ limit: 100_000 }));
    assert.equal(refused.code, 'invalid-parameter');
    const stream = perpwire.funding.stream({ limit: 1 });
    await next(stream);
    await rest.service.accounts.keys.revoke(key.id);
    const ended = await moved(failure(stream));
    assert.deepEqual([ended.code, ended.status], ['unauthenticated', 401]);
    assert.ok(ended.requestId);
  });

  test('an AbortSignal ends a stream with its reason, and before the first event as well', async () => {
    const { perpwire } = await clientOf();
    const stop = new AbortController();
    const stream = perpwire.funding.stream({}, { signal: stop.signal });
    await next(stream);
    const waiting = stream.next();
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(perpwire.funding.stream({}, { signal: stop.signal }).next(), /enough/);
    await until(async () => (await openStreams()) === 0, 'no open streams');
  });

  suite('with a service that follows a script', () => {
    const META = { as_of: '2026-11-15T12:00:00Z' };
    const snapshot = `event: snapshot\nid: 7\ndata: ${JSON.stringify({ data: [], meta: META })}\n\n`;
    type Step = (response: ServerResponse) => void;
    const events =
      (text: string, isOpen = false): Step =>
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.write(text);
        if (!isOpen) response.end();
      };
    const problem = (code: string, status: number) => ({
      code,
      status,
      detail: `About ${code}`,
      instance: 'r1',
    });
    const refusal =
      (code: string, status: number, headers: Record<string, string> = {}): Step =>
      (response) =>
        response
          .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
          .end(JSON.stringify(problem(code, status)));
    const end = (data: object, retry = '') => `event: end\n${retry}data: ${JSON.stringify(data)}\n\n`;

    /** A service whose answers are these, one for each request. */
    async function scripted(steps: Step[], options: { maxSilenceMs?: number; maxReconnects?: number } = {}) {
      const sent: IncomingHttpHeaders[] = [];
      const server = createServer((request, response) => {
        sent.push(request.headers);
        const step = steps.shift();
        if (step) step(response);
        else response.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const reconnects: [string | null, number][] = [];
      const perpwire = new Perpwire({ apiKey: 'key', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 1 });
      const stream = perpwire.funding.stream(
        {},
        { ...options, onReconnect: ({ error, delayMs }) => reconnects.push([error?.code ?? null, delayMs]) },
      );
      const stop = async () => {
        await stream.return();
        server.closeAllConnections();
        server.close();
      };
      return { stream, sent, reconnects, stop };
    }

    test('a restart is waited for as long as the service says, with jitter', async () => {
      const restart = end({ problem: null, retry_after_seconds: 1 }, 'retry: 40\n');
      const { stream, sent, reconnects, stop } = await scripted([
        events(snapshot + restart),
        events(snapshot, true),
      ]);
      await next(stream);
      await next(stream);
      const [[error, delayMs] = ['none', 0]] = reconnects;
      assert.equal(error, null);
      assert.ok(delayMs >= 40 && delayMs <= 60, `${delayMs} ms`);
      assert.deepEqual(
        sent.map((headers) => headers['last-event-id']),
        [undefined, '7'],
      );
      await stop();
    });

    test('a problem that passes is tried again; one that does not is thrown', async () => {
      const passing = end({ problem: problem('snapshot-unavailable', 503), retry_after_seconds: 0 });
      const final = end({ problem: problem('quota-exhausted', 429), retry_after_seconds: 1000 });
      const { stream, reconnects, stop } = await scripted([
        events(snapshot + passing),
        refusal('rate-limited', 429, { 'retry-after': '0' }),
        refusal('overloaded', 503),
        events(snapshot + final),
      ]);
      await next(stream);
      await next(stream);
      const error = await failure(stream);
      assert.deepEqual(
        [error.code, error.message, error.retryAfterSeconds, error.requestId],
        ['quota-exhausted', 'About quota-exhausted', 1000, 'r1'],
      );
      assert.deepEqual(
        reconnects.map(([code]) => code),
        ['snapshot-unavailable', 'rate-limited', 'overloaded'],
      );
      await stop();
    });

    test('before the first event, maxRetries holds; afterwards maxReconnects', async () => {
      const unstarted = await scripted([]);
      assert.equal((await failure(unstarted.stream)).code, 'unreachable');
      assert.equal(unstarted.sent.length, 2);
      await unstarted.stop();
      const started = await scripted([events(snapshot)], { maxReconnects: 2 });
      await next(started.stream);
      assert.equal((await failure(started.stream)).code, 'unreachable');
      assert.equal(started.sent.length, 3);
      await started.stop();
    });

    test('a silent connection is lost', async () => {
      // More answers than two: on a busy machine a connection may be lost before its first event.
      const answers = Array.from({ length: 20 }, () => events(snapshot, true));
      const { stream, reconnects, stop } = await scripted(answers, { maxSilenceMs: 300 });
      await next(stream);
      await next(stream);
      assert.ok(reconnects.length > 0);
      for (const [code] of reconnects) assert.equal(code, 'unreachable');
      await stop();
    });

    test('something else than a stream is an error', async () => {
      const { stream, stop } = await scripted([
        (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
      ]);
      const error = await failure(stream);
      assert.equal(error.code, 'unexpected-answer');
      await stop();
    });
  });
});
