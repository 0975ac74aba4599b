import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../base/times.ts';
import { BadReply } from '../reading.ts';
import { parseHistoryPage, walkHistory } from './history.ts';

const NEXT_MS = 1_794_700_800_000;
const RECEIVED_MS = NEXT_MS + 700;

suite('HTX settled prints', () => {
  const window = { fromMs: NEXT_MS - 400 * HOUR_MS, toMs: NEXT_MS };
  const print = (settledAtMs: number, rates: object = {}) => ({
    contract_code: 'NVDA-USDT',
    funding_rate: '0.000100000000000000',
    realized_rate: null,
    funding_time: String(settledAtMs),
    ...rates,
  });
  const reply = (currentPage: number, totalPages: number, data: object[]) => ({
    status: 'ok',
    data: { total_page: totalPages, current_page: currentPage, total_size: 1, data },
  });

  test('the realised rate wins where it is given, zero too', () => {
    const rows = [
      print(NEXT_MS, { realized_rate: '0.00005' }),
      print(NEXT_MS - HOUR_MS, { realized_rate: '0' }),
    ];
    const page = parseHistoryPage(reply(1, 1, [...rows, print(NEXT_MS - 2 * HOUR_MS)]), window);
    assert.deepEqual(
      page.settlements.map((settlement) => settlement.ratePct),
      [0.005, 0, 0.01],
    );
  });

  test('a bad print is rejected, prints outside the window are left out', () => {
    const rows = [print(NEXT_MS + HOUR_MS), print(NEXT_MS, { funding_rate: null }), print(NEXT_MS - HOUR_MS)];
    const page = parseHistoryPage(reply(1, 1, rows), window);
    assert.deepEqual(page.rejected, [{ venueSymbol: 'NVDA-USDT', reason: 'no rate or time' }]);
    assert.deepEqual(
      page.settlements.map((settlement) => settlement.settledAtMs),
      [NEXT_MS - HOUR_MS],
    );
  });

  /** Hourly prints, ten on a page, newest first; `shift` more have settled since. */
  const pageOf = (pageIndex: number, shift = 0) =>
    reply(
      pageIndex,
      30,
      Array.from({ length: 10 }, (_, i) => print(NEXT_MS - ((pageIndex - 1) * 10 + i - shift) * HOUR_MS)),
    );

  test('a walk continues with the page after the last, by the returned timestamps', async () => {
    const requested: number[] = [];
    const send = async (pageIndex: number) => {
      requested.push(pageIndex);
      return { payload: pageOf(pageIndex), receivedAtMs: RECEIVED_MS };
    };
    const first = await walkHistory(window, send);
    assert.deepEqual(first.next, {
      fromMs: window.fromMs,
      toMs: NEXT_MS - 9 * HOUR_MS - 1,
      cursor: '2',
    });
    const second = await walkHistory(first.next ?? window, send);
    assert.equal(second.settlements[0]?.settledAtMs, NEXT_MS - 10 * HOUR_MS);
    assert.deepEqual(requested, [1, 2]);
  });

  test('a walk without a cursor skips the pages that are too new, and a print that settled meanwhile costs none', async () => {
    const toMs = NEXT_MS - 25 * HOUR_MS;
    const requested: number[] = [];
    const page = await walkHistory({ fromMs: window.fromMs, toMs }, async (pageIndex) => {
      requested.push(pageIndex);
      return { payload: pageOf(pageIndex, 1), receivedAtMs: RECEIVED_MS };
    });
    assert.deepEqual(requested, [1, 2, 3]);
    assert.equal(page.settlements[0]?.settledAtMs, toMs);
  });

  test('a walk ends with the window or with the last page', async () => {
    const answer = (payload: unknown) => async () => ({ payload, receivedAtMs: RECEIVED_MS });
    const short = { fromMs: NEXT_MS - 3 * HOUR_MS, toMs: NEXT_MS };
    const page = await walkHistory(short, answer(pageOf(1)));
    assert.deepEqual([page.settlements.length, page.next], [4, null]);
    const last = await walkHistory(window, answer(reply(1, 1, [print(NEXT_MS)])));
    assert.deepEqual([last.settlements.length, last.next], [1, null]);
    const none = await walkHistory(window, answer(reply(1, 0, [])));
    assert.deepEqual([none.settlements.length, none.next], [0, null]);
  });

  test('pages that do not go back are a bad reply, not an endless walk', async () => {
    const old = { fromMs: 0, toMs: NEXT_MS - 300 * HOUR_MS };
    const always = async () => ({ payload: pageOf(1), receivedAtMs: RECEIVED_MS });
    await assert.rejects(walkHistory(old, always), BadReply);
  });
});
