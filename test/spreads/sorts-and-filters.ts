import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { SpreadMarket } from '../../bench/collecting/spread-market.ts';
import { rowsFromLegs } from '../../src/engines/spreads/rows.ts';
import { SPREADS_TABLE } from '../../src/engines/spreads/table.ts';
import { SpreadTableBuilder } from '../../src/engines/spreads/table-builder.ts';
import { spreads } from '../../src/operations/spreads.ts';
import { type CalledAnswer, type OperationCaller, operationCaller } from '../query/operation-caller.ts';

type Row = CalledAnswer['data'][number];
const PAGE = '500';
const nameOf = (row: Row) => `${row.coin} ${row.exchange_a} ${row.exchange_b}`;

/** All sorts and filters on a spread table of a size, compared with the same query on plain objects. */
export function testSortsAndFilters(coins: number, leastRows: number): void {
  let caller: OperationCaller;
  let rows: Row[];
  let asOfMs: number;
  before(async () => {
    const market = new SpreadMarket(coins);
    const builder = new SpreadTableBuilder();
    caller = operationCaller(spreads, SPREADS_TABLE, (timeline) => ({ spreads: timeline }));
    const print = async () => {
      market.move(5000);
      const states = market.made.market.states();
      const { identities } = market.made.freezer;
      const isClosed = (contract: string) => contract.length % 5 === 0;
      const { legs } = builder.build(states, identities, market.nowMs, isClosed);
      const table = rowsFromLegs(legs, market.nowMs);
      caller.clock.setMs(market.nowMs);
      await caller.publish(table);
      return table;
    };
    await print();
    await print();
    const table = await print();
    rows = Array.from({ length: table.rowCount }, (_, row) => JSON.parse(table.rowJson(row)));
    asOfMs = caller.clock.nowMs();
  });

  const key: Record<string, (row: Row) => number | string> = {
    spread_desc: (row) => -Number(row.spread_pct),
    spread_asc: (row) => Number(row.spread_pct),
    volume_desc: (row) => -Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt)),
    volume_asc: (row) => Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt)),
    strength_desc: (row) => -Number(row.strength),
    updated_desc: (row) => -Date.parse(String(row.updated_at)),
    coin_asc: (row) => String(row.coin),
  };
  const queries: [query: Record<string, string>, keeps: (row: Row) => boolean][] = [
    [{}, () => true],
    [{ leg_closed: 'true' }, (row) => row.leg_closed === true],
    [{ leg_closed: 'false', min_strength: '3' }, (row) => !row.leg_closed && Number(row.strength) >= 3],
    [
      { direction: 'short_a_long_b', min_strength: '3' },
      (row) => row.direction === 'short_a_long_b' && Number(row.strength) >= 3,
    ],
    [
      { exchange: 'OKX,Gate,dYdX', exchange_match: 'all', max_age_seconds: '5' },
      (row) =>
        ['OKX', 'Gate', 'dYdX'].includes(String(row.exchange_a)) &&
        ['OKX', 'Gate', 'dYdX'].includes(String(row.exchange_b)) &&
        Date.parse(String(row.updated_at)) >= asOfMs - 5000,
    ],
    [
      { min_volume_usdt: '50000000', exclude_exchange: 'Binance', min_spread_pct: '0.05' },
      (row) =>
        Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt)) >= 5e7 &&
        row.exchange_a !== 'Binance' &&
        row.exchange_b !== 'Binance' &&
        Number(row.spread_pct) >= 0.05,
    ],
  ];

  test('has that size', () => {
    assert.ok(rows.length >= leastRows, `${rows.length} rows`);
  });

  for (const [sort, keyOf] of Object.entries(key)) {
    test(`${sort}, alone and with filters`, () => {
      const before = (x: Row, y: Row) => {
        const [a, b] = [keyOf(x), keyOf(y)];
        return a < b ? -1 : a > b ? 1 : 0;
      };
      // Sorting is stable, so ties keep the order of the rows: by coin and venues.
      const sorted = rows.toSorted(before);
      for (const [query, keeps] of queries) {
        const expected = sorted.filter(keeps);
        assert.ok(expected.length > 0, JSON.stringify(query));
        const first = caller.call({ ...query, sort, limit: PAGE });
        assert.deepEqual(first.data.map(nameOf), expected.slice(0, 500).map(nameOf));
        assert.deepEqual(first.data[0], expected[0]);
        const { next_cursor: cursor } = first.meta;
        assert.equal(cursor === undefined, expected.length <= 500);
        if (cursor === undefined) continue;
        const second = caller.call({ ...query, sort, limit: PAGE, cursor });
        assert.deepEqual(second.data.map(nameOf), expected.slice(500, 1000).map(nameOf));
      }
    });
  }
}
