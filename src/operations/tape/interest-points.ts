import { FIVE, type TapeSeries } from '../../history/tape/series.ts';
import type { ReadSeries } from './request.ts';
import { figureOf, minuteTexts, type StepPlaces, stepsOf } from './steps.ts';

type Figure = number | null;

interface InterestPoint {
  at: string;
  open_interest_usdt: Figure;
  low_open_interest_usdt: Figure;
  high_open_interest_usdt: Figure;
  mark_price: Figure;
  low_mark_price: Figure;
  high_mark_price: Figure;
  premium_pct: Figure;
  low_premium_pct: Figure;
  high_premium_pct: Figure;
  volume_24h_usdt: Figure;
}

interface InterestSeries {
  exchange: string;
  symbol: string;
  venue_symbol: string;
  is_inverse: boolean;
  points: readonly InterestPoint[];
}

interface InterestSum {
  at: string;
  open_interest_usdt: Figure;
  open_interest_venues: number;
  volume_24h_usdt: Figure;
  volume_venues: number;
}

export interface OpenInterest {
  coin: string;
  step: string;
  from: string;
  to: string;
  total: readonly InterestSum[];
  series: readonly InterestSeries[];
}

/** The places of the five minutes of a step. A single minute has those that end with it. */
function fivesOf(
  series: TapeSeries,
  { minute, first, end }: StepPlaces,
  stepMinutes: number,
): [first: number, end: number] {
  const place = (at: number) => Math.floor((series.fromMinute + at) / FIVE) - series.fromFive;
  if (stepMinutes === 1 && minute % FIVE !== FIVE - 1) return [0, 0];
  return [place(first), place(end - 1) + 1];
}

/** The points of a venue. */
export function interestSeries({ contract, series }: ReadSeries, stepMinutes: number): InterestSeries {
  const textOf = minuteTexts();
  const points: InterestPoint[] = [];
  for (const step of stepsOf(series, stepMinutes)) {
    const [firstFive, endFive] = fivesOf(series, step, stepMinutes);
    const ofFives = (name: 'markPrice' | 'openInterestUsdt' | 'volume24hUsdt') =>
      figureOf(series.column(name), firstFive, endFive);
    const premium = figureOf(series.column('premiumPct'), step.first, step.end);
    const [interest, mark] = [ofFives('openInterestUsdt'), ofFives('markPrice')];
    const hasRange = stepMinutes > 1;
    points.push({
      at: textOf(step.minute),
      open_interest_usdt: interest.last,
      low_open_interest_usdt: hasRange ? interest.low : null,
      high_open_interest_usdt: hasRange ? interest.high : null,
      mark_price: mark.last,
      low_mark_price: hasRange ? mark.low : null,
      high_mark_price: hasRange ? mark.high : null,
      premium_pct: premium.last,
      low_premium_pct: hasRange ? premium.low : null,
      high_premium_pct: hasRange ? premium.high : null,
      volume_24h_usdt: ofFives('volume24hUsdt').last,
    });
  }
  const { exchange, symbol, venueSymbol, isInverse } = contract;
  return { exchange, symbol, venue_symbol: venueSymbol, is_inverse: isInverse, points };
}

/** The sums over the venues at each step of any of them. */
export function interestTotal(series: readonly InterestSeries[]): InterestSum[] {
  const sums = new Map<string, InterestSum>();
  for (const { points } of series)
    for (const { at, open_interest_usdt, volume_24h_usdt } of points) {
      const sum = sums.get(at) ?? {
        ...{ at, open_interest_usdt: null, open_interest_venues: 0 },
        ...{ volume_24h_usdt: null, volume_venues: 0 },
      };
      sums.set(at, sum);
      if (open_interest_usdt !== null) {
        sum.open_interest_usdt = plus(sum.open_interest_usdt, open_interest_usdt);
        sum.open_interest_venues++;
      }
      if (volume_24h_usdt === null) continue;
      sum.volume_24h_usdt = plus(sum.volume_24h_usdt, volume_24h_usdt);
      sum.volume_venues++;
    }
  return [...sums.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** To the cent, which hides rounding errors. */
function plus(sum: Figure, usdt: number): number {
  return Math.round(((sum ?? 0) + usdt) * 100) / 100;
}
