import { inParts } from '../../base/async/in-parts.ts';
import { FIVE, type TapeSeries } from '../../history/tape/series.ts';
import type { PointSeries, TapeData } from './answer.ts';
import { figureOf, minuteTexts, type StepPlaces } from './steps.ts';

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

interface InterestSum {
  at: string;
  open_interest_usdt: Figure;
  open_interest_venues: number;
  volume_24h_usdt: Figure;
  volume_venues: number;
}

export interface OpenInterest extends TapeData<InterestPoint> {
  total: readonly InterestSum[];
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

export function interestPoints(series: TapeSeries, stepMinutes: number): (step: StepPlaces) => InterestPoint {
  const textOf = minuteTexts();
  const hasRange = stepMinutes > 1;
  return (step) => {
    const [firstFive, endFive] = fivesOf(series, step, stepMinutes);
    const ofFives = (name: 'markPrice' | 'openInterestUsdt' | 'volume24hUsdt') =>
      figureOf(series.column(name), firstFive, endFive);
    const premium = figureOf(series.column('premiumPct'), step.first, step.end);
    const [interest, mark] = [ofFives('openInterestUsdt'), ofFives('markPrice')];
    return {
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
    };
  };
}

/** The sums over the venues at each step of any of them. */
export async function interestTotal(series: readonly PointSeries<InterestPoint>[]): Promise<InterestSum[]> {
  const sums = new Map<string, InterestSum>();
  for await (const points of inParts(series.values().flatMap((one) => one.points)))
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
