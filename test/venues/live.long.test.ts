import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { until } from '../support/until.ts';
import { runLive } from './run-live.ts';

suite('npm run test:live, on the simulator of all venues', () => {
  let sim: SimServer;
  before(async () => {
    // Toobit names the settlement that has passed for a while after it, and its rows have no rate then.
    await until(() => Date.now() % HOUR_MS > 90_000, 'the minute after a settlement over');
    sim = await startSimServer({ seed: 1, coins: 30, venues: [], port: 0, pushEveryMs: 200 });
  });
  after(() => sim.close());

  test('every venue passes every check, and the table shows it', async () => {
    const { code, text } = await runLive({ RUN_LIVE_TESTS: '1', VENUES_URL: sim.url });
    assert.equal(code, 0, text);
    for (const { facts } of VENUES) {
      const line = new RegExp(`^(# )?${facts.exchange} +yes( +\\d+){6} +all well$`, 'm');
      if (facts.endedAt) assert.doesNotMatch(text, line, 'a venue that has ended is left out');
      else assert.match(text, line);
    }
  });
});
