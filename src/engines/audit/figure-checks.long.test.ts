import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { simulateFigures } from '../../../test/support/simulated-figures.ts';
import { DAY_MS } from '../../base/times.ts';
import { VENUES } from '../../venues/registry.ts';

const FROM_MS = Date.UTC(2026, 10, 10, 9, 20);
const DAYS = 4;
const OPEN = VENUES.filter(({ facts }) => facts.endedAt === undefined);
const ENDED = VENUES.filter(({ facts }) => facts.endedAt !== undefined);
/** They send contracts or coins, which the simulator makes from the doubled volume in dollars, and rounds. */
const ROUNDED = 'okx blofin apex arcus bitfinex cryptocom deepcoin deltaindia orangex sodex'.split(' ');
/** It sends open interest in dollars, which the simulator makes from the doubled contracts and a price. */
const INTEREST_IN_DOLLARS = ['variational'];

suite('open interest and volume of every venue', () => {
  test('healthy for four days: no notice', async () => {
    const { began } = await simulateFigures({
      venues: OPEN,
      fromMs: FROM_MS,
      hours: DAYS * 24,
      everyHours: 3,
    });
    assert.deepEqual(began, []);
  });

  for (const venue of ENDED)
    test(`${venue.slug}: healthy in its last four days: no notice`, async () => {
      const fromMs = (venue.facts.endedAt?.value ?? 0) - (DAYS + 1) * DAY_MS;
      const { began } = await simulateFigures({ venues: [venue], fromMs, hours: DAYS * 24, everyHours: 3 });
      assert.deepEqual(began, []);
    });

  test('both sides counted for a day: found at every venue that gives the figure', async () => {
    const { began, rows } = await simulateFigures({
      venues: OPEN,
      fromMs: FROM_MS,
      hours: 24,
      everyHours: 3,
      faultsOf: () => ({ openInterestDoubled: true, volumeDoubled: true }),
    });
    const found = began.map(({ exchange, kind, field }) => `${exchange} ${kind} ${field}`);
    const expected = OPEN.flatMap(({ slug, facts: { exchange, counts } }) => [
      ...(ROUNDED.includes(slug) ? [] : [`${exchange} counted_twice volume_24h_usdt`]),
      ...(!INTEREST_IN_DOLLARS.includes(slug) &&
      !counts.openInterest.isPrintedRounded &&
      rows.some((row) => row.exchange === exchange && row.openInterestUsdt !== null)
        ? [`${exchange} counted_twice open_interest_usdt`]
        : []),
    ]);
    assert.deepEqual(found.sort(), expected.sort());
  });
});
