import { AccountsError } from '../../../accounts/accounts-error.ts';
import { DAY_MS } from '../../../base/times.ts';

/** The fields as typed, to show them again when the form is refused. */
export interface TypedKey {
  name: string;
  scopes: readonly string[];
  expiryDay: string;
}

export function typedKey(fields: URLSearchParams): TypedKey {
  return {
    name: fields.get('name') ?? '',
    scopes: fields.getAll('scope'),
    expiryDay: (fields.get('expires') ?? '').trim(),
  };
}

/** The end of a UTC day: a key is valid through the day that its owner chose. */
export function endOfDayMs(day: string): number {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  // Some parsers turn 31 November into 1 December, so the result is compared with the input.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(startMs) || dayOf(startMs) !== day) {
    throw new AccountsError(
      'invalid-expiry',
      `"${day.slice(0, 40)}" is not a day; write the last day of the key as YYYY-MM-DD`,
    );
  }
  return startMs + DAY_MS;
}

/** The last UTC day before the expiry. */
export function lastDayOf(expiresAtMs: number): string {
  return dayOf(expiresAtMs - 1);
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
