import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ShapeError } from '../base/parsing.ts';
import type { VenueReport } from './health.ts';
import { parseVenueReport } from './parse-report.ts';

const REPORT: VenueReport = {
  exchange: 'OKX',
  slug: 'okx',
  contracts: 250,
  lastGoodAtMs: 1_794_000_000_000,
  sources: [
    { name: 'instruments', lastGoodAtMs: null, failuresInARow: 2, lastFailure: 'timeout' },
    { name: 'tickers', lastGoodAtMs: 1_794_000_000_000, failuresInARow: 0, lastFailure: null },
  ],
  rejected: { 'no instId': 1 },
  ignored: { 'dated future': 12 },
  callsPerMinute: 31,
  budgets: [{ name: 'ip', spent: 4, capacity: 20, windowSeconds: 2, usedPerMinute: 62, limitPerMinute: 600 }],
  quarantined: { 'rate above the cap of the venue': 1 },
};

suite('venue report from another process', () => {
  test('a report survives the way through JSON unchanged', () => {
    assert.deepEqual(parseVenueReport(JSON.parse(JSON.stringify(REPORT)), 'report'), REPORT);
  });

  test('a report without data yet has null as the time of its last data', () => {
    assert.equal(parseVenueReport({ ...REPORT, lastGoodAtMs: null }, 'report').lastGoodAtMs, null);
  });

  for (const [name, value] of [
    ['null', null],
    ['a text', 'okx'],
    ['a list', [REPORT]],
    ['no slug', { ...REPORT, slug: undefined }],
    ['an exchange that is a number', { ...REPORT, exchange: 7 }],
    ['contracts as text', { ...REPORT, contracts: '250' }],
    ['calls per minute as null', { ...REPORT, callsPerMinute: null }],
    ['a missing time of the last data', { ...REPORT, lastGoodAtMs: undefined }],
    ['sources that are no list', { ...REPORT, sources: {} }],
    ['a source without a name', { ...REPORT, sources: [{ ...REPORT.sources[0], name: undefined }] }],
    ['a failure that is a number', { ...REPORT, sources: [{ ...REPORT.sources[0], lastFailure: 429 }] }],
    ['budgets that are no list', { ...REPORT, budgets: null }],
    ['a budget without its limit', { ...REPORT, budgets: [{ ...REPORT.budgets[0], limitPerMinute: null }] }],
    ['counts that are a list', { ...REPORT, rejected: [] }],
    ['a count that is text', { ...REPORT, quarantined: { reason: '1' } }],
  ] as const) {
    test(`${name} is refused`, () => assert.throws(() => parseVenueReport(value, 'report'), ShapeError));
  }
});
