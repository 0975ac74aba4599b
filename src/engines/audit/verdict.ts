import { type AuditedSettlement, MINUTES_PER_DAY } from '../../history/audit/model.ts';
import { ALLOWED_INTERVALS_HOURS } from '../../market/interval.ts';
import { BP_PER_PCT, comparisonOf } from './comparison.ts';
import type { RateFault } from './faults.ts';

/** Comparisons that a verdict needs, and the newest that it looks at. */
export const LEAST_INFORMATIVE = 50;
const MOST_INFORMATIVE = 200;
/** An alarm begins when this share of the informative comparisons shows the fault, and ends below the other. */
const ALARM_FROM_SHARE = 0.8;
const ALARM_UNTIL_SHARE = 0.5;
/** Two hypotheses that differ by less than this cannot be told apart. */
const LEAST_DIFFERENCE_BP = 0.1;
/**
 * Two prints in a row of contracts that settle every hour differ by less: their rates are an eighth as large. Large
 * differences are told apart best, because rates are rounded, so smaller ones count only while there are too few.
 */
const SHIFT_DIFFERENCES_BP = [LEAST_DIFFERENCE_BP, LEAST_DIFFERENCE_BP / 2, LEAST_DIFFERENCE_BP / 4];
const DIFFERENCE_HOURS = 8;
/** A rate fits a fault when it is off by at most this share of what separates the fault from the truth. */
const FITTING_SHARE = 0.25;
/** Hundreds of contracts pinned at one rate are one fact, not hundreds. */
const SAME_VALUES_COUNTED = 5;
const REMEMBERED = 1000;
/** Older comparisons say nothing about the venue of today. */
export const EVIDENCE_DAYS = 7;
const OLDEST_MINUTES = EVIDENCE_DAYS * MINUTES_PER_DAY;
const GAP_TOLERANCE_MINUTES = 5;

export interface FaultShare {
  fault: RateFault;
  /** Comparisons that could tell this fault from the truth. */
  informative: number;
  /** Those that show the fault. */
  fitting: number;
}

/** What a comparison knows of its neighbours. NaN: unknown. */
interface Evidence {
  minute: number;
  expectedPct: number;
  printPct: number;
  previousPrintPct: number;
  /** What was expected of the previous print, and so a rate that may equal the present one. */
  previousExpectedPct: number;
  /** 0: cannot be said. 1: as published. 2: another interval that exists. */
  interval: 0 | 1 | 2;
  /** By how much two prints in a row must differ at least, to tell one settlement from the next. */
  leastShiftBp: number;
  isAccrual: boolean;
}

const FACTORS: readonly (readonly [RateFault, number])[] = [
  ['hundredfold', 100],
  ['hundredth', 1 / 100],
  ['eightfold', 8],
  ['eighth', 1 / 8],
  ['sign', -1],
];

/** The newest comparisons of one venue, in a ring of fixed size, and what they say about systematic faults. */
export class VenueEvidence {
  readonly #ring: Evidence[] = [];
  #at = 0;
  /** By contract: the newest comparison, to join the next one to. */
  readonly #last = new Map<string, { minute: number; expectedPct: number }>();

  /** Comparisons of a contract come in the order of their settlements. */
  add(settlement: AuditedSettlement): void {
    const compared = comparisonOf(settlement);
    if (!compared) return;
    const { venueSymbol, minute, gapMinutes, previousPrintPct, isAccrual } = settlement;
    const last = this.#last.get(venueSymbol);
    const isNext = last !== undefined && gapMinutes !== null && last.minute === minute - gapMinutes;
    this.#ring[this.#at] = {
      minute,
      expectedPct: compared.expectedPct,
      printPct: compared.printPct,
      previousPrintPct: previousPrintPct ?? Number.NaN,
      previousExpectedPct: isNext ? last.expectedPct : Number.NaN,
      interval: intervalOf(settlement),
      leastShiftBp: leastShiftBp(settlement),
      isAccrual,
    };
    this.#at = (this.#at + 1) % REMEMBERED;
    this.#last.set(venueSymbol, { minute, expectedPct: compared.expectedPct });
  }

  /** Contracts without a comparison for this long are gone. */
  forgetBefore(minute: number): void {
    for (const [venueSymbol, last] of this.#last) if (last.minute < minute) this.#last.delete(venueSymbol);
  }

  /** How many comparisons of the last days a verdict rests on. */
  count(nowMinute: number): number {
    return this.#newest(nowMinute).length;
  }

  /** For each fault how many comparisons could show it and how many do, over the newest ones. */
  shares(nowMinute: number): FaultShare[] {
    const newest = this.#newest(nowMinute);
    const distinct = withoutRepeats(newest);
    return [
      ...FACTORS.map(([fault, factor]) =>
        shareOf(fault, distinct, ({ expectedPct, printPct }) => {
          const faulty = printPct * factor;
          return fits(expectedPct, printPct, faulty, Math.abs(faulty));
        }),
      ),
      shiftShare('last_settled', distinct, (one) => [one.expectedPct, one.printPct, one.previousPrintPct]),
      shiftShare('next_settled', distinct, (one) => [
        one.previousExpectedPct,
        one.previousPrintPct,
        one.printPct,
      ]),
      shareOf('interval', newest, ({ interval }) => (interval === 0 ? null : interval === 2)),
    ];
  }

  #newest(nowMinute: number): Evidence[] {
    return this.#ring
      .filter(({ minute }) => minute > nowMinute - OLDEST_MINUTES)
      .sort((a, b) => b.minute - a.minute);
  }
}

