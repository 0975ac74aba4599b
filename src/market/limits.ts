import { MAX_OPEN_INTEREST_USDT, MAX_PRICE, MAX_SIZE, MAX_VOLUME_24H_USDT } from '../venues/bounds.ts';
import type { BookTop, Contract, DayVolume } from '../venues/observations.ts';
import type { RateCap, Venue } from '../venues/venue.ts';
import type { FigureName } from './figures.ts';

/** For an interval that is not known. */
const ASSUMED_HOURS = 8;
/**
 * Bounds for venues whose cap is not known. Caps of up to 7.5 % a settlement and 4 % an hour exist, and venues shorten
 * the interval of a contract that is at its cap, so the larger of both counts.
 */
const DEFAULT_CAPS: readonly RateCap[] = [
  { pct: 10, perHours: null },
  { pct: 4, perHours: 1 },
];
/** Rates are decimals that were multiplied by 100. */
const ROUNDING = 1 + 1e-9;

/** The largest rate of one settlement that the venue can charge, in percent. */
export function maxRatePct(venue: Venue, intervalHours: number | null): number {
  const known = venue.facts.rateCap?.value;
  const hours = intervalHours ?? ASSUMED_HOURS;
  const bounds = (known ? [known] : DEFAULT_CAPS).map(({ pct, perHours }) =>
    perHours === null ? pct : (pct * hours) / perHours,
  );
  return Math.max(...bounds);
}

/** Why a value cannot be right, or null. A rate beyond a cap is a unit mistake. */
export function rateFault(
  venue: Venue,
  { rateCapPct = Number.POSITIVE_INFINITY }: Pick<Contract, 'rateCapPct'>,
  ratePct: number,
  intervalHours: number | null,
): string | null {
  const sizePct = Math.abs(ratePct);
  if (!(sizePct <= maxRatePct(venue, intervalHours) * ROUNDING)) return 'rate above the cap of the venue';
  return sizePct <= rateCapPct * ROUNDING ? null : 'rate above the cap of the contract';
}

export function topFault({ bidPrice, askPrice, bidSize, askSize }: BookTop): string | null {
  if (!(bidPrice <= MAX_PRICE && askPrice <= MAX_PRICE)) return 'impossible price';
  if (!((bidSize ?? 0) <= MAX_SIZE && (askSize ?? 0) <= MAX_SIZE)) return 'impossible size';
  return null;
}

export function volumeFault({ volume24hUsdt, referencePrice }: DayVolume): string | null {
  if (!(volume24hUsdt <= MAX_VOLUME_24H_USDT)) return 'impossible volume';
  return (referencePrice ?? 0) <= MAX_PRICE ? null : 'impossible price';
}

export function figureFault(name: FigureName, value: number): string | null {
  if (name === 'openInterestUsdt')
    return value >= 0 && value <= MAX_OPEN_INTEREST_USDT ? null : 'impossible open interest';
  return value > 0 && value <= MAX_PRICE ? null : 'impossible price';
}
