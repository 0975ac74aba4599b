import type { Batch } from '../observations.ts';

/** What a venue needs after a settlement until it shows the next one. */
const AFTER_SETTLEMENT_MS = 3_000;
const STUCK_AFTER_MS = 60_000;

/** How long to wait before a reply is read again that has the next settlements, at most `everyMs`. */
export function untilSettlement(batch: Batch, nowMs: number, everyMs: number): number {
  let delayMs = everyMs;
  for (const { nextFundingAtMs } of [...batch.fundingSchedules, ...batch.fundingQuotes]) {
    if (nextFundingAtMs === null || nextFundingAtMs === undefined) continue;
    const leftMs = nextFundingAtMs - nowMs;
    // A time that has just passed: the venue has not moved on yet. One that passed long ago is stuck.
    if (leftMs > 0) delayMs = Math.min(delayMs, leftMs + AFTER_SETTLEMENT_MS);
    else if (leftMs > -STUCK_AFTER_MS) delayMs = Math.min(delayMs, AFTER_SETTLEMENT_MS);
  }
  return delayMs;
}
