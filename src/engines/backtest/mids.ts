import type { ScratchStore } from '../../storage/scratch-file.ts';
import type { BacktestRule } from './rule.ts';

/** A contract's mid prices by minute, and the sizes it could be traded at. */
export interface Mids {
  /** 0 where there is none. */
  mids: Float32Array;
  /** Sizes that had both a buy and a sell price, one bit each. */
  filled: Uint8Array;
}

const BYTES_PER_MINUTE = 5;
/** Cached rings. The pairs of one coin are read one after the other and share their legs. */
const CACHED_RINGS = 32;

/**
 * One ring of steps per contract. A week of minutes is four fifths of a contract's data, but only the figures that
 * change once per step need it: finished steps are in the scratch file, and only the current one is in memory.
 */
export class MidRings {
  readonly stepMinutes: number;
  readonly ringMinutes: number;
  readonly #scratch: ScratchStore;
  readonly #steps: number;
  readonly #cache = new Map<number, Mids>();
  readonly #record: Uint8Array;

  constructor(rule: BacktestRule, scratch: ScratchStore) {
    this.#scratch = scratch;
    this.stepMinutes = rule.rangeStepMinutes;
    // One step more than the window, because the window may begin inside a step.
    this.#steps = Math.ceil(rule.windowMinutes / this.stepMinutes) + 1;
    this.ringMinutes = this.#steps * this.stepMinutes;
    this.#record = new Uint8Array(this.stepMinutes * BYTES_PER_MINUTE);
  }

  /** Stores a finished step. */
  put(ring: number, step: number, { mids, filled }: Mids): void {
    const record = this.#record;
    record.set(new Uint8Array(mids.buffer, mids.byteOffset, mids.byteLength));
    record.set(filled, mids.byteLength);
    this.#scratch.write(this.#offset(ring, step % this.#steps), record);
    this.#cache.delete(ring);
  }

  /** All finished steps of a ring, indexed by minute modulo `ringMinutes`. Callers must not keep or change it. */
  read(ring: number): Mids {
    const known = this.#cache.get(ring);
    if (known) return known;
    const bytes = new Uint8Array(this.#record.length * this.#steps);
    this.#scratch.read(this.#offset(ring, 0), bytes);
    const made = { mids: new Float32Array(this.ringMinutes), filled: new Uint8Array(this.ringMinutes) };
    const midBytes = new Uint8Array(made.mids.buffer);
    const { stepMinutes } = this;
    for (let step = 0; step < this.#steps; step++) {
      const from = step * this.#record.length;
      const filledFrom = from + stepMinutes * 4;
      midBytes.set(bytes.subarray(from, filledFrom), step * stepMinutes * 4);
      made.filled.set(bytes.subarray(filledFrom, from + this.#record.length), step * stepMinutes);
    }
    if (this.#cache.size >= CACHED_RINGS) this.#cache.clear();
    this.#cache.set(ring, made);
    return made;
  }

  /** Clears a ring before another contract reuses it. */
  clear(ring: number): void {
    this.#scratch.write(this.#offset(ring, 0), new Uint8Array(this.#record.length * this.#steps));
    this.#cache.delete(ring);
  }

  emptyStep(): Mids {
    return { mids: new Float32Array(this.stepMinutes), filled: new Uint8Array(this.stepMinutes) };
  }

  /** The number of steps of a ring. */
  get steps(): number {
    return this.#steps;
  }

  #offset(ring: number, slot: number): number {
    return (ring * this.#steps + slot) * this.#record.length;
  }
}
