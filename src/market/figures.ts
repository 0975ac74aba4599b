import type { MarketFigures } from '../venues/observations.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';

/** The figures of a contract besides rate, top and volume. */
export type FigureName = Exclude<keyof MarketFigures, 'venueSymbol' | 'openInterestCount' | 'isMarketClosed'>;

export const FIGURE_NAMES: readonly FigureName[] = ['markPrice', 'indexPrice', 'openInterestUsdt'];

export interface DatedFigure {
  value: number;
  atMs: number;
}

export interface DatedIndex extends DatedFigure {
  /** When this value was first received, later by every time for which nothing was received. */
  sinceMs: number;
  /** How long the value before it was received; absent while there was none. */
  beforeStoodMs?: number;
}

export interface DatedInterest extends DatedFigure {
  /** The newest number of the venue's own contracts or coins; a source that gives only their value keeps it. */
  count?: number;
  isStreamed?: true;
  /** The newest value from the other kind of source: from a call if this is from a stream, and the other way round. */
  otherSource?: DatedFigure;
}

/** The newest value of each figure and when it was received. A venue may give each in a different call. */
export interface LatestFigures {
  markPrice?: DatedFigure;
  indexPrice?: DatedIndex;
  openInterestUsdt?: DatedInterest;
  /** The venue's own flag. */
  marketClosed?: { value: boolean; atMs: number };
}

/** Why an open interest is not published, in the words of the quarantine. */
export const INTEREST_FAULTS = {
  volume: 'open interest above 1,000 times the volume of the day',
  sources: 'open interest of two sources differs by more than 20 times',
} as const;
export type InterestFault = keyof typeof INTEREST_FAULTS;

const MOST_DAYS_OF_VOLUME = 1000;
/** Quiet contracts are healthy beyond it: Hyperliquid has 229,079 dollars open with 101 traded in a day, and 386,366 with none. */
const LEAST_JUDGED_BY_VOLUME_USDT = 1e7;
const MOST_BETWEEN_SOURCES = 20;
/** A new contract opens its first positions between two calls. */
const LEAST_JUDGED_BY_SOURCE_USDT = 1e5;

/**
 * The index after a row: an equal value confirms it, another one begins anew. While a venue does not answer, its index does not
 * stand still: a venue that comes back may repeat its last value first.
 */
export function newIndex(held: DatedIndex | undefined, value: number, atMs: number): DatedIndex {
  if (!held) return { value, atMs, sinceMs: atMs };
  const silentMs = atMs - held.atMs;
  return held.value === value
    ? { ...held, atMs, sinceMs: held.sinceMs + (silentMs > ROW_MAX_AGE_MS ? silentMs : 0) }
    : { value, atMs, sinceMs: atMs, beforeStoodMs: held.atMs - held.sinceMs };
}

/** The figure after a row of a call or a stream. */
export function newInterest(
  held: DatedInterest | undefined,
  { value, atMs, count = held?.count }: DatedFigure & { count: number | undefined },
  isStreamed: boolean,
): DatedInterest {
  const isOfOtherKind = held !== undefined && (held.isStreamed ?? false) !== isStreamed;
  const otherSource = isOfOtherKind ? { value: held.value, atMs: held.atMs } : held?.otherSource;
  return {
    value,
    atMs,
    ...(count === undefined ? {} : { count }),
    ...(isStreamed ? { isStreamed } : {}),
    ...(otherSource ? { otherSource } : {}),
  };
}

/** Why the open interest of a contract cannot be right, or null. The unit of a venue whose sources differ is not known. */
export function interestFaultAt(
  figures: LatestFigures | undefined,
  volume24hUsdt: number | null,
  nowMs: number,
): InterestFault | null {
  const figure = figures?.openInterestUsdt;
  if (!isFresh(figure, nowMs)) return null;
  const { value, otherSource } = figure;
  if (isFresh(otherSource, nowMs)) {
    const [less, more] = [Math.min(value, otherSource.value), Math.max(value, otherSource.value)];
    if (more >= LEAST_JUDGED_BY_SOURCE_USDT && more > less * MOST_BETWEEN_SOURCES) return 'sources';
  }
  const isBeyondVolume = volume24hUsdt !== null && value > volume24hUsdt * MOST_DAYS_OF_VOLUME;
  return isBeyondVolume && value >= LEAST_JUDGED_BY_VOLUME_USDT ? 'volume' : null;
}

/**
 * The figures of a row. One that was not received for as long as a row may be old is null. An open interest of zero beside
 * volume is unknown: BloFin's BTC-USDC says 0 with 48.9 BTC traded a day. So is one that cannot be right.
 */
export function figuresAt(
  figures: LatestFigures | undefined,
  volume24hUsdt: number | null,
  nowMs: number,
): Readonly<Record<FigureName, number | null>> {
  const freshOf = (name: FigureName) => {
    const figure = figures?.[name];
    return isFresh(figure, nowMs) ? figure.value : null;
  };
  const openInterestUsdt = freshOf('openInterestUsdt');
  const isUnknown =
    (openInterestUsdt === 0 && (volume24hUsdt ?? 0) > 0) ||
    interestFaultAt(figures, volume24hUsdt, nowMs) !== null;
  return {
    markPrice: freshOf('markPrice'),
    indexPrice: freshOf('indexPrice'),
    openInterestUsdt: isUnknown ? null : openInterestUsdt,
  };
}

export function isFresh<F extends { atMs: number }>(figure: F | undefined, nowMs: number): figure is F {
  return figure !== undefined && nowMs - figure.atMs <= ROW_MAX_AGE_MS;
}
