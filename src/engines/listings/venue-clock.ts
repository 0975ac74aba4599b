import { DAY_MS, HOUR_MS, MINUTE_MS, nextFullHourMs } from '../../base/times.ts';
import type { Batch } from '../../venues/observations.ts';

/** What the times in a batch say about the clock of its venue. */
interface ClockEvidence {
  isOff: boolean;
  /** From the times of quotes, which are exact. Settlement times only show a clock that is hours off. */
  isExact: boolean;
}

/** Quotes whose newest time is further than this from their receive time are of another time. */
const FAR_MS = 5 * MINUTE_MS;
/** Venues show the settlement before for some minutes; no settlement is further ahead than a day. */
const SETTLEMENT_PAST_MS = HOUR_MS;
const SETTLEMENT_AHEAD_MS = DAY_MS;

/** Null: the batch has no times that the venue has stated. */
export function clockEvidence(batch: Batch, receivedAtMs: number): ClockEvidence | null {
  const newestMs = newestTime(batch);
  if (newestMs !== null) return { isOff: Math.abs(newestMs - receivedAtMs) > FAR_MS, isExact: true };
  return settlementEvidence(batch, receivedAtMs);
}

/** A thin book has an old time, so only the newest one tells. */
function newestTime({ bookTops, fundingQuotes, depths }: Batch): number | null {
  let newestMs: number | null = null;
  for (const rows of [bookTops, fundingQuotes, depths])
    for (const { venueTimeMs } of rows)
      if (venueTimeMs !== null && venueTimeMs > (newestMs ?? 0)) newestMs = venueTimeMs;
  return newestMs;
}

function settlementEvidence(batch: Batch, receivedAtMs: number): ClockEvidence | null {
  // Where a venue settles every hour and states no time, its parser takes the next full hour of our clock.
  const assumedMs = nextFullHourMs(receivedAtMs);
  let [all, off, right] = [0, 0, 0];
  for (const rows of [batch.fundingQuotes, batch.fundingSchedules])
    for (const { nextFundingAtMs } of rows) {
      if (nextFundingAtMs === null || nextFundingAtMs === undefined) continue;
      all++;
      const inMs = nextFundingAtMs - receivedAtMs;
      if (inMs < -SETTLEMENT_PAST_MS || inMs > SETTLEMENT_AHEAD_MS) off++;
      else if (nextFundingAtMs !== assumedMs) right++;
    }
  if (off * 2 > all) return { isOff: true, isExact: false };
  return right > 0 ? { isOff: false, isExact: false } : null;
}
