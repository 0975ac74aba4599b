import type { AuditedSettlement } from '../../history/audit/model.ts';

/** One percent is a hundred basis points. */
export const BP_PER_PCT = 100;
/** A print this close to the published rate counts as predicted. */
export const CLOSE_BP = 0.1;
/** Below this a rate counts as zero: neither its sign nor a ratio to it says anything. */
const ZERO_BP = 0.01;

/** A published rate beside the settled print of the same settlement. */
export interface Comparison {
  /** What the published rate lets one expect of the print, in percent. */
  expectedPct: number;
  printPct: number;
  /** Expected minus printed, in basis points. */
  errorBp: number;
  /** The same for the rate published a minute earlier; null if there was none. */
  earlierErrorBp: number | null;
  /** Null when one of the two is zero. */
  hasSameSign: boolean | null;
  /** Print / expected; null when the expected one is zero. */
  ratio: number | null;
}

/** Null while the print is unknown, or when an accrual cannot be scaled to the time that its print is for. */
export function comparisonOf(settlement: AuditedSettlement): Comparison | null {
  const { publishedPct, earlierPct, printPct } = settlement;
  const scale = scaleOf(settlement);
  if (printPct === null || scale === null) return null;
  const expectedPct = publishedPct * scale;
  const isNothing = (ratePct: number) => Math.abs(ratePct) * BP_PER_PCT < ZERO_BP;
  return {
    expectedPct,
    printPct,
    errorBp: (expectedPct - printPct) * BP_PER_PCT,
    earlierErrorBp: earlierPct === null ? null : (earlierPct * scale - printPct) * BP_PER_PCT,
    hasSameSign:
      isNothing(expectedPct) || isNothing(printPct) ? null : Math.sign(expectedPct) === Math.sign(printPct),
    ratio: isNothing(expectedPct) ? null : printPct / expectedPct,
  };
}

/** A running rate is for `intervalHours`; the print of an accruing contract is for the time since the one before. */
function scaleOf({ isAccrual, intervalHours, gapMinutes }: AuditedSettlement): number | null {
  if (!isAccrual) return 1;
  return intervalHours === null || gapMinutes === null ? null : gapMinutes / 60 / intervalHours;
}
