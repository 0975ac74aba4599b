import type { Shelf } from '../../base/shelf.ts';
import type { BacktestRule } from './rule.ts';

/** A contract's mid prices of the scan window, minute by minute, and which sizes it could be traded at. */
export interface Mids {
  /** 0 where there is none. */
  mids: Float32Array;
  /** Sizes that had both a buy and a sell price, a bit each. */
  filled: Uint8Array;
}

const BYTES_PER_MINUTE = 5;
/** The pairs of one coin are looked at one after the other and share their legs. */
const KEPT_AT_HAND = 32;

/**
 * Rings of steps, one for each contract. A week of minutes is four fifths of all that is known of a contract, but only
 * the figures that change once a step need it: so finished steps lie on a shelf, and only the running one in memory.
 */
export class MidRings {
  readonly stepMinutes: number;
  readonly ringMinutes: number;
  readonly #shelf: Shelf;
  readonly #steps: number;
  readonly #atHand = new Map<number, Mids>();
  readonly #record: Uint8Array;

  constructor(rule: BacktestRule, shelf: Shelf) {
    this.#shelf = shelf;
    this.stepMinutes = rule.rangeStepMinutes;
    // One more than the window is long, because it may begin inside a step.
    this.#steps = Math.ceil(rule.windowMinutes / this.stepMinutes) + 1;
    this.ringMinutes = this.#steps * this.stepMinutes;
    this.#record = new Uint8Array(this.stepMinutes * BYTES_PER_MINUTE);
  }

  /** Puts a finished step away. */
  put(ring: number, step: number, { mids, filled }: Mids): void {
    const record = this.#record;
    record.set(new Uint8Array(mids.buffer, mids.byteOffset, mids.byteLength));
    record.set(filled, mids.byteLength);
    this.#shelf.write(this.#offset(ring, step % this.#steps), record);
    this.#atHand.delete(ring);
  }

  /** All finished steps of a ring; a minute is at its number modulo `ringMinutes`. Not to be kept or changed. */
  read(ring: number): Mids {
    const known = this.#atHand.get(ring);
    if (known) return known;
    const bytes = new Uint8Array(this.#record.length * this.#steps);
    this.#shelf.read(this.#offset(ring, 0), bytes);
    const made = { mids: new Float32Array(this.ringMinutes), filled: new Uint8Array(this.ringMinutes) };
    const midBytes = new Uint8Array(made.mids.buffer);
    const { stepMinutes } = this;
    for (let step = 0; step < this.#steps; step++) {
      const from = step * this.#record.length;
      const filledFrom = from + stepMinutes * 4;
      midBytes.set(bytes.subarray(from, filledFrom), step * stepMinutes * 4);
      made.filled.set(bytes.subarray(filledFrom, from + this.#record.length), step * stepMinutes);
    }
    if (this.#atHand.size >= KEPT_AT_HAND) this.#atHand.clear();
    this.#atHand.set(ring, made);
    return made;
  }

  /** Makes a ring that somebody else had as good as new. */
  clear(ring: number): void {
    this.#shelf.write(this.#offset(ring, 0), new Uint8Array(this.#record.length * this.#steps));
    this.#atHand.delete(ring);
  }

  emptyStep(): Mids {
    return { mids: new Float32Array(this.stepMinutes), filled: new Uint8Array(this.stepMinutes) };
  }

  /** How many steps a ring remembers. */
  get steps(): number {
    return this.#steps;
  }

  #offset(ring: number, slot: number): number {
    return (ring * this.#steps + slot) * this.#record.length;
  }
}
