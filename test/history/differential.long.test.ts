import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import fc from 'fast-check';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { createLog } from '../../src/base/log.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { readSettings } from '../../src/settings.ts';
import { type LocalService, startLocalService } from '../../src/wiring/local-service.ts';
import { skipPostgres } from '../storage/databases.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { startPostgres } from '../support/servers.ts';
import { until } from '../support/service.ts';
import { simOf, venueOf } from './keeping.ts';

const VENUES = ['binance', 'okx', 'bitget', 'gate', 'hyperliquid', 'deribit', 'backpack', 'mexc'];
const DAYS = 70;

after(killStarted);

/** The prints that the simulated venue has published. */
function recordOf(sim: SimServer, slug: string, venueSymbol: string, fromMs: number, toMs: number) {
  const view = sim.view(slug);
  const contract = view.find(venueSymbol);
  if (!contract) return [];
  const own = simOf(slug).settledPrints?.(contract, view, fromMs, toMs);
  return (
    own ??
    view
      .settlements(contract, fromMs, toMs)
      .map((print) => ({ settledAtMs: print.settledAtMs, ratePct: print.rateE8 / 1e6 }))
  ).map((print) => [isoTime(print.settledAtMs), print.ratePct]);
}

async function backfillThroughFaults(sim: SimServer, environment: Record<string, string>): Promise<void> {
  const faults = [
    { rateLimitRetryAfterSeconds: 1, share: 0.1 },
    { truncated: true, share: 0.15 },
    { errorStatus: 502, share: 0.15 },
    { html: true, share: 0.1 },
  ];
  for (const [i, slug] of VENUES.entries()) sim.setFaults(slug, faults[i % faults.length] ?? {});
  const served = () => VENUES.reduce((sum, slug) => sum + (sim.requests.get(slug) ?? 0), 0);
  // Killed twice, each time after a fixed number of calls.
  for (const calls of [120, 250]) {
    const beforeCalls = served();
    const running = startPerpwire(['history', 'backfill', '--days', String(DAYS)], environment);
    let hasEnded = false;
    void running.ended.then(() => {
      hasEnded = true;
    });
    await until(() => hasEnded || served() > beforeCalls + calls, 'some calls');
    running.child.kill('SIGKILL');
    await running.ended;
  }
  for (let run = 0; run < 5; run++) {
    const finished = await perpwire(['history', 'backfill', '--days', String(DAYS)], environment);
    assert.doesNotMatch(finished.stderr, /\n\s+at /, 'no stack');
    if (finished.code === 0) return;
  }
  assert.fail('the backfill did not finish in five runs');
}

async function checkAnswers(service: LocalService, sim: SimServer): Promise<void> {
  const account = await service.accounts.accounts.create({ name: 'differential', plan: 'business' });
  const key = await service.accounts.keys.create({ accountId: account.id, name: 'test', kind: 'test' });
  const nowMs = Date.now();
  const contracts = service.history.keeper.directory.all();
  assert.ok(contracts.length > 100, `${contracts.length} contracts`);
  const bySlug = new Map(VENUES.map((slug) => [venueOf(slug).facts.exchange, slug]));
  const window = fc.tuple(
    fc.integer({ min: 0, max: (DAYS - 1) * 1440 }),
    fc.integer({ min: 1, max: 40 * 1440 }),
  );
  const checkedVenues = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...contracts), window, async (contract, [agoMinutes, lengthMinutes]) => {
      // The last minutes are left out: a print may have settled after the backfill.
      const toMs = Math.min(
        nowMs - 30 * MINUTE_MS,
        nowMs - agoMinutes * MINUTE_MS + lengthMinutes * MINUTE_MS,
      );
      const fromMs = Math.max(nowMs - (DAYS - 1) * DAY_MS, Math.min(toMs, nowMs - agoMinutes * MINUTE_MS));
      if (fromMs > toMs) return;
      const query = new URLSearchParams({
        coin: contract.coin,
        exchange: contract.exchange,
        symbol: contract.venueSymbol,
        resolution: 'settlement',
        from: isoTime(fromMs),
        to: isoTime(toMs),
      });
      const reply = await fetch(`${service.baseUrl}/api/v1/funding/history?${query}`, {
        headers: { 'x-api-key': key.text },
      });
      const { data } = (await reply.json()) as {
        data: { series: { settlements: { time: string; rate_pct: number }[] }[] };
      };
      assert.equal(reply.status, 200);
      const slug = bySlug.get(contract.exchange) ?? '';
      assert.deepEqual(
        (data.series[0]?.settlements ?? []).map((print) => [print.time, print.rate_pct]),
        recordOf(sim, slug, contract.venueSymbol, fromMs, toMs),
        `${contract.exchange} ${contract.venueSymbol} ${isoTime(fromMs)} ${isoTime(toMs)}`,
      );
      checkedVenues.add(contract.exchange);
    }),
    { numRuns: 300 },
  );
  assert.equal(checkedVenues.size, VENUES.length, 'every venue was checked');
}

async function differential(databaseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-differential-'));
  const sim = await startSimServer({ seed: 5, coins: 14, venues: VENUES, port: 0 });
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    VENUES: VENUES.join(','),
    VENUES_URL: sim.url,
    HISTORY_PACED: 'false',
    LOG_LEVEL: 'silent',
  };
  try {
    await backfillThroughFaults(sim, environment);
    const settings = readSettings([], { ...environment, PORT: '0', ADMIN_PORT: '0' });
    const service = await startLocalService({ settings, log: createLog('silent') });
    try {
      await checkAnswers(service, sim);
    } finally {
      await service.stop();
    }
  } finally {
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

suite('after a backfill with faults and kills, the service returns the prints of the venues', () => {
  test('SQLite', () => differential(''));
  test('PostgreSQL', { skip: skipPostgres }, async () => {
    const postgres = await startPostgres();
    if (typeof postgres === 'string') throw new Error(postgres);
    await differential(await postgres.createDatabase());
  });
});
