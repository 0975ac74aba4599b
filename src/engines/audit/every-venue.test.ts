import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Universe } from '../../../sim/contracts.ts';
import { type Faults, NO_FAULTS } from '../../../sim/faults.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { observeSim, whileOpen } from '../../../test/support/observe.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { SettlementSums } from '../../history/settlements/sums.ts';
import { Freezer } from '../../market/freeze.ts';
import { LatestMarket } from '../../market/latest.ts';
import { VENUES } from '../../venues/registry.ts';
import type { Venue } from '../../venues/venue.ts';
import { Auditor } from './auditor.ts';
import { checkSnapshot } from './checks.ts';
import { StillRows } from './still-rows.ts';
import { clearFault } from './verdict.ts';

/** The others know the interval themselves (every hour, or none because funding accrues) or take it from prints. */
const STATE_A_SCHEDULE =
  'binance bybit okx bitget gate mexc kucoin htx bingx coinex woox phemex aster backpack'.split(' ');
/** No field states their next settlement, so the adapter rejects rows of an interval other than an hour. */
const REJECT_OTHER_INTERVALS = ['coinbaseintl'];
const FROM_MS = Date.UTC(2026, 10, 14, 8);
const NOW_MS = FROM_MS + 80 * MINUTE_MS;
const COINS = 12;

/** A market that only this venue feeds, and the audit of it. */
function auditedVenue(venue: Venue, coins = COINS) {
  const sim = SIM_VENUES.find(({ profile }) => profile.slug === venue.slug);
  assert.ok(sim);
  const universe = new Universe(1, coins);
  const [metrics, log] = [createMetrics(), createLog('silent')];
  const market = new LatestMarket(metrics, log);
  const freezer = new Freezer(market, metrics, log);
  const sums = new SettlementSums();
  const auditor = new Auditor((key, minute, tolerance) => sums.find(key, minute, tolerance));
  const view = (atMs: number, faults: Partial<Faults> = {}, frozenAtMs: number | null = null) =>
    viewAt(universe, sim.profile, atMs, { ...NO_FAULTS, ...faults }, frozenAtMs);
  const publish = async (atMs: number, faults: Partial<Faults> = {}, frozenAtMs: number | null = null) => {
    const { batch, contracts } = await observeSim(venue, sim, view(atMs, faults, frozenAtMs));
    const contractList = { part: 'all', contracts: [...contracts.values()] };
    market.accept(venue, { ...batch, contractList }, atMs, contracts);
    const frozen = freezer.freeze(atMs);
    auditor.observe(atMs, frozen.contracts, atMs);
    return frozen.contracts;
  };
  const takePrints = (atMs: number) => {
    const now = view(atMs);
    for (const contract of now.open) {
      const key = `${venue.facts.exchange}/${contract.venueSymbol}`;
      const prints = now.settlements(contract, atMs - 2 * DAY_MS, atMs);
      sums.put(
        key,
        prints.map(({ settledAtMs, rateE8 }) => ({ minute: settledAtMs / MINUTE_MS, ratePct: rateE8 / 1e6 })),
      );
      auditor.printsChanged(key, atMs);
    }
  };
  return { market, freezer, auditor, view, publish, takePrints };
}

/** A time at which contracts of every interval settle, before the end of a venue that has ended. */
function settlementOf(venue: Venue): number {
  return Math.ceil(whileOpen(venue, FROM_MS - DAY_MS) / (8 * HOUR_MS)) * 8 * HOUR_MS;
}

/** The verdict over the first 50 comparisons. */
async function verdictOf(venue: Venue, faults: Partial<Faults>): Promise<string | null> {
  const { auditor, publish, takePrints } = auditedVenue(venue);
  const fromMs = settlementOf(venue);
  for (let atMs = fromMs; atMs < fromMs + 2 * DAY_MS; atMs += 8 * HOUR_MS) {
    await publish(atMs - 8 * SECOND_MS, faults);
    await publish(atMs + 2 * MINUTE_MS, faults);
    takePrints(atMs + 2 * MINUTE_MS);
    const shares = auditor.evidence(venue.facts.exchange).shares(Math.ceil(atMs / MINUTE_MS) + 2);
    const interval = shares.find(({ fault }) => fault === 'interval');
    if ((interval?.informative ?? 0) >= 50) return clearFault(shares)?.fault ?? null;
  }
  throw new Error('too few comparisons for a verdict');
}

/** What is published of all schedules when the audit compares it: just before most contracts settle. */
async function schedulesOf(venue: Venue, faults: Partial<Faults>): Promise<unknown[]> {
  const rows = await auditedVenue(venue).publish(settlementOf(venue) - 8 * SECOND_MS, faults);
  return rows.map(({ key, intervalHours, nextFundingAtMs }) => [key, intervalHours, nextFundingAtMs]);
}

