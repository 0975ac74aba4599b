import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeHistories, madeLegs } from '../../../test/operations/made-arbitrage.ts';
import type { Table } from '../../market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../market/timeline.ts';
import { PairMaker } from './pairs.ts';
import { arbitrageSource, DEFAULT_VIEW, type PreparedRows, rowsOfLegs } from './source.ts';

const AS_OF_MS = Date.UTC(2026, 10, 14, 17, 5);

const still = (snapshot: TableSnapshot): TableSource => ({
  at: () => snapshot,
  exactly: () => snapshot,
  after: () => null,
});
const legsOf = (coins: number, exchanges: number) =>
  madeLegs({
    coins: Array.from({ length: coins }, (_, i) => `COIN${i}`),
    exchanges: Array.from({ length: exchanges }, (_, i) => `Venue${i}`),
    asOfMs: AS_OF_MS,
  });
const jsonOf = (table: Table) => Array.from({ length: table.rowCount }, (_, row) => table.rowJson(row));

suite('arbitrage rows that are computed before their legs are published', () => {
  const legs = legsOf(12, 9);
  const histories = still({ asOfMs: AS_OF_MS, table: madeHistories(legs) });

  test('are those that a request would compute', () => {
    const prepared: PreparedRows = new WeakMap();
    const rows = rowsOfLegs({ asOfMs: AS_OF_MS, table: legs }, histories, new PairMaker());
    prepared.set(legs, rows);
    const source = arbitrageSource(still({ asOfMs: AS_OF_MS, table: legs }), histories, prepared);
    const served = source.at(0, AS_OF_MS);
    assert.equal(served?.table, rows.table(DEFAULT_VIEW), 'nothing is computed again');
    const computed = arbitrageSource(still({ asOfMs: AS_OF_MS, table: legs }), histories).at(0, AS_OF_MS);
    assert.ok(served && computed);
    assert.equal(served.table.rowCount, 12 * 36);
    assert.deepEqual(jsonOf(served.table), jsonOf(computed.table));
  });
});
