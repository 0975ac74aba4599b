import type { ContractDays } from './contract-days.ts';
import { FEATURE_COUNT, HORIZONS_DAYS } from './model.ts';

const HOURS_PER_DAY = 24;
const SCALE_DAYS = 30;
const LEAST_KNOWN_HOURS = SCALE_DAYS * HOURS_PER_DAY * 0.95;
/** Two legs that always paid the same have no spread at all; their scale is this, in percent a day. */
export const LEAST_SCALE_PCT = 1e-5;

/** The two legs of a pair: `long` pays what it settles, `short` receives it. */
export interface PairLegs {
  long: ContractDays;
  short: ContractDays;
}

/** What was known of each pair at each midnight, and what it earned afterwards. Rows are in the order of time. */
export interface Observations {
  count: number;
  /** The first row of each place, and the number of rows at the end. */
  firstRow: Int32Array;
  pair: Int32Array;
  /** FEATURE_COUNT for each row, in percent a day. */
  features: Float64Array;
  /** The mean of the absolute hourly spread over 30 days, times 24. */
  scales: Float64Array;
  /** For each horizon: percent a day; NaN if it is not known. */
  outcomes: readonly Float64Array[];
}

/** All rows whose features are known, for midnights 0 to `places` - 1. */
export function observationsOf(pairs: readonly PairLegs[], places: number): Observations {
  const most = pairs.length * places;
  const rows: Observations = {
    count: 0,
    firstRow: new Int32Array(places + 1),
    pair: new Int32Array(most),
    features: new Float64Array(most * FEATURE_COUNT),
    scales: new Float64Array(most),
    outcomes: HORIZONS_DAYS.map(() => new Float64Array(most)),
  };
  const scales = pairs.map((pair) => scalesOf(pair, places));
  for (let place = 0; place < places; place++) {
    rows.firstRow[place] = rows.count;
    for (let pair = 0; pair < pairs.length; pair++) {
      const scale = scales[pair]?.[place] as number;
      if (!Number.isNaN(scale)) observe(rows, pairs, pair, place, scale);
    }
  }
  rows.firstRow[places] = rows.count;
  return rows;
}

function observe(
  rows: Observations,
  pairs: readonly PairLegs[],
  pair: number,
  place: number,
  scale: number,
): void {
  const { long, short } = pairs[pair] as PairLegs;
  const row = rows.count;
  const [paid, received] = [long.features(place), short.features(place)];
  for (let k = 0; k < FEATURE_COUNT; k++) {
    const difference = (received[k] as number) - (paid[k] as number);
    if (Number.isNaN(difference)) return;
    rows.features[row * FEATURE_COUNT + k] = difference;
  }
  for (const [i, days] of HORIZONS_DAYS.entries())
    (rows.outcomes[i] as Float64Array)[row] =
      (short.sumPct(place, place + days) - long.sumPct(place, place + days)) / days;
  rows.pair[row] = pair;
  rows.scales[row] = Math.max(scale, LEAST_SCALE_PCT);
  rows.count++;
}

/**
 * For each midnight the mean of the absolute hourly spread of 30 days, times 24; NaN under 95 % coverage. The days end a day before
 * the midnight: a print that settles after it may be for hours before it, but not for hours that long ago.
 */
function scalesOf({ long, short }: PairLegs, places: number): Float64Array {
  const [totals, known] = [new Float64Array(places + 1), new Float64Array(places + 1)];
  for (let place = 0; place < places; place++) {
    let [total, count] = [0, 0];
    for (let hour = place * HOURS_PER_DAY; hour < (place + 1) * HOURS_PER_DAY; hour++) {
      const spread = Math.abs((short.hours[hour] as number) - (long.hours[hour] as number));
      // False for NaN, and for hours after the last midnight.
      if (!(spread >= 0)) continue;
      total += spread;
      count++;
    }
    totals[place + 1] = (totals[place] as number) + total;
    known[place + 1] = (known[place] as number) + count;
  }
  return Float64Array.from({ length: places }, (_, place) => {
    const [from, to] = [Math.max(0, place - 1 - SCALE_DAYS), Math.max(0, place - 1)];
    const hours = (known[to] as number) - (known[from] as number);
    if (hours < LEAST_KNOWN_HOURS) return Number.NaN;
    return (((totals[to] as number) - (totals[from] as number)) / hours) * HOURS_PER_DAY;
  });
}
