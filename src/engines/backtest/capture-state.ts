import { SIZES_USD } from '../../history/samples/model.ts';
import type { Backtest } from './engine.ts';
import type { BacktestState } from './state.ts';

const WALKS_PER_PAIR = SIZES_USD.length * 2;

/** The engine's state after its last minute, for `Backtest.resume`. */
export function captureState(backtest: Backtest, basis: string): BacktestState {
  const { pairs } = backtest.book;
  const nameOf = (walk: number) => {
    const pair = pairs[Math.floor(walk / WALKS_PER_PAIR)];
    if (!pair) throw new Error(`walk ${walk} belongs to no pair`);
    return {
      idA: pair.a.contract.id,
      idB: pair.b.contract.id,
      size: (walk % WALKS_PER_PAIR) >> 1,
      direction: walk & 1,
    };
  };
  const open: BacktestState['open'] = [];
  const { openedAt, entryPct, levelPct } = backtest.walks;
  for (let walk = 0; walk < pairs.length * WALKS_PER_PAIR; walk++) {
    const openMinute = openedAt[walk] as number;
    if (openMinute < 0) continue;
    open.push({
      ...nameOf(walk),
      openMinute,
      entryPct: entryPct[walk] as number,
      targetPct: levelPct[walk] as number,
    });
  }
  return {
    minute: backtest.minute,
    basis,
    contracts: [...backtest.series].map(([id, { lastMinute }]) => ({ id, lastMinute })),
    open,
    closed: backtest.cycles.all.map(({ place, direction, openMinute, closeMinute, profitPct }) => ({
      ...nameOf(place * 2 + direction),
      openMinute,
      closeMinute,
      profitPct,
    })),
  };
}
