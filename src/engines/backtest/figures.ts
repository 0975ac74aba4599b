import { SIZES_USD } from '../../history/samples/model.ts';
import type { Mids } from './mids.ts';
import { quantileOf } from './selection.ts';

const SIZES = SIZES_USD.length;

export interface WindowFigures {
  spreadRangePct: number;
  /** By size: the share of minutes in which both legs could be bought and sold. */
  coverage: readonly number[];
}

/** P95 − P5 of the mid-price spread, and coverage, over [toMinute − window, toMinute). `toMinute` is the end of a step. */
export function windowFigures(
  a: Mids,
  b: Mids,
  toMinute: number,
  windowMinutes: number,
  scratch: Float64Array,
): WindowFigures {
  const { length } = a.mids;
  const both = new Uint32Array(1 << SIZES);
  let count = 0;
  for (let minute = toMinute - windowMinutes, slot = minute % length; minute < toMinute; minute++, slot++) {
    if (slot === length) slot = 0;
    const [midA, midB] = [a.mids[slot] as number, b.mids[slot] as number];
    scratch[count] = ((midB - midA) / midA) * 100;
    if (midA > 0 && midB > 0) count++;
    const sizes = (a.filled[slot] as number) & (b.filled[slot] as number);
    both[sizes] = (both[sizes] as number) + 1;
  }
  const coverage = SIZES_USD.map((_, size) =>
    both.reduce((sum, minutes, sizes) => sum + (sizes & (1 << size) ? minutes : 0), 0),
  );
  return {
    spreadRangePct: count === 0 ? 0 : quantileOf(scratch, count, 0.95) - quantileOf(scratch, count, 0.05),
    coverage: coverage.map((minutes) => minutes / windowMinutes),
  };
}
