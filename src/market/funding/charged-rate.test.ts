import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stageMarket } from '../../../test/support/staged-market.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';

const SETTLED_MS = Date.UTC(2026, 8, 15, 16);
const NEXT_MS = SETTLED_MS + HOUR_MS;

/** A year of settlements, without fees. */
const yearPct = (row: { ratePct: number; intervalHours: number | null } | undefined) =>
  Math.round((row?.ratePct ?? Number.NaN) * (24 / (row?.intervalHours ?? Number.NaN)) * 365);

function stage(exchange: string, venueSymbol: string, intervalHours = 1) {
  const contract = stagedContract(venueSymbol, { intervalHours });
  const staged = stageMarket(exchange, [contract], SETTLED_MS - HOUR_MS);
  /** One reply, and the row that is published right after it. */
  const at = (seconds: number, ratePct: number, nextFundingAtMs: number, hours = intervalHours) => {
    const atMs = SETTLED_MS + seconds * SECOND_MS;
    const listed = stagedContract(venueSymbol, { intervalHours: hours });
    staged.known.set(venueSymbol, listed);
    staged.accept(
      {
        contractList: { part: 'all', contracts: [listed] },
        fundingQuotes: [stagedQuote(venueSymbol, ratePct, { nextFundingAtMs, intervalHours: hours })],
      },
      atMs,
    );
    return staged.rowOf(venueSymbol, atMs);
  };
  return { ...staged, at };
}

suite('the minute after a settlement', () => {
  test('Gate CVC_USDT shows the charged -0.0967 % beside the next time: a year of -847 % is never published', () => {
    const { at } = stage('Gate', 'CVC_USDT');
    assert.equal(yearPct(at(-10, -0.0978, SETTLED_MS)), -857);
    for (const seconds of [5, 20, 35, 50]) {
      const row = at(seconds, -0.0967, NEXT_MS);
      assert.deepEqual([row?.ratePct, row?.nextFundingAtMs], [-0.0978, NEXT_MS], `${seconds} s after`);
    }
    const row = at(64, -0.0762, NEXT_MS);
    assert.deepEqual([row?.ratePct, row?.nextFundingAtMs, yearPct(row)], [-0.0762, NEXT_MS, -668]);
  });

  test('Gate states rates every 5 s and times in another call: both wait', () => {
    const { accept, rowOf, stateOf } = stageMarket(
      'Gate',
      [stagedContract('CVC_USDT', { intervalHours: 1 })],
      SETTLED_MS - HOUR_MS,
    );
    const rate = (seconds: number, ratePct: number) => {
      const quote = stagedQuote('CVC_USDT', ratePct, { nextFundingAtMs: undefined });
      accept({ fundingQuotes: [quote] }, SETTLED_MS + seconds * SECOND_MS);
      return rowOf('CVC_USDT', SETTLED_MS + seconds * SECOND_MS);
    };
    const list = (seconds: number, nextFundingAtMs: number) =>
      accept(
        { fundingSchedules: [{ venueSymbol: 'CVC_USDT', intervalHours: 1, nextFundingAtMs }] },
        SETTLED_MS + seconds * SECOND_MS,
      );
    list(-100, SETTLED_MS);
    rate(-4, -0.0978);
    // A reply that was made just before the settlement, then the charged rate.
    for (const [seconds, ratePct] of [
      [1, -0.0975],
      [6, -0.0967],
      [11, -0.0967],
    ] as const)
      assert.equal(rate(seconds, ratePct)?.ratePct, -0.0978);
    list(15, NEXT_MS);
    for (const seconds of [16, 31, 46, 56]) {
      const row = rate(seconds, -0.0967);
      assert.deepEqual([row?.ratePct, row?.nextFundingAtMs], [-0.0978, NEXT_MS], `${seconds} s after`);
    }
    const row = rate(61, -0.0762);
    assert.deepEqual([row?.ratePct, row?.nextFundingAtMs], [-0.0762, NEXT_MS]);
    assert.equal(stateOf('CVC_USDT').rolls.length, 1);
  });

  test('a replica that shows the charged rate once more is not believed', () => {
    const { at } = stage('Gate', 'CVC_USDT');
    at(-10, -0.0978, SETTLED_MS);
    at(5, -0.0967, NEXT_MS);
    assert.equal(at(45, -0.0762, NEXT_MS)?.ratePct, -0.0762);
    assert.equal(at(50, -0.0967, NEXT_MS)?.ratePct, -0.0762);
    assert.equal(at(60, -0.0765, NEXT_MS)?.ratePct, -0.0765);
  });

  test('KuCoin repeats the old estimate for 20 s and then shows the charged rate for a minute', () => {
    const { at } = stage('KuCoin', 'CVCUSDTM');
    at(-10, -0.0978, SETTLED_MS);
    for (const [seconds, ratePct] of [
      [5, -0.0978],
      [20, -0.0978],
      [35, -0.0967],
      [50, -0.0967],
      [65, -0.0967],
      [79, -0.0967],
    ] as const) {
      const row = at(seconds, ratePct, NEXT_MS);
      assert.deepEqual([row?.ratePct, row?.nextFundingAtMs], [-0.0978, NEXT_MS], `${seconds} s after`);
    }
    assert.equal(at(81, -0.0762, NEXT_MS)?.ratePct, -0.0762);
  });

  test('a rate that stays the same is taken when the time is over: 65 s at Gate', () => {
    const { at } = stage('Gate', 'BTC_USDT', 8);
    at(-10, 0.01, SETTLED_MS);
    assert.equal(at(60, 0.01, SETTLED_MS + 8 * HOUR_MS)?.nextFundingAtMs, SETTLED_MS + 8 * HOUR_MS);
    const row = at(66, 0.01, SETTLED_MS + 8 * HOUR_MS);
    assert.deepEqual([row?.ratePct, row?.nextFundingAtMs], [0.01, SETTLED_MS + 8 * HOUR_MS]);
  });

  test('an interval that changes at the settlement waits with the rate: 8 h of -0.8 % is not taken for hourly', () => {
    const { at } = stage('Gate', 'CVC_USDT', 8);
    assert.equal(at(-10, -0.8, SETTLED_MS)?.intervalHours, 8);
    const held = at(5, -0.79, NEXT_MS, 1);
    assert.deepEqual([held?.ratePct, held?.intervalHours], [-0.8, 8]);
    const row = at(64, -0.1, NEXT_MS, 1);
    assert.deepEqual([row?.ratePct, row?.intervalHours], [-0.1, 1]);
  });

  test('the step to the next settlement is still observed', () => {
    const { at, stateOf } = stage('Gate', 'CVC_USDT');
    at(-10, -0.0978, SETTLED_MS);
    at(5, -0.0967, NEXT_MS);
    at(66, -0.0967, NEXT_MS);
    assert.deepEqual(stateOf('CVC_USDT').rolls, [
      { fromMs: SETTLED_MS, toMs: NEXT_MS, atMs: SETTLED_MS + 66 * SECOND_MS },
    ]);
  });

  test('a venue that gives the new estimate at once is believed at once (Bitget)', () => {
    const { at } = stage('Bitget', 'CVCUSDT');
    at(-10, -0.0978, SETTLED_MS);
    assert.equal(at(1, -0.0762, NEXT_MS)?.ratePct, -0.0762);
  });

  test('the first rate after an outage over a settlement is believed', () => {
    const { at } = stage('Gate', 'CVC_USDT');
    at(-3000, -0.0978, SETTLED_MS);
    assert.equal(at((3 * MINUTE_MS) / SECOND_MS, -0.0762, NEXT_MS)?.ratePct, -0.0762);
  });
});
