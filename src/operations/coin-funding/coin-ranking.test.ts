import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import type { Table } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { type CoinRanking, type RankingFilter, rankContracts } from './coin-ranking.ts';

interface Contract {
  exchange: string;
  symbol?: string;
  rate: number;
  hours?: number | null;
  volume?: number;
  inverse?: boolean;
  session?: 'open' | 'closed' | null;
}

function tableOf(contracts: readonly Contract[]): Table {
  const builder = new TableBuilder(FUNDING_TABLE);
  for (const {
    exchange,
    symbol = 'SOL-USDT',
    rate,
    hours = 8,
    volume = 1000,
    inverse = false,
    session = null,
  } of contracts) {
    const blank = Object.fromEntries(
      FUNDING_TABLE.columns.map((column) => [column.name, column.nullable ? null : '']),
    );
    builder.add({
      ...blank,
      exchange,
      symbol,
      venue_symbol: symbol,
      coin: 'SOL',
      asset_class: 'crypto',
      is_inverse: inverse,
      price_outlier: false,
      rate_pct: rate,
      interval_hours: hours,
      volume_24h_usdt: volume,
      session,
    });
  }
  return builder.build();
}

function rank(
  contracts: readonly Contract[],
  filter: Partial<RankingFilter> = {},
): CoinRanking & { shown: string[] } {
  const table = tableOf(contracts);
  const all = {
    only: undefined,
    without: undefined,
    minVolumeUsdt: undefined,
    session: undefined,
    ...filter,
  };
  const ranking = rankContracts(table, [...contracts.keys()], all);
  const shown = ranking.order.map((row) => `${table.text('exchange', row)} ${table.text('symbol', row)}`);
  return { ...ranking, shown };
}

suite('ranking the contracts of a coin', () => {
  test('highest and lowest compare rates per settlement, the best venues rates per hour', () => {
    const ranking = rank([
      { exchange: 'A', rate: 0.05, hours: 8 },
      { exchange: 'B', rate: 0.02, hours: 1 },
      { exchange: 'C', rate: -0.04, hours: 8 },
      { exchange: 'D', rate: -0.01, hours: 1 },
    ]);
    assert.equal(ranking.highest?.exchange, 'A');
    assert.equal(ranking.lowest?.exchange, 'C');
    assert.equal(ranking.bestShort?.exchange, 'B', '0.02 % an hour pays more than 0.05 % in eight');
    assert.equal(ranking.bestLong?.exchange, 'D');
    assert.equal(ranking.venueCount, 4);
  });

  test('a contract whose interval is unknown is ranked, but not called best', () => {
    const ranking = rank([
      { exchange: 'A', rate: 0.5, hours: null },
      { exchange: 'B', rate: 0.01, hours: 8 },
    ]);
    assert.equal(ranking.highest?.exchange, 'A');
    assert.equal(ranking.bestShort?.exchange, 'B');
    assert.equal(rank([{ exchange: 'A', rate: 0.5, hours: null }]).bestShort, null);
  });

  test('linear first, from high to low by each venue’s largest contract, which its others follow; inverse behind', () => {
    const ranking = rank([
      { exchange: 'A', symbol: 'SOL-USDC', rate: 0.09, volume: 10 },
      { exchange: 'A', symbol: 'SOL-USDT', rate: 0.01, volume: 5000 },
      { exchange: 'B', symbol: 'SOL-USDT', rate: 0.02 },
      { exchange: 'C', symbol: 'SOL-USD', rate: 0.9, inverse: true },
      { exchange: 'A', symbol: 'SOL-USD', rate: 0.5, inverse: true },
    ]);
    assert.deepEqual(ranking.shown, ['B SOL-USDT', 'A SOL-USDT', 'A SOL-USDC', 'C SOL-USD', 'A SOL-USD']);
    assert.deepEqual(ranking.inverseVenues, ['A', 'C']);
    assert.equal(ranking.venueCount, 2);
    assert.deepEqual(ranking.highest, {
      exchange: 'A',
      symbol: 'SOL-USDC',
      rate_pct: 0.09,
      interval_hours: 8,
    });
    assert.equal(ranking.totalVolumeUsdt, 5000 + 10 + 3 * 1000);
  });

  test('equal rates: the larger volume first, then by name', () => {
    const ranking = rank([
      { exchange: 'C', rate: 0.01, volume: 5 },
      { exchange: 'B', rate: 0.01, volume: 9 },
      { exchange: 'A', rate: 0.01, volume: 5 },
    ]);
    assert.deepEqual(ranking.shown.map((text) => text[0]).join(''), 'BAC');
    assert.equal(ranking.highest?.exchange, 'B');
    assert.equal(ranking.lowest?.exchange, 'B');
    assert.equal(ranking.bestLong?.exchange, 'B');
  });

  test('exchange and exclude_exchange choose venues, min_volume_usdt those with enough over all their contracts', () => {
    const contracts: Contract[] = [
      { exchange: 'A', rate: 0.01, volume: 60 },
      { exchange: 'A', symbol: 'SOL-USD', rate: 0.01, volume: 40, inverse: true },
      { exchange: 'B', rate: 0.03, volume: 99 },
      { exchange: 'C', rate: 0.02, volume: 500 },
    ];
    assert.deepEqual(rank(contracts, { minVolumeUsdt: 100 }).shown, [
      'C SOL-USDT',
      'A SOL-USDT',
      'A SOL-USD',
    ]);
    assert.deepEqual(rank(contracts, { only: ['A', 'B'], without: ['A'] }).shown, ['B SOL-USDT']);
  });

  test('session chooses contracts, and the volume of a venue is that of all of them', () => {
    const contracts: Contract[] = [
      { exchange: 'A', rate: 0.01, volume: 60, session: 'open' },
      { exchange: 'A', symbol: 'SOL-USDC', rate: 0.09, volume: 40, session: 'closed' },
      { exchange: 'B', rate: 0.03, volume: 500, session: 'closed' },
      { exchange: 'C', rate: 0.02, volume: 500 },
    ];
    const open = rank(contracts, { session: 'open', minVolumeUsdt: 100 });
    assert.deepEqual(open.shown, ['A SOL-USDT']);
    assert.deepEqual([open.venueCount, open.highest?.rate_pct, open.totalVolumeUsdt], [1, 0.01, 60]);
    assert.deepEqual(rank(contracts, { session: 'closed' }).shown, ['A SOL-USDC', 'B SOL-USDT']);
  });

  test('nothing left: counts are 0 and names are null', () => {
    const none = rank([{ exchange: 'A', rate: 0.01 }], { without: ['A'] });
    assert.deepEqual(
      [none.venueCount, none.highest, none.lowest, none.bestShort, none.bestLong, none.totalVolumeUsdt],
      [0, null, null, null, null, 0],
    );
    assert.deepEqual(none.order, []);
    const inverseOnly = rank([{ exchange: 'A', rate: 0.01, inverse: true }]);
    assert.deepEqual([inverseOnly.venueCount, inverseOnly.highest, inverseOnly.order.length], [0, null, 1]);
  });
});
