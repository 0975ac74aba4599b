import type { Batch, BookTop, DayVolume, FundingQuote, MarketFigures } from '../venues/observations.ts';
import { FIGURE_NAMES, type LatestFigures } from './figures.ts';

/** What is known of a contract, as far as a new reply is compared with it. */
interface KnownValues {
  ratePct: number | null;
  rateVenueTimeMs: number | null;
  nextFundingAtMs: number | null;
  top: BookTop | null;
  volume24hUsdt: number | null;
  referencePrice: number | null;
  figures?: LatestFigures;
}

type States = ReadonlyMap<string, KnownValues>;

/** Whether any figure of a reply with rates differs from what is known: then the reply is no repetition. */
export function hasMoved(batch: Batch, states: States): boolean {
  return (
    batch.fundingQuotes.some((quote) => isNewRate(quote, states)) ||
    batch.dayVolumes.some((volume) => isNewVolume(volume, states)) ||
    batch.bookTops.some((top) => isNewTop(top, states)) ||
    batch.marketFigures.some((figures) => hasNewFigure(figures, states))
  );
}

function isNewRate(quote: FundingQuote, states: States): boolean {
  const state = states.get(quote.venueSymbol);
  return (
    state !== undefined &&
    (state.ratePct !== quote.ratePct ||
      state.rateVenueTimeMs !== quote.venueTimeMs ||
      (quote.nextFundingAtMs !== undefined && state.nextFundingAtMs !== quote.nextFundingAtMs))
  );
}

function isNewVolume(volume: DayVolume, states: States): boolean {
  const state = states.get(volume.venueSymbol);
  return (
    state !== undefined &&
    (state.volume24hUsdt !== volume.volume24hUsdt ||
      (volume.referencePrice !== null && state.referencePrice !== volume.referencePrice))
  );
}

function hasNewFigure(row: MarketFigures, states: States): boolean {
  const state = states.get(row.venueSymbol);
  return (
    state !== undefined &&
    FIGURE_NAMES.some((name) => row[name] !== null && row[name] !== state.figures?.[name]?.value)
  );
}

export function isNewTop(top: BookTop, states: States): boolean {
  const state = states.get(top.venueSymbol);
  return state !== undefined && (state.top === null || !sameTop(state.top, top));
}

/** The newest time that the rows carry, or null. */
export function newestTimeMs(quotes: readonly FundingQuote[]): number | null {
  let newestMs: number | null = null;
  for (const { venueTimeMs } of quotes)
    if (venueTimeMs !== null && (newestMs === null || venueTimeMs > newestMs)) newestMs = venueTimeMs;
  return newestMs;
}

export function sameTop(a: BookTop, b: BookTop): boolean {
  return (
    a.bidPrice === b.bidPrice &&
    a.askPrice === b.askPrice &&
    a.bidSize === b.bidSize &&
    a.askSize === b.askSize &&
    a.venueTimeMs === b.venueTimeMs
  );
}