/** The fault that a venue certainly has; of several the one that the most comparisons show. */
export function clearFault(shares: readonly FaultShare[]): FaultShare | null {
  const share = ({ fitting, informative }: FaultShare) => fitting / informative;
  return (
    shares
      .filter((one) => one.informative >= LEAST_INFORMATIVE && share(one) >= ALARM_FROM_SHARE)
      .sort((a, b) => share(b) - share(a))[0] ?? null
  );
}

/** Whether a fault that was clear before is still likely: the same comparisons do not begin and end an alarm. */
export function isStillLikely(fault: RateFault, shares: readonly FaultShare[]): boolean {
  const found = shares.find((one) => one.fault === fault);
  if (!found || found.informative < LEAST_INFORMATIVE) return false;
  return found.fitting / found.informative >= ALARM_UNTIL_SHARE;
}

/**
 * Null when the published rate cannot tell the fault from the truth: the two are too close. A factor must not be
 * mistaken for zero, so its tolerance is also a share of the faulty rate itself.
 */
function fits(
  publishedPct: number,
  truePct: number,
  faultyPct: number,
  scalePct: number,
  leastBp = LEAST_DIFFERENCE_BP,
): boolean | null {
  const apartPct = Math.abs(faultyPct - truePct);
  if (!(apartPct * BP_PER_PCT >= leastBp) || Number.isNaN(publishedPct)) return null;
  return Math.abs(publishedPct - faultyPct) <= FITTING_SHARE * Math.min(apartPct, scalePct);
}

/** Accruals have no settlements that could be mixed up. */
function shiftShare(
  fault: RateFault,
  newestFirst: readonly Evidence[],
  ratesOf: (one: Evidence) => [publishedPct: number, truePct: number, faultyPct: number],
): FaultShare {
  const differingBy = (atLeastBp: number) =>
    shareOf(fault, newestFirst, (one) => {
      const leastBp = Math.max(atLeastBp, one.leastShiftBp);
      return one.isAccrual ? null : fits(...ratesOf(one), Number.POSITIVE_INFINITY, leastBp);
    });
  for (const atLeastBp of SHIFT_DIFFERENCES_BP) {
    const share = differingBy(atLeastBp);
    if (share.informative >= LEAST_INFORMATIVE) return share;
  }
  return differingBy(0);
}

function leastShiftBp({ intervalHours }: AuditedSettlement): number {
  const hours = Math.min(intervalHours ?? DIFFERENCE_HOURS, DIFFERENCE_HOURS);
  return (LEAST_DIFFERENCE_BP * hours) / DIFFERENCE_HOURS;
}

function shareOf(
  fault: RateFault,
  newestFirst: readonly Evidence[],
  shows: (one: Evidence) => boolean | null,
): FaultShare {
  const found: FaultShare = { fault, informative: 0, fitting: 0 };
  for (const one of newestFirst) {
    const isFitting = shows(one);
    if (isFitting === null) continue;
    found.informative++;
    if (isFitting) found.fitting++;
    if (found.informative === MOST_INFORMATIVE) break;
  }
  return found;
}

function withoutRepeats(newestFirst: readonly Evidence[]): Evidence[] {
  const counts = new Map<string, number>();
  return newestFirst.filter(({ expectedPct, printPct }) => {
    const values = `${expectedPct} ${printPct}`;
    const count = (counts.get(values) ?? 0) + 1;
    counts.set(values, count);
    return count <= SAME_VALUES_COUNTED;
  });
}

function intervalOf({ intervalHours, gapMinutes, isAccrual }: AuditedSettlement): 0 | 1 | 2 {
  if (intervalHours === null || gapMinutes === null || isAccrual) return 0;
  if (Math.abs(gapMinutes - intervalHours * 60) <= GAP_TOLERANCE_MINUTES) return 1;
  const hours = Math.round(gapMinutes / 60);
  return ALLOWED_INTERVALS_HOURS.includes(hours) ? 2 : 0;
}
