import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Cell } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { coinFunding } from '../coin-funding/coin-funding.ts';
import { fundingHistory } from '../funding-history/funding-history.ts';
import { listings } from '../listings.ts';
import type { AnyOperation } from '../operation.ts';
import type { Answer } from './answer.ts';
import { conclusionOf } from './conclusion.ts';

const META = {
  as_of: '2026-11-15T12:00:00Z',
  delayed_seconds: 0,
  source: 'Perpwire',
  url: 'http://127.0.0.1/page',
  count: 1,
  total: 1,
};

function wordsOf({ tool }: AnyOperation, answer: Omit<Answer, 'meta'>): string {
  assert.ok(tool);
  return conclusionOf(tool, { ...answer, meta: META } as Answer);
}

/** A list with one row; columns that are not given are null. */
function listOf({ rows }: AnyOperation, row: Readonly<Record<string, Cell>>): Omit<Answer, 'meta'> {
  assert.ok(rows);
  const spec = { ...rows.table, columns: rows.table.columns.map((one) => ({ ...one, nullable: true })) };
  const builder = new TableBuilder(spec);
  builder.add({ ...Object.fromEntries(spec.columns.map(({ name }) => [name, null])), ...row });
  return { fields: null, rows: { table: builder.build(), numbers: [0], columns: null } };
}

suite('the conclusion of a tool', () => {
  test('history says how many settlements are listed, which a limit may have cut, not how often it settled', () => {
    const settlements = [
      { time: '2026-11-14T08:00:00Z', rate_pct: 0.01, interval_hours: 8 },
      { time: '2026-11-14T16:00:00Z', rate_pct: 0.02, interval_hours: 8 },
    ];
    const words = wordsOf(fundingHistory, {
      rows: null,
      fields: {
        coin: 'BTC',
        resolution: 'settlement',
        from: '2026-11-08T12:00:00Z',
        to: '2026-11-15T12:00:00Z',
        series: [{ exchange: 'OKX', symbol: 'BTC-USDT', daily: null, settlements }],
      },
    });
    assert.equal(
      words,
      '2 settlements of BTC-USDT on OKX listed, each for 8 h, from 2026-11-08T12:00:00Z to 2026-11-15T12:00:00Z; their rates add up to +0.03 % (longs pay shorts). As of 2026-11-15T12:00:00Z.',
    );
  });

  test('a coin whose intervals are all unknown has no best venue per hour', () => {
    const place = { exchange: 'OKX', symbol: 'BTC-USDT', rate_pct: 0.01, interval_hours: null };
    const words = wordsOf(coinFunding, {
      rows: null,
      fields: {
        coin: 'BTC',
        venue_count: 1,
        spread_pct: 0,
        highest: place,
        lowest: place,
        best_short_exchange: null,
        best_long_exchange: null,
      },
    });
    assert.match(words, /highest \+0\.01 % per settlement, interval unknown on OKX, lowest/);
    assert.match(words, /; no interval is known, so rates per hour cannot be compared\. As of/);
    assert.doesNotMatch(words, /null/);
  });

  for (const [what, figures, said] of [
    [
      'shorts',
      { best_short_would_pay: true },
      /; no venue pays shorts now: per hour, OKX charges them least, and HTX is best for a long\./,
    ],
    [
      'longs',
      { best_long_would_pay: true },
      /; no venue pays longs now: per hour, OKX is best for a short, and HTX charges longs least\./,
    ],
  ] as const) {
    test(`a coin on which no venue pays ${what} says so`, () => {
      const place = { exchange: 'OKX', symbol: 'BTC-USDT', rate_pct: -0.01, interval_hours: 8 };
      const fields = { coin: 'BTC', venue_count: 1, spread_pct: 0, highest: place, lowest: place };
      const best = { best_short_exchange: 'OKX', best_long_exchange: 'HTX', ...figures };
      assert.match(wordsOf(coinFunding, { rows: null, fields: { ...fields, ...best } }), said);
    });
  }

  test('a listing of long ago has no status, and none is made up', () => {
    const row = {
      exchange: 'OKX',
      symbol: 'OLD-USDT',
      kind: 'listing',
      status: null,
      effective_at: Date.parse('2026-01-01T00:00:00Z'),
    };
    assert.equal(
      wordsOf(listings, listOf(listings, row)),
      '1 event matches; first: listing of OLD-USDT on OKX, effective 2026-01-01T00:00:00Z. As of 2026-11-15T12:00:00Z.',
    );
  });
});
