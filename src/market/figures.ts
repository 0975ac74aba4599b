import type { MarketFigures } from '../venues/observations.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';

/** The figures of a contract besides rate, top and volume. */
export type FigureName = Exclude<keyof MarketFigures, 'venueSymbol'>;

export const FIGURE_NAMES: readonly FigureName[] = ['markPrice', 'indexPrice', 'openInterestUsdt'];

/** The newest value of each figure and when it was received. A venue may give each in a different call. */
export type LatestFigures = Partial<Record<FigureName, { value: number; atMs: number }>>;

/**
 * The figures of a row. One that was not received for as long as a row may be old is null. An open interest of zero beside
 * volume is unknown: BloFin's BTC-USDC says 0 with 48.9 BTC traded a day.
 */
export function figuresAt(
  figures: LatestFigures | undefined,
  volume24hUsdt: number | null,
  nowMs: number,
): Readonly<Record<FigureName, number | null>> {
  const freshOf = (name: FigureName) => {
    const figure = figures?.[name];
    return figure && nowMs - figure.atMs <= ROW_MAX_AGE_MS ? figure.value : null;
  };
  const openInterestUsdt = freshOf('openInterestUsdt');
  return {
    markPrice: freshOf('markPrice'),
    indexPrice: freshOf('indexPrice'),
    openInterestUsdt: openInterestUsdt === 0 && (volume24hUsdt ?? 0) > 0 ? null : openInterestUsdt,
  };
}
