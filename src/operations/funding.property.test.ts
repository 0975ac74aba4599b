import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { operationCaller, START_MS } from '../../test/query/operation-caller.ts';
import { type Row, sometimes, tableOf } from '../../test/query/random-rows.ts';
import type { PlanName } from '../accounts/plans.ts';
import { Problem } from '../base/problems.ts';
import { MINUTE_MS } from '../base/times.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import type { Cell } from '../market/tables/table.ts';
import { funding } from './funding.ts';

const RATES = [-0.75, -0.01, -0.005, 0, 0.0001, 0.005, 0.01, 0.75];
const HOURS = [1, 4, 8];
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3, nil: null });

const fundingRow: fc.Arbitrary<Row> = fc.record({
  exchange: fc.constantFrom('Binance', 'OKX', 'dYdX', 'Aster'),
  symbol: fc.constantFrom('BTC-USDT', 'BTC-USD', '1000PEPE-USDT'),
  venue_symbol: fc.constantFrom('A', 'B', 'C'),
  coin: fc.constantFrom('BTC', 'ETH', 'PEPE'),
  is_inverse: fc.boolean(),
  asset_class: fc.constant('crypto'),
  price_outlier: fc.boolean(),
  rate_pct: fc.constantFrom(...RATES),
  apr_pct: orNull(fc.constantFrom(-10, 0, 10.95, 120)),
  gross_apr_pct: orNull(fc.constantFrom(-9.9, 0, 11, 120.2)),
  sum_7d_pct: orNull(fc.constantFrom(...RATES)),
  sum_30d_pct: orNull(fc.constantFrom(...RATES)),
  interval_hours: orNull(fc.constantFrom(...HOURS)),
  next_funding_at: orNull(fc.constantFrom(...[0, 1, 30, 31, 480].map((m) => START_MS + m * MINUTE_MS))),
  volume_24h_usdt: fc.constantFrom(0, 1_000, 999_999.99, 1e9),
  mark_price: orNull(fc.constantFrom(0.00001, 96_412.5)),
  index_price: orNull(fc.constantFrom(0.00001, 96_420.13)),
  open_interest_usdt: orNull(fc.constantFrom(0, 1_000, 999_999.99, 1e9)),
  last_rate_pct: orNull(fc.constantFrom(...RATES)),
  last_funding_at: orNull(fc.constantFrom(START_MS - 480 * MINUTE_MS, START_MS)),
  taker_fee_pct: fc.constantFrom(0, 0.055, 0.11),
  covered_until: fc.constant(null),
  session: orNull(fc.constantFrom('open', 'closed')),
});
const fundingRows = fc.array(fundingRow, { maxLength: 80, size: 'max' });

const decimal = sometimes(fc.constantFrom(...RATES).map(String));
const anyQuery = fc.record({
  coin: sometimes(fc.constantFrom('BTC', 'btc,pepe', 'ETH,NOPE', 'NOPE')),
  exchange: sometimes(fc.constantFrom('OKX', 'OKX,dYdX', 'Kraken')),
  exclude_exchange: sometimes(fc.constantFrom('OKX', 'Binance,Aster')),
  min_rate_pct: decimal,
  max_rate_pct: decimal,
  min_abs_rate_pct: decimal,
  max_abs_rate_pct: decimal,
  min_apr_pct: sometimes(fc.constantFrom('-10', '0', '11')),
  max_apr_pct: sometimes(fc.constantFrom('-10', '0', '11')),
  min_gross_apr_pct: sometimes(fc.constantFrom('-9.9', '0', '11')),
  max_gross_apr_pct: sometimes(fc.constantFrom('-9.9', '0', '11')),
  min_sum_7d_pct: decimal,
  max_sum_7d_pct: decimal,
  min_sum_30d_pct: decimal,
  max_sum_30d_pct: decimal,
  interval_hours: sometimes(fc.constantFrom('1', '4,8', '24')),
  session: sometimes(fc.constantFrom('open', 'closed')),
  is_inverse: sometimes(fc.constantFrom('true', 'false')),
  min_volume_usdt: sometimes(fc.constantFrom('0', '1000')),
  max_volume_usdt: sometimes(fc.constantFrom('1000', '1e9')),
  min_open_interest_usdt: sometimes(fc.constantFrom('0', '1000')),
  max_open_interest_usdt: sometimes(fc.constantFrom('1000', '1e9')),
  settles_within_minutes: sometimes(fc.constantFrom('1', '30', '1440')),
  sort: sometimes(fc.constantFrom(...((funding.parameters.sort?.schema.enum ?? []) as string[]))),
});
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const COLUMN_OF: Record<string, string> = {
  rate: 'rate_pct',
  apr: 'apr_pct',
  gross_apr: 'gross_apr_pct',
  sum_7d: 'sum_7d_pct',
  sum_30d: 'sum_30d_pct',
  volume: 'volume_24h_usdt',
  open_interest: 'open_interest_usdt',
  next_funding: 'next_funding_at',
};

