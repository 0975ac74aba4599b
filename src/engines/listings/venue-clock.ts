import { DAY_MS, HOUR_MS, MINUTE_MS, nextFullHourMs } from '../../base/times.ts';
import type { Batch } from '../../venues/observations.ts';

/** What the times in a batch say about the clock of its venue. */
interface ClockEvidence {
  isOff: boolean;
  /** From the times of quotes, which are exact. Settlement times only show a clock that is hours off. */
  isExact: boolean;
}

/** When the venue's times were last right and last off, by our monotonic clock. */
interface VenueClock {
  statesExactTimes: boolean;
  rightMs: number;
  offMs: number;
}

/** Quotes whose newest time is further than this from their receive time are of another time. */
const FAR_MS = 5 * MINUTE_MS;
/** Venues show the settlement before for some minutes; no settlement is further ahead than a day. */
const SETTLEMENT_PAST_MS = HOUR_MS;
const SETTLEMENT_AHEAD_MS = DAY_MS;
/** The book of a thin contract has an old time, so a clock is off when no time was right for this long. */
const NONE_RIGHT_FOR_MS = MINUTE_MS;
/** What a venue said longer ago than this tells nothing. */
const KNOWN_FOR_MS = 10 * MINUTE_MS;

/** Whether the clocks of venues are right, by the newest times that they state. */
export class VenueClocks {
  readonly #clocks = new Map<string, VenueClock>();

  /** `nowMs` is monotonic. */
  note(exchange: string, batch: Batch, receivedAtMs: number, nowMs: number): void {
    const evidence = clockEvidence(batch, receivedAtMs);
    if (!evidence) return;
    const { isOff, isExact } = evidence;
    const clock = this.#clocks.get(exchange) ?? {
      statesExactTimes: false,
      rightMs: Number.NEGATIVE_INFINITY,
      offMs: Number.NEGATIVE_INFINITY,
    };
    this.#clocks.set(exchange, clock);
    clock.statesExactTimes ||= isExact;
    if (isOff) clock.offMs = nowMs;
    else if (isExact || !clock.statesExactTimes) clock.rightMs = nowMs;
  }

  /** A venue that has stated no time is not off. If most venues are off, it is our own clock, and none of them is. */
  isOff(exchange: string, nowMs: number): boolean {
    const clock = this.#clocks.get(exchange);
    if (!clock || !seemsOff(clock, nowMs)) return false;
    const known = [...this.#clocks.values()].filter((one) => nowMs - lastHeardMs(one) <= KNOWN_FOR_MS);
    return known.filter((one) => seemsOff(one, nowMs)).length * 2 <= known.length;
  }
}

function seemsOff({ rightMs, offMs }: VenueClock, nowMs: number): boolean {
  return offMs - rightMs > NONE_RIGHT_FOR_MS && nowMs - offMs <= KNOWN_FOR_MS;
}

function lastHeardMs({ rightMs, offMs }: VenueClock): number {
  return Math.max(rightMs, offMs);
}

/** Null: the batch has no times that the venue has stated. */
function clockEvidence(batch: Batch, receivedAtMs: number): ClockEvidence | null {
  const newestMs = newestTime(batch);
  if (newestMs !== null) return { isOff: Math.abs(newestMs - receivedAtMs) > FAR_MS, isExact: true };
  return settlementEvidence(batch, receivedAtMs);
}

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
