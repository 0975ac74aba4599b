import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../src/base/times.ts';
import type { Batch } from '../src/venues/observations.ts';
import { VENUES } from '../src/venues/registry.ts';
import { observeSim, whileOpen } from '../test/support/observe.ts';
import { Universe } from './contracts.ts';
import { type Faults, NO_FAULTS, parseFaults } from './faults.ts';
import { SIM_VENUES } from './venues/registry.ts';
import { viewAt } from './view.ts';

const FULL_HOUR_MS = Date.UTC(2026, 10, 14, 9);
/** At a settlement, the running rate and the last settled one are the same. */
const PAST_HOUR_MS = 20 * MINUTE_MS;
const NOW_MS = FULL_HOUR_MS + PAST_HOUR_MS;
const universe = new Universe(1, 12);

/** What a venue's adapter makes of its simulator with the faults on. */
async function observed(slug: string, faults: Partial<Faults>, rowFrozenAtMs: number | null = null) {
  const venue = VENUES.find((one) => one.slug === slug);
  const sim = SIM_VENUES.find(({ profile }) => profile.slug === slug);
  assert.ok(venue && sim);
  const nowMs = whileOpen(venue, FULL_HOUR_MS) + PAST_HOUR_MS;
  const view = viewAt(universe, sim.profile, nowMs, { ...NO_FAULTS, ...faults }, rowFrozenAtMs);
  const { batch, context, contracts } = await observeSim(venue, sim, view);
  return { batch, view, venue, context, contracts };
}

/** The last of several quotes is what the market keeps. */
const lastOf = <Row extends { venueSymbol: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.venueSymbol, row]));
const ratesOf = ({ fundingQuotes }: Batch) => lastOf(fundingQuotes);

suite('faults of data, at every simulated venue', () => {
  for (const { slug } of VENUES) {
    test(`${slug}: rates a hundredfold, flipped and last settled; volumes doubled`, async () => {
      const healthy = await observed(slug, {});
      const truth = ratesOf(healthy.batch);
      assert.ok(truth.size > 5);
      const hundredfold = ratesOf((await observed(slug, { ratesInPercent: true })).batch);
      const flipped = ratesOf((await observed(slug, { ratesFlipped: true })).batch);
      for (const [symbol, { ratePct }] of truth) {
        // Lighter prints four decimals, so the truth may be rounded.
        const near = (value: number | undefined, wanted: number, roundingPct: number) =>
          assert.ok(
            Math.abs((value ?? Number.NaN) - wanted) <= roundingPct + 2e-4 * Math.abs(wanted),
            `${symbol}: ${value} is not ${wanted}`,
          );
        near(hundredfold.get(symbol)?.ratePct, ratePct * 100, 0.01);
        near(flipped.get(symbol)?.ratePct, -ratePct, 0.0001);
      }
      const last = ratesOf((await observed(slug, { ratesLastSettled: true })).batch);
      const isChanged = [...truth].filter(([symbol, { ratePct }]) => last.get(symbol)?.ratePct !== ratePct);
      // Extended prints six decimals, which hide the change of an hour at some contracts.
      assert.ok(isChanged.length > truth.size / 3, `${isChanged.length} of ${truth.size} rates changed`);

      const volumes = lastOf(healthy.batch.dayVolumes);
      const doubled = lastOf((await observed(slug, { volumeDoubled: true })).batch.dayVolumes);
      for (const [symbol, { volume24hUsdt }] of volumes) {
        const ratio = (doubled.get(symbol)?.volume24hUsdt ?? 0) / volume24hUsdt;
        assert.ok(Math.abs(ratio - 2) < 0.1, `${symbol}: ${ratio}`);
      }
    });
  }

  test('settled prints stay right', async () => {
    const { view } = await observed('okx', { ratesInPercent: true, ratesFlipped: true, intervalOff: true });
    const healthy = await observed('okx', {});
    const contract = view.open[0];
    assert.ok(contract);
    const window = [contract, NOW_MS - 30 * HOUR_MS, NOW_MS] as const;
    assert.deepEqual(view.settlements(...window), healthy.view.settlements(...window));
  });

  test('an interval that is off puts the next settlement on its own grid', async () => {
    const healthy = await observed('gate', {});
    const off = await observed('gate', { intervalOff: true });
    for (const contract of healthy.view.open) {
      const hours = healthy.view.quote(contract).intervalHours;
      const { intervalHours, nextFundingAtMs } = off.view.quote(contract);
      assert.equal(intervalHours, hours === 8 ? 4 : hours * 2);
      assert.equal(nextFundingAtMs % (intervalHours * HOUR_MS), 0);
      assert.ok(nextFundingAtMs > NOW_MS && nextFundingAtMs <= NOW_MS + intervalHours * HOUR_MS);
    }
  });

  test('a frozen row stands still with a settlement that has passed; the others move', async () => {
    const healthy = await observed('okx', {});
    const [frozen, other] = healthy.view.open;
    assert.ok(frozen && other);
    const sinceMs = NOW_MS - 30 * HOUR_MS;
    const { view } = await observed('okx', { frozenRow: frozen.venueSymbol }, sinceMs);
    assert.ok(view.quote(frozen).nextFundingAtMs < NOW_MS);
    assert.deepEqual(view.quote(other), healthy.view.quote(other));
  });

  test('a venue that copies another has its rates and prints where both list the contract, and prices of its own', async () => {
    const [gate, xt] = ['gate', 'xt'].map((slug) => SIM_VENUES.find(({ profile }) => profile.slug === slug));
    assert.ok(gate && xt);
    const copy = viewAt(universe, gate.profile, NOW_MS, NO_FAULTS, null, xt.profile);
    const healthy = viewAt(universe, gate.profile, NOW_MS);
    const original = viewAt(universe, xt.profile, NOW_MS);
    let shared = 0;
    for (const contract of copy.open) {
      const other = original.open.find(
        ({ coin, quote, isInverse }) =>
          coin.id === contract.coin.id && quote === contract.quote && isInverse === contract.isInverse,
      );
      const { rateE8, nextFundingAtMs, markPrice } = copy.quote(contract);
      const source = other ? original : healthy;
      const funded = source.quote(other ?? contract);
      assert.deepEqual([rateE8, nextFundingAtMs], [funded.rateE8, funded.nextFundingAtMs]);
      assert.equal(markPrice, healthy.quote(contract).markPrice);
      const window = [NOW_MS - 30 * HOUR_MS, NOW_MS] as const;
      assert.deepEqual(
        copy.settlements(contract, ...window),
        source.settlements(other ?? contract, ...window),
      );
      if (other) shared++;
    }
    assert.ok(shared > 5 && shared < copy.open.length, `${shared} of ${copy.open.length}`);
  });

  test('a control request names a frozen row by its symbol', () => {
    assert.equal(parseFaults({ frozenRow: 'BTC' }).frozenRow, 'BTC');
    assert.throws(() => parseFaults({ frozenRow: true }), /fault "frozenRow" takes a string/);
  });
});
