import type { ReadPrints } from '../../history/settlements/reader.ts';
import type { TapeSeries } from '../../history/tape/series.ts';

/** How long before a settlement the running rate is compared with what was paid. */
export const HOURS_BEFORE = [1, 4, 8] as const;
export const MOST_MINUTES_BEFORE = 8 * 60 + 1;

const BP_PER_PCT = 100;
/** A rate was close if it was off by at most this share of the payment, or by at most a tenth of a basis point. */
const CLOSE_SHARE = 0.1;
const CLOSE_PCT = 0.001;
/** Decimal fractions are not exact in binary. */
const ROUNDING_PCT = 1e-12;

/** How well the running rate of some hours before predicted the payments. */
export interface PredictionFigures {
  hours: number;
  compared: number;
  meanErrorBp: number | null;
  closePct: number | null;
}

/** Adds up the comparisons of the contracts of a venue. */
export class PredictionSums {
  readonly #sums = HOURS_BEFORE.map((hours) => ({ hours, compared: 0, errorPct: 0, close: 0 }));

  /** Compares the payments of a contract with its tape. What was not recorded, or has no interval, is left out. */
  add({ minutes, ratesPct, intervalMinutes }: ReadPrints, tape: TapeSeries): void {
    const [running, intervals] = [tape.column('ratePct'), tape.column('intervalHours')];
    for (const [i, minute] of minutes.entries()) {
      const [paidPct, paidHours] = [ratesPct[i] as number, (intervalMinutes[i] ?? 0) / 60];
      if (paidHours === 0) continue;
      for (const sum of this.#sums) {
        // The last minute that had ended.
        const place = minute - sum.hours * 60 - 1 - tape.fromMinute;
        const predictedPct = ((running[place] ?? Number.NaN) / (intervals[place] ?? Number.NaN)) * paidHours;
        if (!Number.isFinite(predictedPct)) continue;
        const errorPct = Math.abs(predictedPct - paidPct);
        sum.compared++;
        sum.errorPct += errorPct;
        if (errorPct <= Math.max(CLOSE_SHARE * Math.abs(paidPct), CLOSE_PCT) + ROUNDING_PCT) sum.close++;
      }
    }
  }

  figures(): PredictionFigures[] {
    return this.#sums.map(({ hours, compared, errorPct, close }) => ({
      hours,
      compared,
      meanErrorBp: compared === 0 ? null : (errorPct / compared) * BP_PER_PCT,
      closePct: compared === 0 ? null : (close / compared) * 100,
    }));
  }
}
