import { buffer } from 'node:stream/consumers';
import { systemClock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/times.ts';
import { callSimulator } from '../../wiring/simulator-call.ts';

/** Covers the sums over 30 days of a snapshot that is 15 minutes old. */
export const PRINTS_DAYS = 32;

/**
 * Megabytes that are needed once. Promises and functions that wait keep what they got for as long as they run, so the bytes
 * are taken out of what they keep.
 */
export class FetchedPrints {
  #bytes: Buffer | null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(): Buffer {
    const bytes = this.#bytes;
    if (bytes === null) throw new Error('the prints were taken before');
    this.#bytes = null;
    return bytes;
  }
}

/** The prints of the last days of all venues, in one call to the simulator. */
export async function fetchPastPrints(simUrl: string): Promise<FetchedPrints> {
  const toMs = systemClock.nowMs();
  const query = new URLSearchParams({ from_ms: String(toMs - PRINTS_DAYS * DAY_MS), to_ms: String(toMs) });
  return new FetchedPrints(await buffer(await callSimulator(`${simUrl}/control/prints?${query}`)));
}
