const HOURS_PER_DAY = 24;
/** From three days on hours are hard to read. */
const MOST_HOURS = 72;

/** `38 h`, from three days on `3.4 d`, and `under 1 h`. */
export function durationText(hours: number): string {
  if (hours > 0 && hours < 1) return 'under 1\u00a0h';
  if (hours < MOST_HOURS) return `${hours.toFixed(0)}\u00a0h`;
  return `${(hours / HOURS_PER_DAY).toFixed(1)}\u00a0d`;
}

/** The time until a pair has paid its costs back. */
export function breakEvenText(hours: number): string {
  return hours === 0 ? 'at once' : durationText(hours);
}

/** `2 h 24`, or `12 min` below an hour. */
export function heldText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes}\u00a0min`;
  return `${hours}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
}
