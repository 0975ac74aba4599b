const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'].concat([
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]);

/** The day above the rows of a day, such as `Tuesday, 17 November 2026`; in UTC, and with scripts in the reader's zone. */
export function dayHeading(effectiveAt: unknown, asOf: string): string {
  if (typeof effectiveAt !== 'string') return 'Not announced yet';
  const at = new Date(effectiveAt);
  const day = `${WEEKDAYS[at.getUTCDay()]}, ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  // What is still to come today is listed first, what is over further below.
  const isOverToday = effectiveAt.slice(0, 10) === asOf.slice(0, 10) && effectiveAt <= asOf;
  return isOverToday ? `${day}, earlier` : day;
}
