import type { Attempts, LimitAttempts } from '../accounts/attempts/memory.ts';
import { HOUR_MS, MINUTE_MS } from '../base/times.ts';

/** Rate limits against floods of what strangers can cause, per client address if nothing else is said. */
export interface ClientLimits {
  registrations: Attempts;
  authorizations: Attempts;
  fetches: Attempts;
  /** Fetches of all addresses together, under the name EVERYBODY. */
  allFetches: Attempts;
}

export const REGISTRATIONS_PER_HOUR = 30;
export const AUTHORIZATIONS_PER_HOUR = 120;
const FETCHES_PER_HOUR = 60;
export const ALL_FETCHES_PER_MINUTE = 120;
export const EVERYBODY = 'everybody';

export function createClientLimits(limitAttempts: LimitAttempts): ClientLimits {
  return {
    registrations: limitAttempts('registrations', { most: REGISTRATIONS_PER_HOUR, withinMs: HOUR_MS }),
    authorizations: limitAttempts('authorizations', { most: AUTHORIZATIONS_PER_HOUR, withinMs: HOUR_MS }),
    fetches: limitAttempts('fetches', { most: FETCHES_PER_HOUR, withinMs: HOUR_MS }),
    allFetches: limitAttempts('all-fetches', { most: ALL_FETCHES_PER_MINUTE, withinMs: MINUTE_MS }),
  };
}
