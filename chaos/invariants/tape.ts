import { DAY_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import type { FundingRow } from './rows.ts';

/** What /funding says of a contract and the tape must say too. */
export type RunningFigures = Pick<FundingRow, 'rate_pct' | 'interval_hours' | 'next_funding_at'>;

/** A contract as /funding/running answers it. */
export interface RunningSeries {
  exchange: string;
  venue_symbol: string;
  points: readonly (RunningFigures & { at: string })[];
}

/** A tape is requested for a day; older answers are not compared. */
const COMPARED_MS = DAY_MS - MINUTE_MS;

/** What /funding answered last in each minute, for the comparison with the tape. */
export class TapeBook {
  /** By minute since 1970 and name of the contract. */
  readonly #answers = new Map<number, Map<string, RunningFigures>>();
  /** A wrong clock has dated minutes up to this one. */
  #wrongToMinute = Number.NEGATIVE_INFINITY;

  /** Notes an answer after which no snapshot was published. */
  note(asOfMs: number, rows: readonly FundingRow[]): void {
    const minute = minuteOf(asOfMs);
    if (minute > this.#wrongToMinute)
      this.#answers.set(minute, new Map(rows.map((row) => [nameOf(row), row])));
  }

  /** The clock has moved on. If the minute is the same, a later snapshot of it may be published, which nobody has read. */
  moved(nowMs: number): void {
    this.#answers.delete(minuteOf(nowMs));
  }

  /** A wrong clock shows this time. What it has dated may stay on the tape. */
  wrongUpTo(clockMs: number): void {
    this.#wrongToMinute = Math.max(this.#wrongToMinute, minuteOf(clockMs));
  }

  /** What was answered so far need not be on the tape. */
  forget(): void {
    this.#answers.clear();
  }

  /** Compares some contracts in every minute that was answered before the minute of the newest snapshot. */
  compare(
    series: readonly RunningSeries[],
    newestAsOfMs: number,
  ): { compared: number; violations: string[] } {
    let compared = 0;
    const violations: string[] = [];
    for (const contract of series) {
      const name = nameOf(contract);
      const recorded = new Map(contract.points.map((point) => [Date.parse(point.at) / MINUTE_MS, point]));
      for (const [minute, answers] of this.#answers) {
        const isOld = minute * MINUTE_MS < newestAsOfMs - COMPARED_MS;
        if (isOld || minute >= minuteOf(newestAsOfMs)) continue;
        const [answered, taped] = [textOf(answers.get(name)), textOf(recorded.get(minute))];
        compared++;
        if (answered !== taped)
          violations.push(
            `wrong tape: ${name} at ${isoTime(minute * MINUTE_MS)} is ${taped}, answered was ${answered}`,
          );
      }
    }
    return { compared, violations };
  }
}

function textOf(figures: RunningFigures | undefined): string {
  if (!figures) return 'a gap';
  return JSON.stringify([figures.rate_pct, figures.interval_hours, figures.next_funding_at]);
}

function nameOf({ exchange, venue_symbol }: { exchange: string; venue_symbol: string }): string {
  return `${exchange} ${venue_symbol}`;
}

function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS);
}
