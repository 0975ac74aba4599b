import { SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';
import type { Backtest, Cycle } from './engine.ts';
import { sizePlace } from './pairs.ts';

export interface PairName {
  coin: string;
  exchangeA: string;
  exchangeB: string;
  sizeUsd: SizeUsd;
}

export interface PairView {
  /** The minute of the first spread; one value per minute follows. */
  fromMinute: number;
  /** (mid B - mid A) / mid A in percent; NaN where one of them is unknown. */
  spreadsPct: Float32Array;
  /** Closed cycles of the window, in the order of closing. */
  cycles: Omit<Cycle, 'place'>[];
}

/** The spread and the cycles of a pair over the scan window, from which its backtest row is computed. */
export function pairView(backtest: Backtest, name: PairName): PairView | null {
  const place = backtest.book.pairs.findIndex(
    (pair) =>
      pair !== null &&
      pair.rivals[0] === pair &&
      pair.a.contract.coin === name.coin &&
      pair.a.contract.exchange === name.exchangeA &&
      pair.b.contract.exchange === name.exchangeB,
  );
  const pair = backtest.book.pairs[place];
  const cycles = backtest.cyclesAt[sizePlace(place, SIZES_USD.indexOf(name.sizeUsd))];
  if (!pair || !cycles || cycles.length === 0) return null;
  const [midsA, midsB] = [backtest.midsOf(pair.a), backtest.midsOf(pair.b)];
  const first = firstInBoth(midsA, midsB);
  const spreadsPct = new Float32Array(midsA.length - first);
  for (let i = 0; i < spreadsPct.length; i++) {
    const a = midsA[first + i] ?? 0;
    const b = midsB[first + i] ?? 0;
    spreadsPct[i] = a > 0 && b > 0 ? ((b - a) / a) * 100 : Number.NaN;
  }
  return {
    fromMinute: backtest.minute - spreadsPct.length + 1,
    spreadsPct,
    cycles: cycles.map(({ place: _place, ...cycle }) => cycle),
  };
}

/** The first index with both mids: charts start there. */
function firstInBoth(midsA: Float32Array, midsB: Float32Array): number {
  let first = 0;
  while (first < midsA.length && !((midsA[first] ?? 0) > 0 && (midsB[first] ?? 0) > 0)) first++;
  return first;
}
