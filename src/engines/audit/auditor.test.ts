import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { AuditedSettlement } from '../../history/audit/model.ts';
import { SettlementSums } from '../../history/settlements/sums.ts';
import { Auditor } from './auditor.ts';
import type { PublishedRow } from './published-rates.ts';

const START_MS = Date.UTC(2026, 10, 14, 7, 50);
const EIGHT_MS = Date.UTC(2026, 10, 14, 8);
const EIGHT = EIGHT_MS / MINUTE_MS;

function row(
  ratePct: number,
  nextFundingAtMs: number | null = EIGHT_MS,
  venueSymbol = 'BTCUSDT',
): PublishedRow {
  return {
    key: `OKX/${venueSymbol}`,
    exchange: 'OKX',
    venueSymbol,
    ratePct,
    intervalHours: 8,
    nextFundingAtMs,
  };
}

function audited() {
  const sums = new SettlementSums();
  const auditor = new Auditor((key, minute, tolerance) => sums.find(key, minute, tolerance));
  const print = (minute: number, ratePct: number, knownAtMs: number, venueSymbol = 'BTCUSDT') => {
    sums.put(`OKX/${venueSymbol}`, [{ minute, ratePct }]);
    auditor.printsChanged(`OKX/${venueSymbol}`, knownAtMs);
  };
  const saved = () => auditor.takeUnsaved().get('OKX') ?? [];
  return { auditor, print, saved };
}

