import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http/http-client.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY } from '../../src/base/request-budget.ts';
import { VenueCaller } from '../../src/venues/collecting/caller.ts';
import { extended } from '../../src/venues/extended/venue.ts';
import { nado } from '../../src/venues/nado/venue.ts';
import type { Venue } from '../../src/venues/venue.ts';

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

/** The number of contracts that the collector's own calls return. */
async function listedContracts(venue: Venue, simUrl: string): Promise<number> {
  const http = createHttpClient();
  const metrics = createMetrics();
  const caller = new VenueCaller({ venue, http, clock: systemClock, metrics, simUrl, isPaced: true });
  const lists = venue.polls.find((poll) => poll.gives.includes('contracts'));
  assert.ok(lists?.kind === 'bulk');
  const batch = await lists.collect({ send: caller.sender(PRIORITY.live), contracts: new Map() });
  await http.close();
  return batch.contractList?.contracts.length ?? 0;
}

suite('headers that venues require', () => {
  let sim: SimServer;
  before(async () => {
    sim = await startSimServer({ seed: 1, coins: 20, venues: ['nado', 'extended'], port: 0 });
  });
  after(() => sim.close());

  test('Nado’s gateway answers 403 without Accept-Encoding, and the collector’s calls have one', async () => {
    const url = `${sim.url}/nado/gateway/v1/query?type=symbols`;
    assert.equal(await statusOf(url, {}), 403);
    assert.equal(await statusOf(url, { 'accept-encoding': 'identity' }), 403);
    assert.equal(await statusOf(url, { 'accept-encoding': 'gzip' }), 200);
    assert.ok((await listedContracts(nado, sim.url)) > 3);
  });

  test('Extended answers 403 without a User-Agent, and the collector’s calls have one', async () => {
    const url = `${sim.url}/extended/rest/info/markets`;
    assert.equal(await statusOf(url, {}), 403);
    assert.equal(await statusOf(url, { 'user-agent': 'anything' }), 200);
    assert.ok((await listedContracts(extended, sim.url)) > 3);
  });
});
