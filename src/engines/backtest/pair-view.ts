import { SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';
import type { Cycle } from './cycles.ts';
import type { Backtest } from './engine.ts';
import { type Pair, sizePlace } from './pairs.ts';
import { medianOf } from './selection.ts';

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
  /** The prices of the last minutes, newest first: enough of them for readers of delayed data. */
  recent: PairMinute[];
}

/** What an order of the size gets on both venues in one minute; null where a book could not fill it. */
export interface PairMinute {
  minute: number;
  buyA: number | null;
  sellA: number | null;
  buyB: number | null;
  sellB: number | null;
  /** The median exit of the 24 hours before, long A and long B. Known every few minutes, because it takes long. */
  usualExitAPct: number | null;
  usualExitBPct: number | null;
}

/** More than the delay of delayed data. */
const RECENT_MINUTES = 21;
const MEDIAN_EVERY = 5;

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
  const size = SIZES_USD.indexOf(name.sizeUsd);
  const cycles = backtest.cycles.at(sizePlace(place, size));
  if (!pair) return null;
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
    recent: recentMinutes(backtest, pair, size),
  };
}

function recentMinutes(backtest: Backtest, { a, b }: Pair, size: number): PairMinute[] {
  const { minute, rule } = backtest;
  const { medianMinutes, medianMinimum } = rule;
  const columns = [a, b].flatMap((leg) => [
    backtest.fillsOf(leg, size),
    backtest.fillsOf(leg, SIZES_USD.length + size),
  ]);
  const priceAt = (column: number, at: number) => {
    const price = columns[column]?.[at % medianMinutes] ?? Number.NaN;
    return Number.isNaN(price) ? null : price;
  };
  const exits = new Float64Array(medianMinutes);
  const usualExit = (sell: number, buy: number, until: number) => {
    let count = 0;
    for (let at = Math.max(0, minute - medianMinutes + 1); at <= until; at++) {
      const [sold, bought] = [priceAt(sell, at), priceAt(buy, at)];
      if (sold !== null && bought !== null) exits[count++] = ((sold - bought) / bought) * 100;
    }
    return count < medianMinimum ? null : medianOf(exits, count);
  };
  return Array.from({ length: Math.min(RECENT_MINUTES, medianMinutes) }, (_, back) => {
    const at = minute - back;
    const hasMedian = back % MEDIAN_EVERY === 0;
    return {
      minute: at,
      buyA: priceAt(0, at),
      sellA: priceAt(1, at),
      buyB: priceAt(2, at),
      sellB: priceAt(3, at),
      usualExitAPct: hasMedian ? usualExit(1, 2, at) : null,
      usualExitBPct: hasMedian ? usualExit(3, 0, at) : null,
    };
  });
}

/** The first index with both mids: charts start there. */
function firstInBoth(midsA: Float32Array, midsB: Float32Array): number {
  let first = 0;
  while (first < midsA.length && !((midsA[first] ?? 0) > 0 && (midsB[first] ?? 0) > 0)) first++;
  return first;
}
