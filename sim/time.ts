import type { Clock } from '../src/base/clock.ts';

/** The simulator's time: the clock's, or a fixed time while a client collects the past. */
export class SimTime {
  readonly #clock: Clock;
  #heldAtMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isHeld(): boolean {
    return this.#heldAtMs !== null;
  }

  nowMs(): number {
    return this.#heldAtMs ?? this.#clock.nowMs();
  }

  holdAt(atMs: number): void {
    this.#heldAtMs = atMs;
  }

  runLive(): void {
    this.#heldAtMs = null;
  }
}
