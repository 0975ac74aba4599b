import { SIZES_USD } from '../../history/samples/model.ts';

const WALKS_PER_PAIR = SIZES_USD.length * 2;
const NONE = -1;

/** One walk per pair, size and direction, in typed arrays that grow with the pairs. */
export class WalkStates {
  /** Minute at which the open cycle was opened; -1 while none is open. */
  openedAt = new Int32Array(0);
  entryPct = new Float64Array(0);
  /** While a cycle is open: the exit that closes it. Else: an upper bound of the median, valid until `boundUntil`. */
  levelPct = new Float64Array(0);
  boundUntil = new Int32Array(0);

  /** Resets the walks of a pair. */
  reset(pairPlace: number): void {
    const from = pairPlace * WALKS_PER_PAIR;
    if (this.openedAt.length < from + WALKS_PER_PAIR) this.#grow(Math.max(1024, from * 2));
    for (let at = from; at < from + WALKS_PER_PAIR; at++) this.end(at);
  }

  open(at: number, minute: number, entryPct: number, targetPct: number): void {
    this.openedAt[at] = minute;
    this.entryPct[at] = entryPct;
    this.levelPct[at] = targetPct;
  }

  end(at: number): void {
    this.openedAt[at] = NONE;
    this.boundUntil[at] = NONE;
  }

  bound(at: number, levelPct: number, untilMinute: number): void {
    this.levelPct[at] = levelPct;
    this.boundUntil[at] = untilMinute;
  }

  #grow(length: number): void {
    this.openedAt = grown(Int32Array, this.openedAt, length);
    this.boundUntil = grown(Int32Array, this.boundUntil, length);
    this.entryPct = grown(Float64Array, this.entryPct, length);
    this.levelPct = grown(Float64Array, this.levelPct, length);
  }
}

function grown<T extends Int32Array | Float64Array>(
  Type: new (length: number) => T,
  array: T,
  length: number,
): T {
  const larger = new Type(length);
  larger.set(array);
  return larger;
}
