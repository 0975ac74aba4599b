import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { markdownTable } from '../../../test/backtest/markdown-table.ts';
import { cyclesOf, type ReferenceInput, referenceRows } from '../../../test/backtest/reference.ts';
import { contractsOf, minute, ruleRows, usualRule, walked } from '../../../test/backtest/setting.ts';
import { type MinuteSample, minuteOf, msOfMinute } from '../../history/samples/model.ts';
import { fillPrice } from '../../market/depth/fill-price.ts';
import { BACKTEST_TABLES } from './rows.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/backtest.md'), 'utf8');
const MINUTE_ZERO = minuteOf(Date.UTC(2026, 10, 1));
const [A, B] = contractsOf([
  ['A', 'BTC', 'USDT'],
  ['B', 'BTC', 'USDT'],
]);
const SIZE_100 = 1;
const eight = (value: number) => Number(value.toFixed(8)) + 0;

/** The page's table of prices by minute. "none": the venue has no sample. */
function pageSamples(): MinuteSample[] {
  return markdownTable(PAGE, 'From minute').flatMap((row) => {
    const leg = (buy: string, sell: string) =>
      row[buy] === 'none' ? null : [Number(row[sell]), Number(row[buy])];
    const [a, b] = [leg('Buy A', 'Sell A'), leg('Buy B', 'Sell B')];
    const [from, to] = [Number(row['From minute']), Number(row['To minute'])];
    return Array.from({ length: to - from + 1 }, (_, i) =>
      minute(MINUTE_ZERO + from + i, { ...(a ? { 1: a } : {}), ...(b ? { 2: b } : {}) }),
    );
  });
}

suite('the worked example of docs/backtest.md', () => {
  let input: ReferenceInput;
  before(() => {
    input = {
      rule: usualRule(),
      contracts: [A, B].filter((contract) => contract !== undefined),
      takerFeesPct: { A: 0.05, B: 0.05 },
      samples: pageSamples(),
    };
  });

  test('has every minute of seven days once, with prices that are exact in single precision', () => {
    const minutes = input.samples.map((sample) => sample.minute - MINUTE_ZERO);
    assert.deepEqual(minutes, [...Array(7 * 1440 + 1).keys()]);
    for (const row of markdownTable(PAGE, 'From minute'))
      for (const name of ['Buy A', 'Sell A', 'Buy B', 'Sell B'])
        if (row[name] !== 'none') assert.equal(Math.fround(Number(row[name])), Number(row[name]), name);
  });

  test('the engine has its cycles', () => {
    const documented = markdownTable(PAGE, 'Opens').map((row) => ({
      direction: row.Long === 'A' ? 0 : 1,
      openMinute: Number(row.Opens),
      closeMinute: Number(row.Closes),
      profitPct: Number(row.Profit),
    }));
    const found = walked(input)
      .cycles.all.filter((cycle) => cycle.place % 3 === SIZE_100)
      .map(({ direction, openMinute, closeMinute, profitPct }) => ({
        direction,
        openMinute: openMinute - MINUTE_ZERO,
        closeMinute: closeMinute - MINUTE_ZERO,
        profitPct: eight(profitPct),
      }));
    assert.deepEqual(found, documented);
  });

  test('the reference has its cycles, with every entry, median and exit', () => {
    assert.ok(A && B);
    const documented = markdownTable(PAGE, 'Opens').map((row) =>
      [row.Opens, row.Closes, row.Long, row.Entry, row['m at opening'], row.Exit, row.Profit].join(' '),
    );
    const found = [
      { long: 'A', cycles: cyclesOf(input, A, B, SIZE_100) },
      { long: 'B', cycles: cyclesOf(input, B, A, SIZE_100) },
    ].flatMap(({ long, cycles }) =>
      cycles.map((cycle) =>
        [
          cycle.openMinute - MINUTE_ZERO,
          cycle.closeMinute - MINUTE_ZERO,
          long,
          ...[cycle.entryPct, cycle.targetPct, cycle.exitPct, cycle.profitPct].map(eight),
        ].join(' '),
      ),
    );
    assert.deepEqual(found, documented);
  });

  test('the engine and the reference have its row', () => {
    const documented = Object.fromEntries(
      markdownTable(PAGE, 'Field', 'Value').map((row) => [row.Field?.replaceAll('`', ''), row.Value]),
    );
    const [byEngine, byReference] = [ruleRows(walked(input), 100), referenceRows(input, SIZE_100)];
    for (const [who, rows] of Object.entries({ byEngine, byReference })) {
      assert.equal(rows.length, 1, who);
      const { symbol, coin, exchange_a, exchange_b, last_cycle_at, ...figures } = rows[0] ?? ({} as never);
      assert.deepEqual([symbol, coin, exchange_a, exchange_b], ['BTC-USDT', 'BTC', 'A', 'B']);
      assert.deepEqual(
        {
          ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])),
          last_cycle_at: new Date(last_cycle_at).toISOString().replace('.000', ''),
        },
        documented,
        who,
      );
    }
    assert.equal(byEngine[0]?.last_cycle_at, msOfMinute(MINUTE_ZERO + 8700));
  });

  test('the intermediate numbers of the confidence are right', () => {
    const profits = markdownTable(PAGE, 'Opens').map((row) => Number(row.Profit));
    const [p0 = 0, p1 = 0, p2 = 0, p3 = 0] = profits.toSorted((x, y) => x - y);
    assert.ok(PAGE.includes(`Profits in ascending order: ${[p0, p1, p2, p3].join(', ')}.`));
    const [p25, p75] = [p0 + 0.75 * (p1 - p0), p2 + 0.25 * (p3 - p2)];
    const dispersion = (p75 - p25) / ((p1 + p2) / 2);
    const confidence = (100 * (9720 / 10080) * 0.75 * (4 / 9)) / (1 + dispersion);
    for (const value of [p25, p75, dispersion, 9720 / 10080].map((number) => number.toFixed(8)))
      assert.ok(PAGE.includes(` ${Number(value)}`), `${value} is not on the page`);
    assert.ok(PAGE.includes(` = ${confidence.toFixed(1)}\n`), `confidence ${confidence}`);
  });
});

