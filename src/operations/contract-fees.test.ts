import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { backtestOf, deepBook } from '../../test/backtest/books.ts';
import { ruleRows } from '../../test/backtest/setting.ts';
import { MadeMarket, type MadeQuote } from '../../test/support/made-market.ts';
import { DAY_MS } from '../base/times.ts';
import { exchangesTable } from '../engines/funding/catalogue.ts';
import { fundingTable } from '../engines/funding/table.ts';
import { rowsFromLegs } from '../engines/spreads/rows.ts';
import { SpreadTableBuilder } from '../engines/spreads/table-builder.ts';
import { VENUES } from '../venues/registry.ts';
import { dailySeries } from './funding-history/points.ts';
import type { SeriesContract } from './funding-history/series.ts';
import type { OperationContext } from './operation.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
/** Bybit charges 0.055 % on most contracts and 0.11 % in its Innovation Zone. */
const USUAL: MadeQuote = { exchange: 'Bybit', base: 'BTC', bid: 100.25, ask: 100.26, ratePct: 0.01 };
const INNOVATION: MadeQuote = { ...USUAL, takerFeePct: 0.11 };
const OTHER: MadeQuote = { exchange: 'Binance', base: 'BTC', bid: 99.99, ask: 100, ratePct: 0.01 };

function tablesOf(quotes: MadeQuote[]) {
  const made = new MadeMarket();
  for (let ago = 20; ago >= 0; ago--) made.hear(quotes, NOW_MS - ago * 1000);
  const funding = fundingTable(made.freezer.freeze(NOW_MS), new Map());
  const builder = new SpreadTableBuilder();
  const legsAt = (atMs: number) => builder.build(made.market.states(), made.freezer.identities, atMs).legs;
  for (let i = 0; i < 9; i++) legsAt(NOW_MS + i);
  return { funding, spreads: rowsFromLegs(legsAt(NOW_MS + 9), NOW_MS + 9) };
}

suite('a contract with a taker fee of its own', () => {
  test('APR is net of that fee: 10.95 % a year less 2 x 0.11 % instead of 2 x 0.055 %', () => {
    const aprOf = (quote: MadeQuote) => tablesOf([quote]).funding.numbers('apr_pct')[0];
    assert.equal(aprOf(USUAL), 10.84);
    assert.equal(aprOf(INNOVATION), 10.73);
  });

  test('a spread of 0.25 % covers 2 x (0.05 + 0.055) %, not 2 x (0.05 + 0.11) %', () => {
    const strengthOf = (quote: MadeQuote) => {
      const { spreads } = tablesOf([OTHER, quote]);
      const row = JSON.parse(spreads.rowJson(0)) as { spread_pct: number; strength: string };
      assert.equal(row.spread_pct, 0.25);
      return row.strength;
    };
    assert.notEqual(strengthOf(USUAL), strengthOf(INNOVATION));
  });

  test('the backtest charges it for every cycle: fee_pct_cycle 0.32 instead of 0.21', () => {
    const feeOf = (takerFeePct?: number) => {
      const books = (minute: number) => [
        deepBook('Alpha', 100),
        {
          ...deepBook('Beta', minute >= 180 && minute < 200 ? 101 : 100),
          ...(takerFeePct === undefined ? {} : { takerFeePct }),
        },
      ];
      const { engine } = backtestOf({ Alpha: 0.05, Beta: 0.055 }, 300, books);
      return ruleRows(engine, 100)[0]?.fee_pct_cycle;
    };
    assert.equal(feeOf(), 0.21);
    assert.equal(feeOf(0.11), 0.32);
  });

  test('daily points of the history are net of it, and the series says so', async () => {
    const day = Math.floor(NOW_MS / DAY_MS) - 1;
    const sums = [[{ day, sumPct: 0.03, coveredMinutes: 1440 }]];
    const data = { venues: VENUES, history: { reader: { days: () => sums } } };
    const window = { fromMs: day * DAY_MS, toMs: NOW_MS, visibleMs: NOW_MS };
    const figuresOf = async (takerFeePct: number) => {
      const held = { id: 1, heldSinceMs: day * DAY_MS, lastPrintMs: day * DAY_MS };
      const contract = { exchange: 'Bybit', symbol: 'BTC-USDT', isLive: true, takerFeePct, held };
      const [series] = await dailySeries(
        [contract as unknown as SeriesContract],
        window as Parameters<typeof dailySeries>[1],
        'asc',
        10,
        { data } as unknown as OperationContext,
      );
      return [series?.daily?.[0]?.apr_pct, series?.taker_fee_pct];
    };
    assert.deepEqual(await figuresOf(0.11), [10.73, 0.11]);
    assert.deepEqual(await figuresOf(0.055), [10.84, 0.055]);
  });
});

suite('the leverage of a venue', () => {
  test('is the largest of its contracts: Bybit 150 (BTCUSDT), and the fact where no list has one', () => {
    const { funding } = tablesOf([
      { ...USUAL, maxLeverage: 150 },
      { ...USUAL, base: 'FART', maxLeverage: 12.5 },
      OTHER,
    ]);
    const table = exchangesTable(funding, VENUES, 'https://example.org');
    const leverage = (exchange: string) => {
      const row = VENUES.findIndex((venue) => venue.facts.exchange === exchange);
      return table.numbers('max_leverage')[row];
    };
    assert.equal(leverage('Bybit'), 150);
    assert.equal(leverage('Binance'), 125);
    assert.equal(leverage('Gate'), 200, 'the fact: no contract of Gate is in this market');
  });
});
