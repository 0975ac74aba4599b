import type { Attempts, LimitAttempts } from '../accounts/attempts/memory.ts';
import { HOUR_MS } from '../base/times.ts';

/** Rate limits per client address, against floods of registrations and metadata fetches. */
export interface ClientLimits {
  registrations: Attempts;
  fetches: Attempts;
}

export const REGISTRATIONS_PER_HOUR = 30;
const FETCHES_PER_HOUR = 60;

export function createClientLimits(limitAttempts: LimitAttempts): ClientLimits {
  return {
    registrations: limitAttempts('registrations', { most: REGISTRATIONS_PER_HOUR, withinMs: HOUR_MS }),
    fetches: limitAttempts('fetches', { most: FETCHES_PER_HOUR, withinMs: HOUR_MS }),
  };
}
