import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Faults } from '../../../sim/faults.ts';
import { type SimulatedFigures, simulateFigures } from '../../../test/support/simulated-figures.ts';
import { VENUES } from '../../venues/registry.ts';

const FROM_MS = Date.UTC(2026, 10, 14, 9, 20);

/** What venues would send if they counted as our adapters once read them, and the notice that shows it. */
const FAULTY: Record<string, { faults: Partial<Faults>; exchange: string; kind: string; field: string }> = {
  lighter: {
    faults: { openInterestStreamedInCoins: true },
    ...{ exchange: 'Lighter', kind: 'withheld', field: 'open_interest_usdt' },
  },
  gate: {
    faults: { openInterestDoubled: true },
    ...{ exchange: 'Gate', kind: 'counted_twice', field: 'open_interest_usdt' },
  },
  htx: {
    faults: { openInterestHalved: true },
    ...{ exchange: 'HTX', kind: 'halved', field: 'open_interest_usdt' },
  },
  pacifica: {
    faults: { volumeDoubled: true },
    ...{ exchange: 'Pacifica', kind: 'counted_twice', field: 'volume_24h_usdt' },
  },
  extended: {
    faults: { volumeDoubled: true },
    ...{ exchange: 'Extended', kind: 'counted_twice', field: 'volume_24h_usdt' },
  },
  nado: {
    faults: { openInterestDoubled: true },
    ...{ exchange: 'Nado', kind: 'counted_twice', field: 'open_interest_usdt' },
  },
  kucoin: {
    faults: { volumeDoubled: true },
    ...{ exchange: 'KuCoin', kind: 'counted_twice', field: 'volume_24h_usdt' },
  },
};
const HEALTHY = ['bybit', 'hyperliquid'];

suite('venues that count both sides, half a side or in another unit, for a simulated day', () => {
  let found: SimulatedFigures;
  before(async () => {
    found = await simulateFigures({
      venues: VENUES.filter(({ slug }) => slug in FAULTY || HEALTHY.includes(slug)),
      fromMs: FROM_MS,
      hours: 24,
      everyHours: 2,
      faultsOf: (slug) => FAULTY[slug]?.faults ?? {},
    });
  });

  for (const { exchange, kind, field } of Object.values(FAULTY))
    test(`${exchange}: ${kind} ${field} is found, and nothing else`, () => {
      const own = found.began.filter((notice) => notice.exchange === exchange);
      assert.deepEqual(
        own.map((notice) => [notice.kind, notice.field]),
        [[kind, field]],
      );
      if (kind !== 'withheld')
        assert.match(own[0]?.evidence ?? '', /^(\d+) of \1 contracts, \d+ different values$/);
    });

  test('healthy venues beside them have no notice', () => {
    const faulty = Object.values(FAULTY).map(({ exchange }) => exchange);
    assert.deepEqual(
      found.began.filter(({ exchange }) => !faulty.includes(exchange)),
      [],
    );
  });

  test('Lighter: where the sources differ, open interest is unknown and counted as quarantined', () => {
    const lighter = VENUES.find(({ slug }) => slug === 'lighter');
    assert.ok(lighter);
    const reason = 'open interest of two sources differs by more than 20 times';
    const unknown = found.rows.filter(
      ({ exchange, openInterestUsdt }) => exchange === 'Lighter' && openInterestUsdt === null,
    );
    assert.equal(found.quarantined(lighter)[reason], unknown.length);
    assert.ok(unknown.some(({ coin }) => coin === 'BTC'));
    assert.ok(unknown.length > 5);
  });
});
