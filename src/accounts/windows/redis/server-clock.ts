import { type Clock, systemClock } from '../../../base/clock.ts';

/** When a process asked a server for its time, when the reply was there, and the time in it. All in whole milliseconds. */
export interface ClockReading {
  sentMs: number;
  receivedMs: number;
  serverMs: number;
}

/**
 * The clock of a Redis server, as a process knows it from the last heartbeat. The server read its clock some time between
 * request and reply, so its time is known within bounds. Where a request might otherwise expire too early, it is noted
 * with the latest time and compared with the earliest one.
 */
export class ServerClock {
  readonly #clock: Clock;
  /** Tests move the clock, and scripts then use its time. */
  readonly #isMoved: boolean;
  /** What the server's clock is ahead of this machine's, at least and at most. */
  #aheadMs = { least: 0, most: 0 };

  constructor(clock: Clock, isMoved = clock !== systemClock) {
    this.#clock = clock;
    this.#isMoved = isMoved;
  }

  /** Clocks that show whole milliseconds may be up to one further. */
  onReading({ sentMs, receivedMs, serverMs }: ClockReading): void {
    if (!this.#isMoved) this.#aheadMs = { least: serverMs - receivedMs - 1, most: serverMs + 1 - sentMs };
  }

  nowMs(): number {
    const { least, most } = this.#aheadMs;
    return this.#clock.nowMs() + Math.round((least + most) / 2);
  }

  earliestMs(): number {
    return this.#clock.nowMs() + this.#aheadMs.least;
  }

  latestMs(): number {
    return this.latestIn(this.#clock.nowMs() + this.#aheadMs.most);
  }

  /** The latest time that may have been cut to this one: clocks and replies have whole milliseconds. */
  latestIn(cutMs: number): number {
    return this.#isMoved ? cutMs : cutMs + 1;
  }

  /** At most this much is to be added to a time of the other clock to get the same time of this one. */
  mostAheadOf(other: ServerClock): number {
    return this.#aheadMs.most - other.#aheadMs.least;
  }
}