/** Filter, sort: nothing else. `at` is meta.as_of. */
function naively(rows: readonly Row[], q: Query, asOfMs: number): Row[] {
  const minMax = (value: Cell | undefined, min: string | undefined, max: string | undefined) =>
    (min === undefined && max === undefined) ||
    (typeof value === 'number' && value >= Number(min ?? -Infinity) && value <= Number(max ?? Infinity));
  const listed = (list: string | undefined, value: Cell | undefined) =>
    list?.split(',').includes(String(value));
  const kept = rows.filter(
    (r) =>
      listed(q.coin?.toUpperCase(), r.coin) !== false &&
      listed(q.exchange, r.exchange) !== false &&
      listed(q.exclude_exchange, r.exchange) !== true &&
      listed(q.interval_hours, r.interval_hours) !== false &&
      (q.session ?? r.session) === r.session &&
      (q.is_inverse ?? String(r.is_inverse)) === String(r.is_inverse) &&
      minMax(r.rate_pct, q.min_rate_pct, q.max_rate_pct) &&
      minMax(Math.abs(Number(r.rate_pct)), q.min_abs_rate_pct, q.max_abs_rate_pct) &&
      minMax(r.apr_pct, q.min_apr_pct, q.max_apr_pct) &&
      minMax(r.gross_apr_pct, q.min_gross_apr_pct, q.max_gross_apr_pct) &&
      minMax(r.sum_7d_pct, q.min_sum_7d_pct, q.max_sum_7d_pct) &&
      minMax(r.sum_30d_pct, q.min_sum_30d_pct, q.max_sum_30d_pct) &&
      minMax(r.volume_24h_usdt, q.min_volume_usdt, q.max_volume_usdt) &&
      minMax(r.open_interest_usdt, q.min_open_interest_usdt, q.max_open_interest_usdt) &&
      (q.settles_within_minutes === undefined ||
        minMax(
          r.next_funding_at,
          String(asOfMs),
          String(asOfMs + Number(q.settles_within_minutes) * MINUTE_MS),
        )),
  );
  const sort = q.sort ?? 'abs_rate_desc';
  const [, abs, name = '', direction] = /^(abs_)?(\w+)_(asc|desc)$/.exec(sort) ?? [];
  const keyOf = (row: Row) => {
    const value = row[COLUMN_OF[name] ?? name] ?? null;
    return abs !== undefined ? Math.abs(Number(value)) : value;
  };
  const compare = (x: Cell, y: Cell) => (x === y ? 0 : (x ?? 0) < (y ?? 0) ? -1 : 1);
  return kept.sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)];
    if ((x === null) !== (y === null)) return x === null ? 1 : -1;
    const byKey = compare(x, y) * (direction === 'asc' ? 1 : -1);
    const ties = ['exchange', 'symbol', 'venue_symbol'].map((tie) => compare(a[tie] ?? '', b[tie] ?? ''));
    return byKey || ties.find((tie) => tie !== 0) || rows.indexOf(a) - rows.indexOf(b);
  });
}

/** As the answer writes it: times are text there. */
function published(row: Row): Row {
  const timeText = (at: Cell | undefined) =>
    typeof at === 'number' ? new Date(at).toISOString().replace('.000Z', 'Z') : null;
  return {
    ...row,
    next_funding_at: timeText(row.next_funding_at),
    last_funding_at: timeText(row.last_funding_at),
  };
}

const isCrossed = (q: Query) =>
  Object.entries(q).some(([name, min]) => {
    const max = q[`max_${name.slice(4)}` as keyof Query];
    return name.startsWith('min_') && min !== undefined && max !== undefined && Number(min) > Number(max);
  });

suite('GET /funding beside a naive filter, sort and slice over the same rows', () => {
  test('random filters, sorts and pages, while new snapshots arrive: no row repeated, skipped or changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fundingRows, { minLength: 2, maxLength: 4 }),
        anyQuery,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom<PlanName>('demo', 'business'),
        async (snapshots, query, pageSizes, plan) => {
          fc.pre(!isCrossed(query));
          const [first = [], ...later] = snapshots;
          const { call, publish, clock } = operationCaller(funding, FUNDING_TABLE, (timeline) => ({
            funding: timeline,
          }));
          await publish(tableOf(FUNDING_TABLE, first));
          if (plan === 'demo') clock.advanceMs(900_000);
          const expected = naively(first, query, START_MS).map(published);
          const got: Row[] = [];
          let cursor: string | undefined;
          for (let page = 0; page === 0 || cursor !== undefined; page++) {
            const { data, meta } = call(
              { ...query, cursor, limit: String(pageSizes[page % pageSizes.length]) },
              plan,
            );
            assert.equal(meta.total, expected.length);
            assert.equal(meta.count, data.length);
            assert.equal(meta.as_of, '2026-11-14T09:30:00Z', 'all pages from one snapshot');
            got.push(...data);
            cursor = meta.next_cursor;
            clock.advanceMs(10_000);
            const next = later.shift();
            if (next) await publish(tableOf(FUNDING_TABLE, next));
          }
          assert.deepEqual(got, expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('crossed bounds are refused, naming both', () => {
    const { call } = operationCaller(funding, FUNDING_TABLE, (timeline) => ({ funding: timeline }));
    fc.assert(
      fc.property(anyQuery.filter(isCrossed), (query) => {
        assert.throws(
          () => call(query),
          (error) =>
            error instanceof Problem &&
            error.code === 'invalid-parameter' &&
            /"min_(\w+)" .* must not be above "max_\1"/.test(error.detail),
        );
      }),
      { numRuns: 50 },
    );
  });
});
