import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket } from '../../../test/support/made-market.ts';
import { SpreadPrinter } from './print.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
const COINS = 40;
const EXCHANGES = ['Binance', 'OKX', 'Bybit'];

/** All venues quote coin N at N + 1 times the factor. */
const quotes = (factor: number) =>
  EXCHANGES.flatMap((exchange) =>
    Array.from({ length: COINS }, (_, coin) => ({
      exchange,
      base: `COIN${coin}`,
      bid: (coin + 1) * factor,
      ask: (coin + 1) * factor * 1.0001,
    })),
  );

suite('a live print in steps', () => {
  for (const kind of ['the first print, which orders all legs', 'a later print'])
    test(`${kind}: all legs are of the time at which it began, whatever venues say between the steps`, () => {
      const made = new MadeMarket();
      made.hear(quotes(1), NOW_MS);
      made.freezer.freeze(NOW_MS);
      const { freezer } = made;
      const printer = new SpreadPrinter();
      if (kind === 'a later print') printer.print(freezer.statesAt(NOW_MS), freezer.identities, NOW_MS);
      const steps = printer.steps(freezer.statesAt(NOW_MS + 1000), freezer.identities, NOW_MS + 1000);
      let factor = 2;
      let step = steps.next();
      for (; !step.done; step = steps.next()) made.hear(quotes(factor++), NOW_MS);
      const { legs, rows } = step.value;
      assert.ok(factor > 5, 'the print has several steps');
      assert.equal(rows.rowCount, 3 * COINS);
      const bids = legs.numbers('bid');
      const factors = new Set(
        Array.from({ length: legs.rowCount }, (_, leg) =>
          Math.round((bids[leg] as number) / (Number(legs.text('coin', leg).slice(4)) + 1)),
        ),
      );
      assert.deepEqual([...factors], [1], `prices of ${[...factors].join(' and ')} times the first ones`);
      for (let row = 0; row < rows.rowCount; row++)
        assert.equal(rows.cell('bid_a')(row), rows.cell('bid_b')(row), rows.rowJson(row));
    });
});
