import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http-client.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY } from '../../src/base/request-budget.ts';
import { VenueCaller } from '../../src/venues/collecting/caller.ts';
import { nado } from '../../src/venues/nado/venue.ts';

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

suite('headers that venues require', () => {
  let sim: SimServer;
  before(async () => {
    sim = await startSimServer({ seed: 1, coins: 20, venues: ['nado'], port: 0 });
  });
  after(() => sim.close());

  test('Nado’s gateway answers 403 without Accept-Encoding, and the collector’s calls have one', async () => {
    const url = `${sim.url}/nado/gateway/v1/query?type=symbols`;
    assert.equal(await statusOf(url, {}), 403);
    assert.equal(await statusOf(url, { 'accept-encoding': 'identity' }), 403);
    assert.equal(await statusOf(url, { 'accept-encoding': 'gzip' }), 200);
    const http = createHttpClient();
    const caller = new VenueCaller({
      venue: nado,
      http,
      clock: systemClock,
      metrics: createMetrics(),
      simUrl: sim.url,
      isPaced: true,
    });
    const lists = nado.polls.find((poll) => poll.gives.includes('contracts'));
    assert.ok(lists?.kind === 'bulk');
    const batch = await lists.collect({ send: caller.sender(PRIORITY.live), contracts: new Map() });
    assert.ok((batch.contractList?.contracts.length ?? 0) > 3);
    await http.close();
  });
});
