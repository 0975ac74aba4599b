import type { VenueFacts } from './venue.ts';

/** True once the venue has ended: from then on it is not called, and what it still publishes is not believed. */
export function hasEnded({ endedAt }: Pick<VenueFacts, 'endedAt'>, nowMs: number): boolean {
  return endedAt !== undefined && nowMs >= endedAt.value;
}
