/** One settlement of one contract for which a rate was published: what clients saw, and what was then paid. */
export interface AuditedSettlement {
  venueSymbol: string;
  /** Of the settlement, in minutes since the epoch. */
  minute: number;
  /** The last rate published before the settlement, in percent. */
  publishedPct: number;
  /** How long before the settlement that was. */
  publishedSecondsBefore: number;
  /** The newest rate for the same settlement published at least a minute before that; null if there is none. */
  earlierPct: number | null;
  /** The interval that was published beside it. */
  intervalHours: number | null;
  /** The row had no next settlement: funding accrues, and the hour's accrual takes the place of a settlement. */
  isAccrual: boolean;
  /** The settled print in percent; null while it is unknown. */
  printPct: number | null;
  /** The contract's print before it, and the time from that one to this one. */
  previousPrintPct: number | null;
  gapMinutes: number | null;
  /** From the settlement until the print was known here; null when a restart hid it. */
  delaySeconds: number | null;
}

export const MINUTES_PER_DAY = 1440;
/** Days of settlements that are kept: the longest window of the page, and some to look back on. */
export const AUDIT_DAYS = 35;

export function dayOf(minute: number): number {
  return Math.floor(minute / MINUTES_PER_DAY);
}

/** Unique among the settlements of a venue. */
export function settlementKey({
  venueSymbol,
  minute,
}: Pick<AuditedSettlement, 'venueSymbol' | 'minute'>): string {
  return `${venueSymbol} ${minute}`;
}

/** Name of the document with the newest report. */
export const AUDIT_REPORT = 'report';