suite('faults of a schedule, at every venue', () => {
  for (const venue of VENUES) {
    test(`${venue.slug}: an interval that is off is found, unless it cannot be misread`, async () => {
      const [healthy, off] = [await schedulesOf(venue, {}), await schedulesOf(venue, { intervalOff: true })];
      assert.ok(healthy.length > 5);
      if (REJECT_OTHER_INTERVALS.includes(venue.slug)) return assert.deepEqual(off, []);
      assert.ok(off.length > 5);
      const isMisread = !isDeepStrictEqual(healthy, off);
      if (STATE_A_SCHEDULE.includes(venue.slug)) assert.ok(isMisread, 'the fault is visible');
      // Without settled prints there is nothing to compare with.
      if (isMisread && venue.facts.noHistory === undefined)
        assert.equal(await verdictOf(venue, { intervalOff: true }), 'interval');
    });

    test(`${venue.slug}: a row that stands still is found, if its next settlement does`, async () => {
      const { market, freezer, view, publish } = auditedVenue(venue, 3);
      const nowMs = whileOpen(venue, NOW_MS);
      const laterMs = nowMs + 12 * MINUTE_MS;
      const frozenAtMs = nowMs - 30 * HOUR_MS;
      const frozen = view(nowMs).open[0];
      assert.ok(frozen);
      const faults = { frozenRow: frozen.venueSymbol };
      for (let atMs = nowMs; atMs < laterMs; atMs += MINUTE_MS) await publish(atMs, faults, frozenAtMs);
      const rows = await publish(laterMs, faults, frozenAtMs);
      const key = `${venue.facts.exchange}/${frozen.venueSymbol}`;
      const stated = market.states().find((state) => state.key === key)?.nextFundingAtMs ?? null;
      const isPast = stated !== null && stated < nowMs;
      if (STATE_A_SCHEDULE.includes(venue.slug)) assert.ok(isPast, 'the fault is visible');
      const { frozenRows } = checkSnapshot(rows, market.states(), freezer.identities, laterMs);
      assert.deepEqual([...frozenRows], isPast ? [key] : []);
      const published = rows.find((row) => row.key === key);
      if (isPast) assert.equal(published?.nextFundingAtMs ?? null, null, 'no settlement is invented');
    });
  }
});

/** They settle every hour, and their adapters know the next settlement without being told. */
const HOURLY = ['kraken', 'dydx', 'hyperliquid', 'lighter'];
const SETTLEMENTS = 24;
const HOURLY_COINS = 6;

/** After a day of hourly settlements: the fault of the rates, and the rows that were found to stand still. */
async function hourlyFindings(venue: Venue, faults: Partial<Faults>) {
  const { market, freezer, auditor, publish, takePrints } = auditedVenue(venue, HOURLY_COINS);
  const stillRows = new StillRows();
  const found = new Set<string>();
  const endMs = FROM_MS + SETTLEMENTS * HOUR_MS;
  for (let atMs = FROM_MS; atMs < endMs; atMs += HOUR_MS) {
    for (const snapshotMs of [atMs - 8 * SECOND_MS, atMs + 2 * MINUTE_MS]) {
      const rows = await publish(snapshotMs, faults, FROM_MS - HOUR_MS);
      const checks = checkSnapshot(rows, market.states(), freezer.identities, snapshotMs, stillRows);
      for (const key of checks.frozenRows) found.add(key);
      assert.equal(checks.byExchange.get(venue.facts.exchange)?.rowsStill, checks.frozenRows.size);
    }
    takePrints(atMs + 2 * MINUTE_MS);
  }
  const shares = auditor.evidence(venue.facts.exchange).shares(endMs / MINUTE_MS);
  return { fault: clearFault(shares)?.fault ?? null, frozenRows: [...found] };
}

suite('venues that settle every hour, within 24 settlements', () => {
  for (const slug of HOURLY) {
    const venue = VENUES.find((one) => one.slug === slug);
    assert.ok(venue);
    const frozenSymbol = auditedVenue(venue, HOURLY_COINS).view(FROM_MS).open[0]?.venueSymbol ?? '';

    test(`${slug}: the last settled rate, and a row that stands still, are found`, async () => {
      const faults = { ratesLastSettled: true, frozenRow: frozenSymbol };
      assert.deepEqual(await hourlyFindings(venue, faults), {
        fault: 'last_settled',
        frozenRows: [`${venue.facts.exchange}/${frozenSymbol}`],
      });
    });

    test(`${slug}: a healthy venue has no finding`, async () => {
      assert.deepEqual(await hourlyFindings(venue, {}), { fault: null, frozenRows: [] });
    });
  }
});
