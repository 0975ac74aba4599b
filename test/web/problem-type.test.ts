import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { rawBytes } from '../support/raw-http.ts';
import { type Running, runService } from '../support/service.ts';

const PROBLEM_TYPE = 'application/problem+json';

interface Faulty {
  door: string;
  path: string;
  status: number;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const FAULTS: readonly Faulty[] = [
  { door: 'REST without a key', path: '/api/v1/funding', status: 401 },
  { door: 'REST, a path with a name', path: '/api/v1/funding/BTC', status: 401 },
  { door: 'REST, nothing there', path: '/api/v1/nothing', status: 404 },
  { door: 'REST, another method', path: '/api/v1/funding', method: 'DELETE', status: 405 },
  { door: 'assistants without a key', path: '/mcp', method: 'POST', body: '{}', status: 401 },
  { door: 'assistants, another method', path: '/mcp', status: 405 },
  { door: 'OAuth, nothing there', path: '/oauth/nothing', status: 404 },
  { door: 'feeds, another method', path: '/listings.ics', method: 'POST', status: 405 },
  { door: 'feeds, a wrong filter', path: '/listings.atom?type=nothing', status: 400 },
  { door: 'points of a chart', path: '/spreads/backtest/pair.json', status: 400 },
  { door: 'a table to download', path: '/funding/NOSUCHCOIN/history.csv?days=x', status: 400 },
  { door: 'pages, for a program', path: '/nothing', status: 404 },
  { door: 'an address that cannot be read', path: '/funding/%zz', status: 400 },
];

suite('the type of problem bodies', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 3 });
  });
  after(() => running.stop());

  for (const { door, path, status, ...request } of FAULTS) {
    test(`${door}: ${request.method ?? 'GET'} ${path}`, async () => {
      const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const reply = await fetch(`${running.service.baseUrl}${path}`, { headers, ...request });
      const problem = (await reply.json()) as { status: number; instance: string };
      assert.equal(reply.status, status);
      assert.equal(reply.headers.get('content-type'), PROBLEM_TYPE);
      assert.equal(problem.status, status);
      assert.equal(problem.instance, reply.headers.get('x-request-id'));
    });
  }

  test('a body that is too large', async () => {
    const reply = await fetch(`${running.service.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(100_000),
    });
    assert.equal(reply.headers.get('content-type'), PROBLEM_TYPE);
    assert.equal(((await reply.json()) as { status: number }).status, reply.status);
  });

  test('a request that is not HTTP', async () => {
    const reply = await rawBytes(running.service.baseUrl, 'nonsense\r\n\r\n');
    assert.equal(reply.status, 400);
    assert.equal(reply.headers.get('content-type'), PROBLEM_TYPE);
  });
});
