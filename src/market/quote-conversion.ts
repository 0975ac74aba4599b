import { median } from '../base/numbers.ts';
import { SAME_COIN_TOLERANCE } from './identity.ts';

/** A venue's mid price of a coin in one of the dollar quotes, divided by the contract's multiplier. */
export interface QuotedMid {
  exchange: string;
  coin: string;
  quote: string;
  mid: number;
}

const COMMON_QUOTE = 'USDT';
/** A tenth of a basis point: finer steps are noise of the mids, and each would move every converted price. */
const RATE_STEPS_PER_UNIT = 100_000;

/**
 * USDT for one unit of each quote: the median of the mid-price ratios over the coins that one venue quotes in both.
 * A quote with no USDT pair is converted through another quote. `before` holds the previous rates, used when no venue
 * gives one now.
 */
export function usdtPerQuote(
  mids: Iterable<QuotedMid>,
  before: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const ratios = ratiosByQuotes(mids);
  const rates = new Map([[COMMON_QUOTE, 1]]);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    const reached = [...rates];
    for (const [quote, byOther] of ratios) {
      if (rates.has(quote)) continue;
      const samples = reached.flatMap(([other, rate]) =>
        (byOther.get(other) ?? []).map((ratio) => ratio * rate),
      );
      if (samples.length === 0) continue;
      rates.set(quote, Math.round(median(samples) * RATE_STEPS_PER_UNIT) / RATE_STEPS_PER_UNIT);
      isGrowing = true;
    }
  }
  for (const [quote, rate] of before) if (!rates.has(quote)) rates.set(quote, rate);
  return rates;
}

/** For each pair of quotes: what one unit of the first is worth in the second, once per venue and coin. */
function ratiosByQuotes(mids: Iterable<QuotedMid>): Map<string, Map<string, number[]>> {
  const together = new Map<string, QuotedMid[]>();
  for (const quoted of mids) {
    const key = `${quoted.exchange}/${quoted.coin}`;
    const others = together.get(key);
    if (others) others.push(quoted);
    else together.set(key, [quoted]);
  }
  const ratios = new Map<string, Map<string, number[]>>();
  for (const group of together.values()) {
    for (const { quote, mid } of group) {
      for (const other of group) {
        const ratio = other.mid / mid;
        // Prices that differ more are of different coins.
        if (other.quote === quote || !(Math.abs(ratio - 1) <= SAME_COIN_TOLERANCE)) continue;
        const byOther = ratios.get(quote) ?? new Map<string, number[]>();
        ratios.set(quote, byOther);
        byOther.set(other.quote, [...(byOther.get(other.quote) ?? []), ratio]);
      }
    }
  }
  return ratios;
}
