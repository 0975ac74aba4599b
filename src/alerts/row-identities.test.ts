import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import type { Table } from '../market/tables/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { funding } from '../operations/funding.ts';
import { isStreamed } from '../operations/operation.ts';
import { RowIdentities } from './row-identities.ts';

function tableOf(symbols: readonly string[]): Table {
  const builder = new TableBuilder(FUNDING_TABLE);
  for (const name of symbols) {
    const [exchange = '', venueSymbol = ''] = name.split(' ');
    builder.add({
      ...{ exchange, symbol: `${venueSymbol}-USDT`, venue_symbol: venueSymbol, coin: venueSymbol },
      ...{ is_inverse: false, asset_class: 'crypto', price_outlier: false, rate_pct: 1, apr_pct: 1 },
      ...{ sum_7d_pct: null, sum_30d_pct: null, interval_hours: 8, next_funding_at: null },
      ...{ volume_24h_usdt: 1, mark_price: null, index_price: null, open_interest_usdt: null },
      ...{
        last_rate_pct: null,
        last_funding_at: null,
        covered_until: null,
        gross_apr_pct: null,
        session: null,
        taker_fee_pct: 0.055,
      },
    });
  }
  return builder.build();
}

suite('identities of rows', () => {
  const first = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'Bybit' : 'OKX'} C${i}`);
  for (const [what, second] of [
    ['the same rows', first],
    ['a row less in the middle', first.toSpliced(17, 1)],
    ['several rows less', first.toSpliced(5, 9)],
    ['new rows at the start', ['Gate NEW', 'Gate NEWER', 'Gate NEWEST', ...first]],
    ['a row replaced by another', first.with(20, 'Gate C20')],
    ['the opposite order', first.toReversed()],
    ['no row', []],
  ] as const) {
    test(`a row keeps its number in the next table: ${what}`, () => {
      if (!isStreamed(funding)) throw new Error('funding is a list');
      const identities = new RowIdentities(funding.rows);
      const names = new Map<number, string>();
      for (const symbols of [first, second, first, second]) {
        const reader = identities.readerOf(tableOf(symbols));
        const ids = reader.idsOf(symbols.map((_, row) => row));
        assert.equal(new Set(ids).size, symbols.length, 'no two rows have one number');
        symbols.forEach((name, row) => {
          const id = ids[row] as number;
          assert.equal(names.get(id) ?? name, name);
          names.set(id, name);
          assert.equal(identities.keyOf(id), JSON.stringify(name.split(' ')));
          assert.equal(identities.idOfKey(identities.keyOf(id)), id);
          assert.equal(reader.rowOf(id), row);
        });
      }
      assert.equal(names.size, new Set([...first, ...second]).size);
    });
  }

  test('rows that were not read in the table before are looked up', () => {
    if (!isStreamed(funding)) throw new Error('funding is a list');
    const identities = new RowIdentities(funding.rows);
    const [one] = identities.readerOf(tableOf(first)).idsOf([7]);
    const [again, other] = identities.readerOf(tableOf(first)).idsOf([7, 8]);
    assert.equal(again, one);
    assert.notEqual(other, one);
  });
});
