import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { funding } from '../operations/funding.ts';
import { isStreamed, type MatchedRows } from '../operations/operation.ts';
import { applyEvaluation, emptyEvaluation, evaluateList } from './evaluate.ts';
import type { Question } from './question.ts';
import { RowIdentities } from './row-identities.ts';
import type { Rule } from './rule.ts';
import type { ActiveRule, Watch, WatchedList } from './rule-book.ts';

const START_MS = Date.UTC(2026, 10, 14, 9);
const MINUTE_MS = 60_000;

/** A rule that reports what leaves the list of rates of at least 1 %. */
function watching() {
  if (!isStreamed(funding)) throw new Error('funding is a list');
  let matched: MatchedRows;
  const question: Question = {
    ...{ key: 'q', source: 'funding', operation: funding, delaySeconds: 0, query: '' },
    ...{ newestAsOfMs: () => null, nextAsOfMs: () => null, matchesAt: () => matched },
  };
  const list: WatchedList = { question, identities: new RowIdentities(funding.rows), watches: new Map() };
  const condition = { kind: 'leaves' } as const;
  const watch: Watch = {
    ...{ key: 'w', list, condition, rows: new Set<number>(), missingSinceMs: new Map(), isNew: true },
    rules: new Set<ActiveRule>(),
  };
  const rule = { id: 'r', condition, everyMinutes: 0, sinceMs: 0 } as unknown as Rule;
  watch.rules.add({ rule, watch, lastEventMs: new Map() });
  list.watches.set('w', watch);
  /** The rows that are reported when the market is this one: rates by venue. */
  return (minute: number, rates: Readonly<Record<string, number>>): unknown[] => {
    const builder = new TableBuilder(FUNDING_TABLE);
    for (const [exchange, rate_pct] of Object.entries(rates))
      builder.add({
        ...{ exchange, symbol: 'BTC-USDT', venue_symbol: 'BTC', coin: 'BTC', rate_pct, apr_pct: 1 },
        ...{ is_inverse: false, asset_class: 'crypto', price_outlier: false, interval_hours: 8 },
        ...{ sum_7d_pct: null, sum_30d_pct: null, next_funding_at: null, volume_24h_usdt: 1 },
        ...{ mark_price: null, index_price: null, open_interest_usdt: null, last_rate_pct: null },
        ...{
          last_funding_at: null,
          covered_until: null,
          gross_apr_pct: null,
          taker_fee_pct: 0.05,
          session: null,
        },
      });
    const rows = Object.values(rates).flatMap((rate, row) => (rate >= 1 ? [row] : []));
    matched = { table: builder.build(), rows };
    const asOfMs = START_MS + minute * MINUTE_MS;
    const evaluation = emptyEvaluation();
    evaluateList(list, { asOfMs, isNewest: true, isRepeated: false }, asOfMs, evaluation);
    applyEvaluation(evaluation);
    return evaluation.events.map(({ event }) => event.row.exchange);
  };
}

suite('a rule about rows that leave', () => {
  test('a row that no longer fits the filters is reported at once', () => {
    const reported = watching();
    assert.deepEqual(reported(0, { OKX: 2, Gate: 2 }), []);
    assert.deepEqual(reported(1, { OKX: 0.5, Gate: 2 }), ['OKX']);
  });

  test('a venue without rows, as in the first snapshot after a start, has not left, however long ago the last one is', () => {
    const reported = watching();
    reported(0, { OKX: 2, Gate: 2 });
    assert.deepEqual(reported(60, { Gate: 2 }), []);
    assert.deepEqual(reported(70, { OKX: 2, Gate: 2 }), [], 'it is back, and neither left nor entered');
    assert.deepEqual(reported(71, { OKX: 0.5, Gate: 2 }), ['OKX']);
  });

  test('a row that has been in no snapshot for 15 minutes is gone', () => {
    const reported = watching();
    reported(0, { OKX: 2, Gate: 2 });
    assert.deepEqual(reported(1, { Gate: 2 }), []);
    assert.deepEqual(reported(15, { Gate: 2 }), []);
    assert.deepEqual(reported(16, { Gate: 2 }), ['OKX']);
    assert.deepEqual(reported(17, { Gate: 2 }), [], 'once');
  });

  test('each absence counts from its own start', () => {
    const reported = watching();
    reported(0, { OKX: 2, Gate: 2 });
    reported(1, { Gate: 2 });
    reported(10, { OKX: 2, Gate: 2 });
    assert.deepEqual(reported(17, { Gate: 2 }), []);
    assert.deepEqual(reported(32, { Gate: 2 }), ['OKX']);
  });
});
