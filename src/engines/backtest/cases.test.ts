import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { backtestOf, deepBook, type VenueBook } from '../../../test/backtest/books.ts';
import { ruleRows, START_MINUTE } from '../../../test/backtest/setting.ts';
import { SIZES_USD } from '../../history/samples/model.ts';

const FEES = { Alpha: 0.05, Beta: 0.05, Gamma: 0.05, Delta: 0.05 };
/** Three calm hours, which give the median its values. */
const CALM_MINUTES = 180;
const HOURS = 60;
const near = (actual: number | undefined, expected: number, what: string) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 0.0005, `${what}: ${actual}, expected ${expected}`);
const atMs = (minute: number) => (START_MINUTE + minute) * 60_000;

/** Beta is one percent more expensive for a while, Alpha is unchanged. */
const oneEpisode =
  (untilMinute: number, deviated = 101) =>
  (minute: number): VenueBook[] => [
    deepBook('Alpha', 100),
    deepBook('Beta', minute >= CALM_MINUTES && minute < untilMinute ? deviated : 100),
  ];

suite('backtest cases computed by hand', () => {
  test('one perfect cycle', () => {
    const { engine } = backtestOf(FEES, 300, oneEpisode(CALM_MINUTES + 20));
    for (const sizeUsd of SIZES_USD) {
      const [row, ...others] = ruleRows(engine, sizeUsd);
      assert.deepEqual(others, []);
      // entry (100.9899 - 100.01) / 100.01 = 0.9798 %, exit (99.99 - 100.01) / 100.01 = -0.0200 %, fee 0.2 %
      near(row?.est_profit_pct, 0.9798 - 0.02 - 0.2, 'est_profit_pct');
      near(row?.avg_profit_pct, 0.9798 - 0.02 - 0.2, 'avg_profit_pct');
      assert.equal(row?.fee_pct_cycle, 0.2);
      assert.equal(row?.cycles, 1);
      assert.equal(row?.last_cycle_at, atMs(CALM_MINUTES + 20));
      assert.equal(row?.symbol, 'BTC-USDT');
      assert.deepEqual([row?.exchange_a, row?.exchange_b], ['Alpha', 'Beta']);
    }
  });

  test('a cycle closed at a loss by the 24 h limit', () => {
    const { engine } = backtestOf(FEES, CALM_MINUTES + 24 * HOURS + 1, (minute) => [
      deepBook('Alpha', 100),
      deepBook('Beta', minute < CALM_MINUTES ? 100 : minute < CALM_MINUTES + 10 * HOURS ? 101 : 102),
    ]);
    const [row] = ruleRows(engine, 100);
    // exit after 24 h: (99.99 - 102.0102) / 102.0102 = -1.9804 %
    near(row?.est_profit_pct, 0.9798 - 1.9804 - 0.2, 'est_profit_pct');
    assert.equal(row?.last_cycle_at, atMs(CALM_MINUTES + 24 * HOURS));
    assert.equal(row?.cycles, 1);
    assert.equal(row?.confidence, 0, 'no win, no confidence');
  });

  test('one minute before the limit the cycle is still open', () => {
    const { engine } = backtestOf(FEES, CALM_MINUTES + 24 * HOURS, oneEpisode(100_000));
    assert.deepEqual(ruleRows(engine, 100), []);
  });

  test('a book too thin for 500 USD but not for 100', () => {
    const thin = (minute: number): VenueBook => {
      const mid = minute >= CALM_MINUTES && minute < CALM_MINUTES + 20 ? 101 : 100;
      return {
        exchange: 'Beta',
        base: 'BTC',
        quote: 'USDT',
        bids: [
          [mid * 0.9999, 0.5],
          [mid * 0.999, 1.5],
        ],
        asks: [
          [mid * 1.0001, 0.5],
          [mid * 1.001, 1.5],
        ],
      };
    };
    const { engine, outcomes } = backtestOf(FEES, 300, (minute) => [deepBook('Alpha', 100), thin(minute)]);
    near(ruleRows(engine, 25)[0]?.est_profit_pct, 0.7598, '25 USD fill at the top');
    const [at100] = ruleRows(engine, 100);
    // 50 USD at the top, 50 USD 0.09 % further out: half of that is lost on entry and on exit.
    near(at100?.est_profit_pct, 0.7598 - 2 * 0.045, '100 USD go deeper');
    assert.deepEqual(ruleRows(engine, 500), []);
    assert.equal(outcomes.get('Beta')?.get('partial'), 1);
    assert.equal(outcomes.get('Alpha')?.get('top'), 1);
  });

  test('a top without sizes is priced from the book', () => {
    const { engine, outcomes } = backtestOf(FEES, 300, (minute) =>
      oneEpisode(CALM_MINUTES + 20)(minute).map((book) => ({ ...book, hasNoSizes: true })),
    );
    near(ruleRows(engine, 500)[0]?.est_profit_pct, 0.7598, 'est_profit_pct');
    assert.equal(outcomes.get('Beta')?.get('book'), 1);
  });

  test('fees larger than the spread', () => {
    const { engine } = backtestOf({ Alpha: 0.3, Beta: 0.25 }, 300, oneEpisode(CALM_MINUTES + 20));
    for (const sizeUsd of SIZES_USD) assert.deepEqual(ruleRows(engine, sizeUsd), []);
  });

  test('a venue without samples for six hours: the cycle closes with the first price afterwards', () => {
    const backAt = CALM_MINUTES + 10 + 6 * HOURS;
    const { engine } = backtestOf(FEES, backAt + 60, (minute) => {
      const books = oneEpisode(CALM_MINUTES + 20)(minute);
      return minute >= CALM_MINUTES + 10 && minute < backAt ? books.slice(0, 1) : books;
    });
    const [row] = ruleRows(engine, 100);
    assert.equal(row?.cycles, 1);
    assert.equal(row?.last_cycle_at, atMs(backAt));
    near(row?.est_profit_pct, 0.7598, 'est_profit_pct');
  });

  test('a venue without samples beyond the limit: the cycle closes with the first price, even at a loss', () => {
    const backAt = CALM_MINUTES + 10 + 30 * HOURS;
    const { engine } = backtestOf(FEES, backAt + 1, (minute) => {
      const books = oneEpisode(100_000)(minute);
      return minute >= CALM_MINUTES + 10 && minute < backAt ? books.slice(0, 1) : books;
    });
    const [row] = ruleRows(engine, 100);
    assert.equal(row?.last_cycle_at, atMs(backAt));
    // exit (99.99 - 101.0101) / 101.0101 = -1.0100 %
    near(row?.est_profit_pct, 0.9798 - 1.01 - 0.2, 'est_profit_pct');
  });

  test('two coins under one ticker make no pair', () => {
    const { engine, contracts, outcomes } = backtestOf(FEES, 300, (minute) => [
      ...oneEpisode(CALM_MINUTES + 20)(minute),
      deepBook('Gamma', 100),
      deepBook('Delta', minute % 2 === 0 ? 4 : 4.2),
    ]);
    assert.equal(outcomes.get('Delta')?.get('outlier'), 1);
    assert.ok(!contracts.some((contract) => contract.exchange === 'Delta'));
    for (const row of ruleRows(engine, 100))
      assert.ok(row.exchange_a !== 'Delta' && row.exchange_b !== 'Delta');
    assert.equal(ruleRows(engine, 100).length, 2, 'Alpha and Gamma against Beta');
  });

  test('two coins under one ticker on two venues: neither is identified, so both are left out', () => {
    const { engine, contracts } = backtestOf(FEES, 300, () => [deepBook('Alpha', 100), deepBook('Beta', 4)]);
    assert.deepEqual(contracts, []);
    assert.deepEqual(ruleRows(engine, 25), []);
  });

  test('1000PEPE against PEPE: prices are per coin', () => {
    const { engine } = backtestOf(FEES, 300, (minute) => {
      const price = 0.0000117;
      const deviated = minute >= CALM_MINUTES && minute < CALM_MINUTES + 20 ? 1.01 : 1;
      return [
        deepBook('Alpha', price, { base: 'PEPE' }),
        deepBook('Beta', price * 1000 * deviated, { base: '1000PEPE' }),
      ];
    });
    const rows = ruleRows(engine, 500);
    assert.equal(rows.length, 1);
    assert.deepEqual([rows[0]?.coin, rows[0]?.symbol], ['PEPE', 'PEPE-USDT']);
    near(rows[0]?.est_profit_pct, 0.7598, 'est_profit_pct');
  });

  test('a USDC leg against a USDT leg: both in USDT', () => {
    const usdcInUsdt = 0.998;
    const { engine } = backtestOf(FEES, 300, (minute) => {
      const deviated = minute >= CALM_MINUTES && minute < CALM_MINUTES + 20 ? 101 : 100;
      return [
        deepBook('Alpha', 100),
        deepBook('Beta', deviated / usdcInUsdt, { quote: 'USDC' }),
        // The venue that quotes a coin in both gives the USDC rate.
        deepBook('Gamma', 3000, { base: 'ETH' }),
        deepBook('Gamma', 3000 / usdcInUsdt, { base: 'ETH', quote: 'USDC' }),
      ];
    });
    const rows = ruleRows(engine, 100);
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.symbol, 'BTC-USD');
    near(rows[0]?.est_profit_pct, 0.7598, 'as if both were in USDT');
  });

  test('a venue with both quotes is in the row with the leg that shares the other venue’s quote', () => {
    const { engine } = backtestOf(FEES, 300, (minute) => {
      const [alpha, beta] = oneEpisode(CALM_MINUTES + 20)(minute);
      if (!alpha || !beta) return [];
      return [deepBook('Alpha', 100, { quote: 'USDC' }), alpha, beta];
    });
    const rows = ruleRows(engine, 100);
    assert.deepEqual(
      rows.map((row) => [row.symbol, row.cycles]),
      [['BTC-USDT', 1]],
    );
  });

  test('under two hours of samples nothing opens', () => {
    const { engine } = backtestOf(FEES, 119, (minute) => [
      deepBook('Alpha', 100),
      deepBook('Beta', minute % 30 < 15 ? 100 : 103),
    ]);
    assert.deepEqual(ruleRows(engine, 25), []);
  });
});
