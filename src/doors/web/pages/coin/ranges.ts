/** The ranges of charts, in days. */
export const RANGES_DAYS = [7, 30, 90, 180, 365, 730];

/** `90 d`, `1 y`. */
export const rangeText = (days: number): string => (days % 365 === 0 ? `${days / 365} y` : `${days} d`);
