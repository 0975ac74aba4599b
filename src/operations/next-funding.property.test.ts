import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Universe } from '../../sim/contracts.ts';
import { NO_FAULTS } from '../../sim/faults.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import { operationCaller } from '../../test/query/operation-caller.ts';
import { observeSim } from '../../test/support/observe.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { HOUR_MS, SECOND_MS } from '../base/times.ts';
import { arbitrageSource } from '../engines/arbitrage/source.ts';
import { FUNDING_TABLE, fundingTable } from '../engines/funding/table.ts';
import { rowsFromLegs } from '../engines/spreads/rows.ts';
import { SPREADS_TABLE } from '../engines/spreads/table.ts';
import { SpreadTableBuilder } from '../engines/spreads/table-builder.ts';
import { Freezer } from '../market/freeze.ts';
import { LatestMarket } from '../market/latest.ts';
import type { TableSource } from '../market/timeline.ts';
import { VENUES } from '../venues/registry.ts';
import { coinFunding } from './coin-funding/coin-funding.ts';
import { funding } from './funding.ts';
import { spreads } from './spreads.ts';

const DAY_START_MS = Date.UTC(2026, 10, 14);
/** Venues with settlements every hour, every 4 and 8 h, off the grid, and with rates that were just charged. */
const SLUGS = ['binance', 'bybit', 'gate', 'kucoin', 'hyperliquid', 'kraken'];
/** Seconds after the full hour. Replies are read at three of them. */
const SECONDS = [-20, -1, 0, 1, 30, 59, 61, 121, 150];
const READ_AT = new Set([-20, 59, 150]);

const NO_TABLE: TableSource = { at: () => null, exactly: () => null, after: () => null };

suite('next_funding_at', () => {
  test('is later than as_of in every row of a simulated day, in each settlement minute', async () => {
    const universe = new Universe(1, 5);
    const [metrics, log] = [createMetrics(), createLog('silent')];
    const market = new LatestMarket(metrics, log);
    const freezer = new Freezer(market, metrics, log);
    const builder = new SpreadTableBuilder();
    const callers = {
      funding: operationCaller(funding, FUNDING_TABLE, (timeline) => ({ funding: timeline })),
      coin: operationCaller(coinFunding, FUNDING_TABLE, (timeline) => ({
        funding: timeline,
        depth: NO_TABLE,
        forecastModels: NO_TABLE,
        arbitrage: arbitrageSource(NO_TABLE, NO_TABLE, NO_TABLE, NO_TABLE),
      })),
      spreads: operationCaller(spreads, SPREADS_TABLE, (timeline) => ({ spreads: timeline })),
    };
    const observe = async (atMs: number) => {
      for (const slug of SLUGS) {
        const venue = VENUES.find((one) => one.slug === slug);
        const sim = SIM_VENUES.find(({ profile }) => profile.slug === slug);
        assert.ok(venue && sim);
        const view = viewAt(universe, sim.profile, atMs, NO_FAULTS);
        const { batch, contracts } = await observeSim(venue, sim, view);
        const contractList = { part: 'all', contracts: [...contracts.values()] };
        market.accept(venue, { ...batch, contractList }, atMs, contracts);
      }
    };
    const seen = { later: 0, none: 0 };
    const check = (nextAt: unknown, asOf: string, row: unknown) => {
      if (nextAt === null) seen.none++;
      else if (Date.parse(String(nextAt)) > Date.parse(asOf)) seen.later++;
      else assert.fail(`${nextAt} in a snapshot of ${asOf}: ${JSON.stringify(row)}`);
    };
    for (let hour = 0; hour < 24; hour++)
      for (const seconds of SECONDS) {
        const nowMs = DAY_START_MS + hour * HOUR_MS + seconds * SECOND_MS;
        if (READ_AT.has(seconds)) await observe(nowMs);
        for (const { clock } of Object.values(callers)) clock.setMs(nowMs);
        const table = fundingTable(freezer.freeze(nowMs), new Map());
        await callers.funding.publish(table);
        await callers.coin.publish(table);
        const { legs } = builder.build(market.states(), freezer.identities, nowMs);
        await callers.spreads.publish(rowsFromLegs(legs, nowMs));
        const rates = callers.funding.call({ limit: '500' });
        for (const row of rates.data) check(row.next_funding_at, rates.meta.as_of, row);
        const coin = callers.coin.call({ coin: 'BTC' });
        const { rates: ofCoin } = coin.data as unknown as { rates: { next_funding_at: unknown }[] };
        for (const row of ofCoin) check(row.next_funding_at, coin.meta.as_of, row);
        const pairs = callers.spreads.call({ limit: '500' });
        for (const row of pairs.data)
          for (const nextAt of [row.next_funding_at_a, row.next_funding_at_b])
            check(nextAt, pairs.meta.as_of, row);
      }
    assert.ok(seen.later > 20 * seen.none && seen.later > 15_000, JSON.stringify(seen));
  });
});
