import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { withOwnFees } from './own-fees.ts';
import { BACKTEST_TABLES } from './rows.ts';

const ROW = {
  symbol: 'SOL-USDT',
  coin: 'SOL',
  exchange_a: 'Bybit',
  exchange_b: 'Gate',
  est_profit_pct: 0.081,
  avg_profit_pct: 0.074,
  fee_pct_cycle: 0.32,
  spread_range_pct: 0.46,
  cycles: 17,
  confidence: 58,
  volume_a_usdt: 9e8,
  volume_b_usdt: 3e8,
  last_cycle_at: Date.UTC(2026, 10, 15, 10, 42),
  taker_fee_a_pct: 0.11,
  taker_fee_b_pct: 0.05,
  long_a_cycles: 12,
};

/** A contract of Bybit with a fee of its own, 0.11 %, and Gate at 0.05 %. */
function rows() {
  const builder = new TableBuilder(BACKTEST_TABLES[100]);
  builder.add(ROW);
  return builder.build();
}

const FIGURES = ['fee_pct_cycle', 'est_profit_pct', 'avg_profit_pct', 'cycles', 'confidence'];
const FEES = ['taker_fee_a_pct', 'taker_fee_b_pct'];

suite('backtest at own fees', () => {
  const figures = (fees: Record<string, number>, names = FIGURES) => {
    const own = withOwnFees(rows(), new Map(Object.entries(fees)));
    return names.map((name) => own.numbers(name)[0]);
  };

  test('the row shows the fees that it is made with', () => {
    assert.deepEqual(figures({ Gate: 0.02 }, FEES), [0.11, 0.02]);
    assert.deepEqual(figures({ OKX: 0 }, FEES), [0.11, 0.05]);
  });

  test('the profit of the same cycles rises by the fees that are saved', () => {
    assert.deepEqual(figures({ Gate: 0.02 }), [0.26, 0.141, 0.134, 17, 58]);
  });

  test('a venue that is not named keeps the fee of the contract', () => {
    assert.deepEqual(figures({ Bybit: 0.03 }), [0.16, 0.241, 0.234, 17, 58]);
  });

  test('rows without these venues do not change', () => {
    assert.deepEqual(figures({ OKX: 0 }), [0.32, 0.081, 0.074, 17, 58]);
  });
});
