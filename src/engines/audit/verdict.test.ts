import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AuditedSettlement } from '../../history/audit/model.ts';
import type { RateFault } from './faults.ts';
import { clearFault, isStillLikely, VenueEvidence } from './verdict.ts';

const NOW = 30_000_000;
const INTERVAL_HOURS = 8;

interface Market {
  /** Prints of a contract by settlement; the published rate is made of them. */
  printOf: (contract: number, step: number) => number;
  publishedOf: (print: number, previous: number, next: number) => number;
  contracts?: number;
  steps?: number;
  gapMinutes?: number;
  isAccrual?: boolean;
}

/** The evidence of a venue whose last settlement is now. */
function evidenceOf({ printOf, publishedOf, contracts = 30, steps = 4, ...given }: Market): VenueEvidence {
  const evidence = new VenueEvidence();
  for (let step = 1; step <= steps; step++)
    for (let contract = 0; contract < contracts; contract++) {
      const [previous, print, next] = [-1, 0, 1].map((by) => printOf(contract, step + by)) as [
        number,
        number,
        number,
      ];
      const settlement: AuditedSettlement = {
        venueSymbol: `C${contract}`,
        minute: NOW - (steps - step) * INTERVAL_HOURS * 60,
        publishedPct: publishedOf(print, previous, next),
        publishedSecondsBefore: 5,
        earlierPct: null,
        intervalHours: INTERVAL_HOURS,
        isAccrual: given.isAccrual ?? false,
        printPct: print,
        previousPrintPct: previous,
        gapMinutes: given.gapMinutes ?? INTERVAL_HOURS * 60,
        delaySeconds: 30,
      };
      evidence.add(settlement);
    }
  return evidence;
}

const wandering = (contract: number, step: number) =>
  Math.round(1e6 * (0.01 + 0.02 * Math.sin(contract * 1.7 + step * 2.3))) / 1e6;
const faultOf = (market: Market) => clearFault(evidenceOf(market).shares(NOW))?.fault ?? null;

suite('verdict on a venue', () => {
  const FAULTY: Record<RateFault, Partial<Market>> = {
    hundredfold: { publishedOf: (print) => print * 100 },
    hundredth: { publishedOf: (print) => print / 100 },
    eightfold: { publishedOf: (print) => print * 8 },
    eighth: { publishedOf: (print) => print / 8 },
    sign: { publishedOf: (print) => -print },
    last_settled: { publishedOf: (_print, previous) => previous },
    next_settled: { publishedOf: (_print, _previous, next) => next },
    interval: { publishedOf: (print) => print, gapMinutes: 240 },
  };
  for (const [fault, market] of Object.entries(FAULTY)) {
    test(`${fault} is told from all others`, () => {
      assert.equal(faultOf({ printOf: wandering, publishedOf: (print) => print, ...market }), fault);
    });
  }

  test('a healthy venue has none, also when its estimate is a tenth off or its rates are halved', () => {
    for (const factor of [1, 1.1, 0.9, 0.5])
      assert.equal(faultOf({ printOf: wandering, publishedOf: (print) => print * factor }), null);
  });

  test('rates of zero say nothing about a factor or a sign', () => {
    assert.equal(faultOf({ printOf: () => 0, publishedOf: () => 0 }), null);
    assert.equal(faultOf({ printOf: () => 0.000001, publishedOf: () => -0.000001 }), null);
    assert.equal(faultOf({ printOf: wandering, publishedOf: () => 0 }), null, 'zero is not a hundredth');
  });

  test('rates pinned at 0.01 % are one fact however many contracts have them', () => {
    const pinned = { printOf: () => 0.01, contracts: 300 };
    assert.equal(faultOf({ ...pinned, publishedOf: (print) => print }), null);
    assert.equal(faultOf({ ...pinned, publishedOf: () => 1 }), null);
    assert.equal(faultOf({ ...pinned, publishedOf: (_print, previous) => previous }), null);
  });

  test('a shift cannot be told where consecutive rates are equal, and is told from those that are not', () => {
    const steps = (contract: number, step: number) => (contract < 20 ? wandering(contract, step) : 0.01);
    assert.equal(
      faultOf({ printOf: steps, publishedOf: (_print, previous) => previous, contracts: 300 }),
      'last_settled',
    );
  });

  test('fewer than fifty informative comparisons are not enough', () => {
    const market = { printOf: wandering, publishedOf: (print: number) => print * 100 };
    assert.equal(faultOf({ ...market, contracts: 7, steps: 7 }), null, '49');
    assert.equal(faultOf({ ...market, contracts: 10, steps: 5 }), 'hundredfold');
  });

  test('funding that accrues has no shift, but factors', () => {
    const market = { printOf: wandering, isAccrual: true };
    assert.equal(faultOf({ ...market, publishedOf: (_print, previous) => previous }), null);
    assert.equal(faultOf({ ...market, publishedOf: (print) => print * 8 }), 'eightfold');
  });

  test('comparisons older than a week do not count', () => {
    const evidence = evidenceOf({ printOf: wandering, publishedOf: (print) => print * 100 });
    assert.equal(evidence.count(NOW), 120);
    assert.equal(clearFault(evidence.shares(NOW + 8 * 1440)), null);
    assert.equal(evidence.count(NOW + 8 * 1440), 0);
  });

  test('an alarm goes on until half of the newest comparisons are good again', () => {
    const evidence = evidenceOf({ printOf: wandering, publishedOf: (print) => -print });
    const good = (count: number, from: number) => {
      for (let i = 0; i < count; i++)
        evidence.add({
          venueSymbol: `G${i}`,
          minute: NOW + from,
          publishedPct: 0.01 + i / 1e5,
          publishedSecondsBefore: 5,
          earlierPct: null,
          intervalHours: 8,
          isAccrual: false,
          printPct: 0.01 + i / 1e5,
          previousPrintPct: null,
          gapMinutes: null,
          delaySeconds: 1,
        });
    };
    good(60, 1);
    assert.equal(clearFault(evidence.shares(NOW + 2)), null, '120 of 180 are below four fifths');
    assert.ok(isStillLikely('sign', evidence.shares(NOW + 2)));
    good(110, 2);
    assert.ok(!isStillLikely('sign', evidence.shares(NOW + 2)));
  });
});
