import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { Announcement, Batch, ContractList } from '../../venues/observations.ts';
import { clockEvidence } from './venue-clock.ts';

/** A contract list, or notices, of a venue. */
interface HeldReading {
  exchange: string;
  list: ContractList | null;
  notices: readonly Announcement[];
  atMs: number;
}

interface VenueClock {
  statesExactTimes: boolean;
  rightMs: number;
  offMs: number;
}

/** Every venue has a call with times that is repeated more often than this. */
const HELD_FOR_MS = 20 * SECOND_MS;
/** A clock that was off, and of which nothing was heard since, still counts as off for this long. */
const OFF_FOR_MS = 10 * MINUTE_MS;
/** If most of at least this many venues are off, it is our own clock. */
const VENUES_THAT_AGREE = 4;
/** After a start, other venues may need this long until they show whether it is our own clock. */
const OTHERS_KNOWN_WITHIN_MS = 2 * MINUTE_MS;

/**
 * Holds contract lists and notices until the venue's clock is known to be right. A venue whose clock is off shows the
 * contracts of another day: those that opened since seem delisted, and those that ended since seem listed again.
 */
export class HeldLists {
  readonly #onChange: (exchange: string, isOff: boolean) => void;
  readonly #clocks = new Map<string, VenueClock>();
  readonly #off = new Set<string>();
  #held: (HeldReading & { sinceMs: number; wasOff: boolean })[] = [];

  /** `onChange` is called when what a venue sends is left out because of its clock, and when it is used again. */
  constructor(onChange: (exchange: string, isOff: boolean) => void) {
    this.#onChange = onChange;
  }

  /** `nowMs` is monotonic. */
  take(exchange: string, batch: Batch, receivedAtMs: number, nowMs: number): void {
    this.#note(exchange, batch, receivedAtMs, nowMs);
    const { contractList: list, announcements: notices } = batch;
    if (list || notices.length > 0)
      this.#held.push({ exchange, list, notices, atMs: receivedAtMs, sinceMs: nowMs, wasOff: false });
  }

  /** What may be used now, in the order of arrival. */
  release(nowMs: number): HeldReading[] {
    const held = this.#held;
    this.#held = [];
    const released: HeldReading[] = [];
    for (const reading of held) {
      const { exchange } = reading;
      const isUsable = this.#isUsable(reading, nowMs);
      if (isUsable === null) {
        this.#held.push(reading);
        continue;
      }
      if (isUsable) released.push(reading);
      if (this.#off.has(exchange) !== isUsable) continue;
      if (isUsable) this.#off.delete(exchange);
      else this.#off.add(exchange);
      this.#onChange(exchange, !isUsable);
    }
    return released;
  }

  /** Our clock was set: receive times change with it. */
  shiftTimes(byMs: number, nowMs: number): void {
    for (const reading of this.#held) reading.atMs = Math.min(reading.atMs + byMs, nowMs);
  }

  #note(exchange: string, batch: Batch, receivedAtMs: number, nowMs: number): void {
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

  /** Null: not known yet. */
  #isUsable(reading: HeldReading & { sinceMs: number; wasOff: boolean }, nowMs: number): boolean | null {
    const { exchange, sinceMs } = reading;
    const clock = this.#clocks.get(exchange);
    const heldForMs = nowMs - sinceMs;
    if (!reading.wasOff) {
      if (clock && clock.rightMs >= sinceMs) return true;
      if (heldForMs < HELD_FOR_MS) return null;
      if (!clock || !isOffAt(clock, nowMs)) return true;
      reading.wasOff = true;
    }
    const known = this.#knownClocks(nowMs);
    if (known.length < VENUES_THAT_AGREE) return heldForMs < OTHERS_KNOWN_WITHIN_MS ? null : false;
    return known.filter((one) => isOffAt(one, nowMs)).length * 2 > known.length;
  }

  #knownClocks(nowMs: number): VenueClock[] {
    return [...this.#clocks.values()].filter(
      ({ rightMs, offMs }) => nowMs - Math.max(rightMs, offMs) <= OFF_FOR_MS,
    );
  }
}

function isOffAt({ rightMs, offMs }: VenueClock, nowMs: number): boolean {
  return offMs > rightMs && nowMs - offMs <= OFF_FOR_MS;
}
