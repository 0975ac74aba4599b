import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stageMarket } from '../../../test/support/staged-market.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { StillRows } from './still-rows.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const STEP_MS = 5 * MINUTE_MS;
const SYMBOLS = ['A', 'B', 'C', 'D', 'E', 'STILL'];

interface Row {
  ratePct: number;
  markPrice: number | null;
}

interface Watched {
  hours: number;
  /** What the venue sends of a contract in each step. */
  rowOf: (symbol: string, step: number) => Row;
  assetClass?: AssetClass;
}

/** A venue that is read every five minutes: the rows that stand still at the end. */
function stillAfter({ hours, rowOf, assetClass = 'crypto' }: Watched): string[] {
  const contracts = SYMBOLS.map((symbol) => stagedContract(symbol, { intervalHours: 1, assetClass }));
  const { accept, market } = stageMarket('Hyperliquid', contracts, START_MS);
  const stillRows = new StillRows();
  let found = new Set<string>();
  for (let step = 0; step * STEP_MS <= hours * HOUR_MS; step++) {
    const atMs = START_MS + step * STEP_MS;
    const rows = SYMBOLS.map((venueSymbol) => ({ venueSymbol, ...rowOf(venueSymbol, step) }));
    accept(
      {
        fundingQuotes: rows.map(({ venueSymbol, ratePct }) => stagedQuote(venueSymbol, ratePct)),
        marketFigures: rows.map(({ venueSymbol, markPrice }) => ({
          ...{ venueSymbol, markPrice, indexPrice: null, openInterestUsdt: null },
        })),
      },
      atMs,
    );
    found = stillRows.find(market.states(), atMs);
  }
  return [...found];
}

const moving = (step: number): Row => ({ ratePct: 0.001, markPrice: 10 + (step % 7) / 100 });
const oneStill = (symbol: string, step: number) => moving(symbol === 'STILL' ? 0 : step);

suite('rows that stand still', () => {
  test('one among moving rows is found after six hours, not before', () => {
    assert.deepEqual(stillAfter({ hours: 5.9, rowOf: oneStill }), []);
    assert.deepEqual(stillAfter({ hours: 6, rowOf: oneStill }), ['Hyperliquid/STILL']);
  });

  test('a pinned rate is no row that stands still while its price moves', () => {
    assert.deepEqual(stillAfter({ hours: 8, rowOf: (_symbol, step) => moving(step) }), []);
  });

  test('a rate that changes once is enough', () => {
    const rowOf = (symbol: string, step: number) =>
      symbol === 'STILL' ? { ...moving(0), ratePct: step < 60 ? 0.001 : 0.0011 } : moving(step);
    assert.deepEqual(stillAfter({ hours: 8, rowOf }), []);
  });

  test('when a third of the rows stand still, it is not a single row', () => {
    const rowOf = (symbol: string, step: number) => moving(['D', 'STILL'].includes(symbol) ? 0 : step);
    assert.deepEqual(stillAfter({ hours: 8, rowOf }), []);
  });

  test('stocks have closing hours', () => {
    assert.deepEqual(stillAfter({ hours: 8, rowOf: oneStill, assetClass: 'stock' }), []);
  });

  test('without a mark or index price a thin row cannot be told from one that stands still', () => {
    const rowOf = (symbol: string, step: number) =>
      symbol === 'STILL' ? { ratePct: 0.001, markPrice: null } : moving(step);
    assert.deepEqual(stillAfter({ hours: 8, rowOf }), []);
  });
});