suite('the rule in the documents', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/developers.md'), 'utf8');
  const rule = usualRule();

  test('has the parameters of the engine', () => {
    const [hours, days] = [rule.medianMinutes / 60, rule.windowMinutes / 1440];
    assert.deepEqual([hours, days, rule.limitMinutes], [24, 7, rule.medianMinutes]);
    for (const page of [PAGE, guide]) {
      assert.ok(page.includes(`at least ${rule.leastProfitPct}`));
      assert.match(page, new RegExp(`${hours} h.* at least ${rule.medianMinimum} (values|minutes)`));
      assert.ok(page.includes('last seven days'));
    }
  });

  test('every field of a row is explained', () => {
    for (const { name } of BACKTEST_TABLES[100].columns) {
      const isNamed = ['symbol', 'coin', 'exchange_a', 'exchange_b'].includes(name);
      assert.ok(PAGE.includes(`\`${name}\``) || isNamed, name);
    }
  });
});

suite('the book of docs/backtest.md', () => {
  const levels = markdownTable(PAGE, 'Price', 'Size').map((row): [number, number] => [
    Number(row.Price),
    Number(row.Size),
  ]);

  for (const row of markdownTable(PAGE, 'Order in USD')) {
    const [order, documented] = [Number(row['Order in USD']), row['Average price']];
    test(`${order} USD fill at ${documented}`, () => {
      const price = fillPrice(levels, order, true);
      assert.equal(price === null ? 'none' : String(eight(price)), documented);
    });
  }

  test('its values are price times size', () => {
    for (const row of markdownTable(PAGE, 'Price', 'Size'))
      assert.equal(eight(Number(row.Price) * Number(row.Size)), Number(row['Value in USD']));
  });
});
