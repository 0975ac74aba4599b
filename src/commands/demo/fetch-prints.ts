import { buffer } from 'node:stream/consumers';
import { systemClock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/times.ts';
import { callSimulator } from '../../wiring/simulator-call.ts';

/** Covers the sums over 30 days of a snapshot that is 15 minutes old. */
export const PRINTS_DAYS = 32;

export interface PastPrints {
  bytes: Buffer;
  fromMs: number;
  toMs: number;
}

/**
 * Megabytes that are needed once. Promises and functions that wait keep what they got for as long as they run, so the bytes
 * are taken out of what they keep.
 */
export class FetchedPrints {
  #prints: PastPrints | null;

  constructor(prints: PastPrints) {
    this.#prints = prints;
  }

  take(): PastPrints {
    const prints = this.#prints;
    if (prints === null) throw new Error('the prints were taken before');
    this.#prints = null;
    return prints;
  }
}

/** The prints of the last days of all venues, in one call to the simulator. */
export async function fetchPastPrints(simUrl: string): Promise<FetchedPrints> {
  const toMs = systemClock.nowMs();
  const fromMs = toMs - PRINTS_DAYS * DAY_MS;
  const query = new URLSearchParams({ from_ms: String(fromMs), to_ms: String(toMs) });
  const bytes = await buffer(await callSimulator(`${simUrl}/control/prints?${query}`));
  return new FetchedPrints({ bytes, fromMs, toMs });
}
