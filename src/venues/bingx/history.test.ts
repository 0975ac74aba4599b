import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import type { SendRequest } from '../venue.ts';
import { parseFundingRates, requestSettlements } from './history.ts';
import { bingx } from './venue.ts';

const NEXT_MS = 1_794_700_800_000;
const LINEAR: Contract = {
  venueSymbol: 'BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  settle: 'USDT',
  isInverse: false,
  contractSize: 1,
  status: 'trading',
  venueStatus: '1',
  assetClass: 'crypto',
  listedAtMs: null,
  delistsAtMs: null,
  maxLeverage: null,
  intervalHours: null,
};
const INVERSE: Contract = { ...LINEAR, venueSymbol: 'BTC-USD', quote: 'USD', settle: 'BTC', isInverse: true };

suite('BingX settled prints', () => {
  const print = (settledAtMs: number, fundingRate: unknown = '0.00010000') => ({
    symbol: 'BTC-USDT',
    fundingRate,
    fundingTime: settledAtMs,
    markPrice: '96420.1',
  });
  const hourly = (newestMs: number, count: number) =>
    Array.from({ length: count }, (_, i) => print(newestMs - i * HOUR_MS));
  /** Answers the calls in turn and records their end times. */
  function answering(answers: unknown[]): { send: SendRequest; requested: unknown[] } {
    const requested: unknown[] = [];
    const send: SendRequest = async ({ query }) => {
      requested.push(query?.endTime ?? null);
      return {
        payload: { code: 0, msg: '', data: answers[requested.length - 1] ?? null },
        receivedAtMs: NEXT_MS,
      };
    };
    return { send, requested };
  }

  test('a full page continues below its oldest timestamp, whatever the interval; a short one ends', () => {
    const window = { fromMs: NEXT_MS - 100 * HOUR_MS, toMs: NEXT_MS };
    const page = parseFundingRates(hourly(NEXT_MS, 5), window, 5);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: NEXT_MS - 4 * HOUR_MS - 1 });
    assert.equal(parseFundingRates(hourly(NEXT_MS, 5), window, 6).next, null);
    const short = { fromMs: NEXT_MS - 4 * HOUR_MS, toMs: NEXT_MS };
    assert.equal(parseFundingRates(hourly(NEXT_MS, 5), short, 5).next, null);
  });

  test('a bad print is rejected and the others are kept; prints outside the window are left out', () => {
    const rows = [print(NEXT_MS + HOUR_MS), print(NEXT_MS, null), print(NEXT_MS - HOUR_MS, '0')];
    const page = parseFundingRates(rows, { fromMs: 0, toMs: NEXT_MS }, 1000);
    assert.deepEqual(page.rejected, [{ venueSymbol: 'BTC-USDT', reason: 'no rate or time' }]);
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTC-USDT', ratePct: 0, settledAtMs: NEXT_MS - HOUR_MS },
    ]);
  });

  test('null for an end in the running period is retried without an end', async () => {
    const { send, requested } = answering([null, hourly(NEXT_MS, 3)]);
    const window = { fromMs: NEXT_MS - 2 * HOUR_MS, toMs: NEXT_MS + 5 };
    const page = await requestSettlements(LINEAR, window, send);
    assert.deepEqual([page.settlements.length, page.next, requested], [3, null, [NEXT_MS + 5, null]]);
  });

  test('null without a reason in the middle of a history makes no hole', async () => {
    const toMs = NEXT_MS - 500 * HOUR_MS;
    const { send, requested } = answering([null, hourly(NEXT_MS, 11), hourly(toMs, 11)]);
    const page = await requestSettlements(LINEAR, { fromMs: toMs - 10 * HOUR_MS, toMs }, send);
    assert.equal(page.settlements.length, 11);
    assert.deepEqual(requested, [toMs, null, toMs]);
  });

  test('null before the first print is the end of the history', async () => {
    const toMs = NEXT_MS - 5000 * HOUR_MS;
    const { send } = answering([null, hourly(NEXT_MS, 11), null]);
    const page = await requestSettlements(LINEAR, { fromMs: toMs - 10 * HOUR_MS, toMs }, send);
    assert.deepEqual([page.settlements, page.next], [[], null]);
  });

  test('coin-M has no call for settled prints, so none is made', async () => {
    const { send, requested } = answering([]);
    const page = await bingx.settlements(
      INVERSE,
      { fromMs: 0, toMs: NEXT_MS },
      { send, contracts: new Map() },
    );
    assert.deepEqual([page.settlements, page.next, requested], [[], null, []]);
  });
});
