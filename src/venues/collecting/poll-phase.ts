import { createHash } from 'node:crypto';

/** Quotes of different venues are compared, so those of one round must stay close to each other in time. */
const LARGEST_MS = 500;
/** Of a poll's period, for the shortest ones. */
const LARGEST_PART = 0.25;

/**
 * How much earlier than after its period the second run of a poll comes, so that from then on polls with the same period do
 * not begin in the same moment. The same for each start of a service, other for each poll.
 */
export function phaseMs(venueSlug: string, pollName: string, everyMs: number): number {
  const hash = createHash('sha256').update(`${venueSlug} ${pollName}`).digest();
  return Math.floor((hash.readUInt32LE() / 2 ** 32) * Math.min(LARGEST_MS, LARGEST_PART * everyMs));
}
