import { AttemptLimit } from '../accounts/attempt-limit.ts';
import type { Clock } from '../base/clock.ts';
import { HOUR_MS } from '../base/times.ts';

/** What one address may make us keep or fetch. People register an assistant a few times, floods thousands of times. */
export interface ClientLimits {
  registrations: AttemptLimit;
  fetches: AttemptLimit;
}

export const REGISTRATIONS_PER_HOUR = 30;
const FETCHES_PER_HOUR = 60;

export function createClientLimits(clock: Clock): ClientLimits {
  return {
    registrations: new AttemptLimit({ most: REGISTRATIONS_PER_HOUR, withinMs: HOUR_MS }, clock),
    fetches: new AttemptLimit({ most: FETCHES_PER_HOUR, withinMs: HOUR_MS }, clock),
  };
}
