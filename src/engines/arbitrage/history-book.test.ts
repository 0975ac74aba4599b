import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Table } from '../../market/tables/table.ts';
import { FEE_FIGURES, GAP_FIGURES, HISTORY_FIGURES } from './histories.ts';
import { PairHistoryBook } from './history-book.ts';
import type { PrintSource } from './history-rebuild.ts';
import { PairMaker } from './pairs.ts';

const AS_OF_MS = Date.UTC(2026, 10, 14, 17, 5);
const TEN_MINUTES_MS = 600_000;
const HOURS = 33 * 24;

/** Hourly prints whose rates depend on the contract; `settle` adds one and `correct` changes one. */
class MadePrints implements PrintSource {
  readonly #versions = new Map<string, number>();
  readonly asOfMs: () => number;
  reads = 0;
  constructor(asOfMs: () => number) {
    this.asOfMs = asOfMs;
  }
  versionOf(key: string): number {
    return (this.#versions.get(key) ?? 1) + Math.floor(this.asOfMs() / HOUR_MS);
  }
  correct(key: string): void {
    this.#versions.set(key, (this.#versions.get(key) ?? 1) + 1);
  }
  widestPct = 0;
  gapOf(keyA: string, keyB: string) {
    return { lowPct: -keyA.length, highPct: keyB.length + this.widestPct, fromMs: AS_OF_MS };
  }
  printsOf(key: string) {
    this.reads++;
    const last = Math.floor(this.asOfMs() / HOUR_MS);
    const minutes = Array.from({ length: HOURS }, (_, i) => (last - HOURS + 1 + i) * 60);
    const corrected = this.#versions.get(key) ?? 1;
    return {
      minutes,
      ratesPct: minutes.map((minute) => Math.sin(minute * key.length + corrected) / 100),
      intervalMinutes: minutes.map(() => 60),
    };
  }
}

const valuesOf = (table: Table) =>
  Array.from({ length: table.rowCount }, (_, row) => [
    table.text('contract_a', row),
    table.text('contract_b', row),
    ...[...HISTORY_FIGURES, ...FEE_FIGURES, ...GAP_FIGURES].map((name) => table.numbers(name)[row]),
  ]);

suite('30-day figures of all pairs', () => {
  const setUp = (coins: number, exchanges: number) => {
    let nowMs = AS_OF_MS;
    const legs = madeLegs({
      coins: Array.from({ length: coins }, (_, i) => `COIN${i}`),
      exchanges: Array.from({ length: exchanges }, (_, i) => `Venue${i}`),
      asOfMs: AS_OF_MS,
    });
    const prints = new MadePrints(() => nowMs);
    const pairs = new PairMaker().pairsOf(legs);
    const refresh = (book: PairHistoryBook) => book.refresh(legs, pairs, prints, nowMs);
    return {
      prints,
      pairs,
      refresh,
      wait: (ms: number) => {
        nowMs += ms;
      },
    };
  };

  test('nothing is computed again while neither the hour nor a print has changed', () => {
    const { prints, pairs, refresh, wait } = setUp(3, 4);
    const book = new PairHistoryBook();
    assert.equal(refresh(book)?.rowCount, pairs.count);
    const { reads } = prints;
    wait(60_000);
    assert.equal(refresh(book), null);
    assert.equal(prints.reads, reads);
  });

  test('price gaps are read again after ten minutes, without computing the funding', () => {
    const { prints, refresh, wait } = setUp(3, 4);
    const book = new PairHistoryBook();
    const before = refresh(book);
    const { reads } = prints;
    prints.widestPct = 5;
    wait(TEN_MINUTES_MS);
    const after = refresh(book);
    assert.ok(before && after);
    assert.equal(prints.reads, reads);
    assert.deepEqual(
      Array.from(after.numbers('gapHighPct')),
      Array.from(before.numbers('gapHighPct'), (pct) => pct + 5),
    );
    assert.deepEqual(after.numbers('worstDayPct'), before.numbers('worstDayPct'));
  });

  test('a corrected print changes the pairs of its contract, as a new computation does', () => {
    const { prints, refresh } = setUp(3, 4);
    const book = new PairHistoryBook();
    const before = refresh(book);
    prints.correct('Venue1/COIN2USDT');
    const after = refresh(book);
    const anew = refresh(new PairHistoryBook());
    assert.ok(before && after && anew);
    assert.deepEqual(valuesOf(after), valuesOf(anew));
    const changed = valuesOf(after).filter((row, i) => String(row) !== String(valuesOf(before)[i]));
    assert.equal(changed.length, 3);
    assert.ok(changed.every(([a, b]) => a === 'Venue1/COIN2USDT' || b === 'Venue1/COIN2USDT'));
  });

  test('a large rebuild is spread over several refreshes and ends with the figures of a new one', () => {
    const { pairs, refresh, wait } = setUp(60, 16);
    assert.equal(pairs.count, 7200);
    const book = new PairHistoryBook();
    assert.ok(refresh(book), 'the first one is finished at once');
    wait(HOUR_MS);
    assert.equal(refresh(book), null, 'not finished');
    const table = refresh(book);
    const anew = refresh(new PairHistoryBook());
    assert.ok(table && anew);
    assert.deepEqual(valuesOf(table), valuesOf(anew));
    assert.equal(refresh(book), null, 'nothing has changed since');
  });
});
