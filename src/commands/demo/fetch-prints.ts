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

/** The prints of the last days of all venues, in one call to the simulator. */
export async function fetchPastPrints(simUrl: string): Promise<PastPrints> {
  const toMs = systemClock.nowMs();
  const fromMs = toMs - PRINTS_DAYS * DAY_MS;
  const query = new URLSearchParams({ from_ms: String(fromMs), to_ms: String(toMs) });
  const bytes = await buffer(await callSimulator(`${simUrl}/control/prints?${query}`));
  return { bytes, fromMs, toMs };
}
