import type { ContractDays } from './contract-days.ts';
import {
  errorScalePctDay,
  FEATURE_COUNT,
  FEATURE_LIMIT,
  HORIZONS_DAYS,
  JUMP_SHARE,
  LEAST_SCALE_PCT,
  limited,
} from './model.ts';

const HOURS_PER_DAY = 24;
const SCALE_DAYS = 30;
const LEAST_KNOWN_HOURS = SCALE_DAYS * HOURS_PER_DAY * 0.95;

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
  /** FEATURE_COUNT for each row, in percent a day: short minus long. */
  raw: Float64Array;
  /** The same with what each contract contributes limited: what is fitted. */
  features: Float64Array;
  /** In what the errors of the row are measured, percent a day. */
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
    raw: new Float64Array(most * FEATURE_COUNT),
    features: new Float64Array(most * FEATURE_COUNT),
    scales: new Float64Array(most),
    outcomes: HORIZONS_DAYS.map(() => new Float64Array(most)),
  };
  const spreads = pairs.map((pair) => spreadsOf(pair, places));
  for (let place = 0; place < places; place++) {
    rows.firstRow[place] = rows.count;
    for (let pair = 0; pair < pairs.length; pair++) {
      const spread = spreads[pair]?.[place] as number;
      if (!Number.isNaN(spread)) observe(rows, pairs, pair, place, spread);
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
  spreadPctDay: number,
): void {
  const { long, short } = pairs[pair] as PairLegs;
  const row = rows.count;
  const at = row * FEATURE_COUNT;
  const [paid, received] = [long.features(place), short.features(place)];
  const [mostPaid, mostReceived] = [long, short].map((leg) => FEATURE_LIMIT * leg.absolutePctDay(place)) as [
    number,
    number,
  ];
  for (let k = 0; k < FEATURE_COUNT; k++) {
    const [outgoing, incoming] = [paid[k] as number, received[k] as number];
    rows.raw[at + k] = incoming - outgoing;
    rows.features[at + k] = limited(incoming, mostReceived) - limited(outgoing, mostPaid);
    if (Number.isNaN(rows.features[at + k])) return;
  }
  for (const [i, days] of HORIZONS_DAYS.entries())
    (rows.outcomes[i] as Float64Array)[row] =
      (short.sumPct(place, place + days) - long.sumPct(place, place + days)) / days;
  rows.pair[row] = pair;
  rows.scales[row] = errorScalePctDay(JUMP_SHARE, Math.max(spreadPctDay, LEAST_SCALE_PCT), rows.raw, at);
  rows.count++;
}

/**
 * For each midnight the mean of the absolute hourly spread of 30 days, times 24; NaN under 95 % coverage. The days end a day before
 * the midnight: a print that settles after it may be for hours before it, but not for hours that long ago.
 */
function spreadsOf({ long, short }: PairLegs, places: number): Float64Array {
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