suite('audit of published rates', () => {
  test('the last rate before the settlement is compared with its print, and the one of a minute earlier kept', () => {
    const { auditor, print, saved } = audited();
    for (const [secondsBefore, ratePct] of [
      [95, 0.05],
      [75, 0.012],
      [30, 0.011],
      [5, 0.0104],
    ] as const)
      auditor.observe(EIGHT_MS - secondsBefore * SECOND_MS, [row(ratePct)], EIGHT_MS);
    auditor.observe(EIGHT_MS + 5 * SECOND_MS, [row(0.02, EIGHT_MS + 8 * HOUR_MS)], EIGHT_MS);
    assert.equal(auditor.pendingCount, 1);
    print(EIGHT - 480, 0.03, EIGHT_MS);
    print(EIGHT, 0.0102, EIGHT_MS + 42 * SECOND_MS);
    assert.equal(auditor.pendingCount, 0);
    assert.deepEqual(saved().at(-1), {
      venueSymbol: 'BTCUSDT',
      minute: EIGHT,
      publishedPct: 0.0104,
      publishedSecondsBefore: 5,
      earlierPct: 0.012,
      intervalHours: 8,
      isAccrual: false,
      printPct: 0.0102,
      previousPrintPct: 0.03,
      gapMinutes: 480,
      delaySeconds: 42,
    } satisfies AuditedSettlement);
    const figures = auditor.windows('OKX').figures(24, EIGHT + 60);
    assert.deepEqual(figures, {
      comparisons: 1,
      closePct: 100,
      medianErrorBp: 0.02,
      worstErrorBp: 0.02,
      medianEarlierErrorBp: 0.18,
      sameSignPct: 100,
      medianRatio: 0.980769,
      medianDelaySeconds: 42,
      expected: 1,
      missing: 0,
    });
  });

  test('a rate published at or after the settlement is not taken for the one before it', () => {
    const { auditor, print, saved } = audited();
    auditor.observe(EIGHT_MS - 20 * SECOND_MS, [row(0.01)], EIGHT_MS);
    auditor.observe(EIGHT_MS, [row(0.5)], EIGHT_MS);
    auditor.observe(EIGHT_MS + 10 * SECOND_MS, [row(0.7)], EIGHT_MS);
    print(EIGHT, 0.01, EIGHT_MS + MINUTE_MS);
    assert.equal(saved().at(-1)?.publishedPct, 0.01);
  });

  test('a settlement time that wanders by seconds is one settlement, and so is its print', () => {
    const { auditor, print, saved } = audited();
    auditor.observe(EIGHT_MS - 80 * SECOND_MS, [row(0.02, EIGHT_MS + 900)], EIGHT_MS);
    auditor.observe(EIGHT_MS - 10 * SECOND_MS, [row(0.01, EIGHT_MS - 400)], EIGHT_MS);
    auditor.observe(EIGHT_MS + 10 * SECOND_MS, [], EIGHT_MS);
    print(EIGHT + 1, 0.01, EIGHT_MS + MINUTE_MS);
    assert.deepEqual(
      saved().map(({ minute, earlierPct, printPct }) => [minute, earlierPct, printPct]),
      [
        [EIGHT, 0.02, null],
        [EIGHT, 0.02, 0.01],
      ],
    );
  });

  test('a moved settlement and one whose last rate is older than ten minutes are not expected', () => {
    const { auditor } = audited();
    auditor.observe(START_MS, [row(0.01, EIGHT_MS, 'MOVED'), row(0.01, EIGHT_MS, 'GONE')], START_MS);
    auditor.observe(START_MS + MINUTE_MS, [row(0.01, EIGHT_MS + 4 * HOUR_MS, 'MOVED')], START_MS);
    auditor.observe(EIGHT_MS + MINUTE_MS, [row(0.01, EIGHT_MS + 4 * HOUR_MS, 'MOVED')], START_MS);
    assert.equal(auditor.pendingCount, 1, 'GONE was published exactly ten minutes before');
    const { auditor: late } = audited();
    late.observe(START_MS - 1000, [row(0.01)], START_MS);
    late.observe(EIGHT_MS, [], START_MS);
    assert.equal(late.pendingCount, 0);
  });

  test('funding that accrues is compared hour by hour: rate × time of the print / interval', () => {
    const { auditor, print, saved } = audited();
    auditor.observe(EIGHT_MS - 10 * SECOND_MS, [row(0.08, null)], EIGHT_MS);
    auditor.observe(EIGHT_MS + 10 * SECOND_MS, [row(0.08, null)], EIGHT_MS);
    print(EIGHT - 60, 0.011, EIGHT_MS);
    print(EIGHT, 0.0101, EIGHT_MS + 60 * SECOND_MS);
    assert.equal(saved().at(-1)?.isAccrual, true);
    assert.equal(auditor.windows('OKX').figures(24, EIGHT).worstErrorBp, 0.01);
  });

  test('a print that does not come is missing after seven hours, and is filled in when it comes', () => {
    const { auditor, print } = audited();
    auditor.observe(EIGHT_MS - 10 * SECOND_MS, [row(0.01)], EIGHT_MS);
    auditor.observe(EIGHT_MS + 10 * SECOND_MS, [], EIGHT_MS);
    const at = (hours: number) => {
      const { comparisons, expected, missing } = auditor.windows('OKX').figures(24, EIGHT + hours * 60);
      return [comparisons, expected, missing];
    };
    assert.deepEqual(at(6.9), [0, 0, 0]);
    assert.deepEqual(at(7), [0, 1, 1]);
    print(EIGHT, 0.01, EIGHT_MS + 8 * HOUR_MS);
    assert.deepEqual(at(8), [1, 1, 0]);
    assert.deepEqual(at(24), [0, 0, 0], 'the window does not hold its own start');
  });

  test('what was stored comes back, replayed publications add nothing, and open settlements find their prints', () => {
    const first = audited();
    const publications: [number, PublishedRow[]][] = [
      [EIGHT_MS - 10 * SECOND_MS, [row(0.01), row(0.02, EIGHT_MS, 'ETHUSDT')]],
      [EIGHT_MS + SECOND_MS, []],
    ];
    for (const [asOfMs, rows] of publications) first.auditor.observe(asOfMs, rows, asOfMs);
    first.print(EIGHT, 0.011, EIGHT_MS + 30 * SECOND_MS);
    const stored = first.saved();
    const latest = new Map(stored.map((one) => [one.venueSymbol, one]));

    const sums = new SettlementSums();
    sums.put('OKX/ETHUSDT', [{ minute: EIGHT, ratePct: 0.02 }]);
    const second = new Auditor((key, minute, tolerance) => sums.find(key, minute, tolerance));
    second.restore('OKX', [...latest.values()], EIGHT_MS + MINUTE_MS);
    for (const [asOfMs, rows] of publications) second.observe(asOfMs, rows, null);
    second.settleRestored();
    const unsaved = second.takeUnsaved().get('OKX') ?? [];
    assert.deepEqual(
      unsaved.map(({ venueSymbol, printPct, delaySeconds }) => [venueSymbol, printPct, delaySeconds]),
      [['ETHUSDT', 0.02, null]],
    );
    assert.equal(second.windows('OKX').figures(24, EIGHT).comparisons, 2);
  });

  test('settlements that cannot be saved are given back, and the oldest dropped beyond a bound', () => {
    const { auditor } = audited();
    for (const [i, symbol] of ['A', 'B', 'C'].entries())
      auditor.observe(EIGHT_MS - (30 - i * 10) * SECOND_MS, [row(0.01, EIGHT_MS, symbol)], EIGHT_MS);
    auditor.observe(EIGHT_MS, [], EIGHT_MS);
    const taken = auditor.takeUnsaved().get('OKX') ?? [];
    assert.equal(taken.length, 3);
    assert.equal(auditor.putBack('OKX', taken, 2), 1);
    assert.deepEqual(
      auditor
        .takeUnsaved()
        .get('OKX')
        ?.map(({ venueSymbol }) => venueSymbol),
      ['B', 'C'],
    );
  });
});
