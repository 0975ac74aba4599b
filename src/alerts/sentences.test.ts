import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { arbitrage } from '../operations/arbitrage/arbitrage.ts';
import { funding } from '../operations/funding.ts';
import { listings } from '../operations/listings.ts';
import { type AnyOperation, isStreamed } from '../operations/operation.ts';
import { spreadBacktest } from '../operations/spread-backtest.ts';
import { spreads } from '../operations/spreads.ts';
import type { Condition } from './rule.ts';
import { eventSentence, ruleName } from './sentences.ts';

const AS_OF_MS = Date.UTC(2026, 10, 16, 16, 0, 10);
const above = (figure: string, bound: number): Condition => ({
  ...{ kind: 'crosses', figure, direction: 'above', bound, hysteresis: 0, reportsReturn: true },
});

/** The row of the operation's own example. */
function exampleRow({ example }: AnyOperation): Record<string, unknown> {
  const list = Array.isArray(example) ? example : Object.values(example as object).find(Array.isArray);
  return (list as Record<string, unknown>[])[0] ?? {};
}

function sentence(
  operation: AnyOperation,
  condition: Condition,
  kind: 'entered' | 'left' | 'crossed' | 'returned',
  changes: Record<string, unknown> = {},
  isListed = true,
): string {
  if (!isStreamed(operation)) throw new Error(`${operation.id} has no stream`);
  const row = { ...exampleRow(operation), ...changes };
  const { rows } = operation;
  return eventSentence({ rows, condition, kind, row, isListed, asOfMs: AS_OF_MS, delaySeconds: 0 });
}

suite('sentences of alerts', () => {
  test('the rate of a contract', () => {
    const row = {
      exchange: 'Bybit',
      rate_pct: 0.052,
      gross_apr_pct: 56.94,
      apr_pct: 56.84,
      interval_hours: 8,
    };
    assert.equal(
      sentence(funding, above('rate_pct', 0.05), 'crossed', row),
      'BTC funding on Bybit is +0.052 % per 8 h (57 % APR), above your 0.05 %. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(funding, above('rate_pct', 0.05), 'returned', {
        ...row,
        rate_pct: -0.0008,
        gross_apr_pct: -0.976,
      }),
      'BTC funding on Bybit is -0.0008 % per 8 h (-1 % APR), back below your 0.05 %. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(funding, above('gross_apr_pct', 50), 'crossed', row),
      'BTC funding on Bybit is +0.052 % per 8 h (57 % APR), above your 50 % APR. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(funding, above('apr_pct', 50), 'crossed', row),
      'BTC funding on Bybit: APR after the fees of a year is 57 %, above your 50 % APR. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(funding, { ...above('rate_pct', -0.1), direction: 'below' } as Condition, 'crossed', {
        ...row,
        symbol: 'BTC-USD',
        rate_pct: -0.2,
      }),
      'BTC-USD funding on Bybit is -0.2 % per 8 h (57 % APR), below your -0.1 %. As of 16:00:10 UTC.',
    );
  });

  test('other figures of a contract', () => {
    assert.equal(
      sentence(funding, above('open_interest_usdt', 5e9), 'crossed'),
      'BTC funding on Binance: open interest is 8.12B USDT, above your 5B USDT. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(funding, above('sum_7d_pct', 0.2), 'crossed'),
      'BTC funding on Binance: 7-day sum is +0.21 %, above your 0.2 %. As of 16:00:10 UTC.',
    );
  });

  test('a rate always has its venue and its interval', () => {
    for (const [operation, figure, changes, said] of [
      [
        funding,
        'rate_pct',
        { interval_hours: null, gross_apr_pct: null },
        'BTC funding on Binance is +0.01 % per settlement, interval unknown',
      ],
      [
        funding,
        'last_rate_pct',
        {},
        'BTC funding on Binance: last settled rate is +0.0092 % (it settles every 8 h)',
      ],
      [
        funding,
        'last_rate_pct',
        { interval_hours: null },
        'BTC funding on Binance: last settled rate is +0.0092 % (it settles at an unknown interval)',
      ],
      [
        spreads,
        'funding_rate_a_pct',
        { funding_rate_a_pct: 0.01, funding_interval_hours_a: 4 },
        'BTC spread between Binance and OKX: funding on Binance is +0.01 % per 4 h',
      ],
      [
        spreads,
        'funding_rate_b_pct',
        { funding_rate_b_pct: -0.01, funding_interval_hours_b: 1 },
        'BTC spread between Binance and OKX: funding on OKX is -0.01 % per 1 h',
      ],
      [
        arbitrage,
        'long_rate_pct',
        { long_rate_pct: -0.02, long_interval_hours: 8 },
        'SOL arbitrage, long on OKX and short on Bybit: funding on OKX is -0.02 % per 8 h',
      ],
      [
        arbitrage,
        'short_rate_pct',
        { short_rate_pct: 0.02, short_interval_hours: null },
        'SOL arbitrage, long on OKX and short on Bybit: funding on Bybit is +0.02 % per settlement, interval unknown',
      ],
      [
        arbitrage,
        'carry_pct_day',
        { carry_pct_day: 0.06 },
        'SOL arbitrage, long on OKX and short on Bybit: carry is +0.06 % a day',
      ],
    ] as const)
      assert.equal(
        sentence(operation, above(figure, 0.005), 'crossed', changes),
        `${said}, above your 0.005 %. As of 16:00:10 UTC.`,
      );
  });

  test('rows that enter and leave', () => {
    assert.equal(
      sentence(funding, { kind: 'enters' }, 'entered'),
      'BTC funding on Binance is +0.01 % per 8 h (11 % APR). It is new on your list. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(listings, { kind: 'enters' }, 'entered'),
      'Listing of NEWCOIN-USDT on Bybit is effective 2026-11-18 at 08:00 UTC (preopen). It is new on your list. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(arbitrage, { kind: 'leaves' }, 'left', {}, false),
      'SOL arbitrage, long on OKX and short on Bybit has left your list. As of 16:00:10 UTC.',
    );
  });

  test('spreads, the backtest and arbitrage', () => {
    assert.equal(
      sentence(spreads, above('spread_pct', 0.1), 'crossed'),
      'BTC spread between Binance and OKX is +0.11 % (buy on Binance, sell on OKX, -0.09001 % after fees), above your 0.1 %. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(spreadBacktest, above('est_profit_pct', 0.05), 'crossed'),
      'Backtest of the SOL spread between Bybit and Gate shows +0.081 % per round trip after fees (17 cycles, confidence 58 of 100), above your 0.05 %. As of 16:00:10 UTC.',
    );
    assert.equal(
      sentence(arbitrage, above('net_apr_pct', 10), 'crossed'),
      'SOL arbitrage, long on OKX and short on Bybit, earns 16 % a year at the running rates (13 % after costs), above your 10 % APR. As of 16:00:10 UTC.',
    );
  });

  test('delayed data says so', () => {
    if (!isStreamed(funding)) throw new Error('funding has no stream');
    const text = eventSentence({
      ...{ rows: funding.rows, condition: { kind: 'enters' }, kind: 'entered', row: exampleRow(funding) },
      ...{ isListed: true, asOfMs: AS_OF_MS, delaySeconds: 900 },
    });
    assert.match(text, /As of 16:00:10 UTC, delayed by 15 minutes\.$/);
  });

  test('a rule without a name gets one from its condition', () => {
    assert.equal(ruleName('/funding', above('rate_pct', 0.05)), '/funding: rate above 0.05 %');
    assert.equal(ruleName('/listings', { kind: 'enters' }), '/listings: a row enters');
  });
});
