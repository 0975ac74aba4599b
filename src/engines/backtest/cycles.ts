/** A cycle that opened and closed. */
export interface Cycle {
  /** The index of pair and size: see `sizePlace`. */
  place: number;
  /** 0 = long A, short B; 1 = the other way round. */
  direction: number;
  openMinute: number;
  closeMinute: number;
  profitPct: number;
}

/** Cutting the list copies it, so it is cut only when at least this many cycles at its start have left the window. */
const LEAST_CUT = 1000;

/** The cycles that closed within the window, oldest first. */
export class ClosedCycles {
  readonly #byPlace: (Cycle[] | undefined)[] = [];
  #all: Cycle[] = [];
  /** Cycles before this index have left the window. */
  #from = 0;

  get all(): readonly Cycle[] {
    return this.#all.slice(this.#from);
  }

  /** Those of one pair and size. */
  at(place: number): readonly Cycle[] {
    return this.#byPlace[place] ?? [];
  }

  /** Cycles must be added in the order of closing. */
  add(cycle: Cycle): void {
    this.#all.push(cycle);
    const cycles = this.#byPlace[cycle.place];
    if (cycles) cycles.push(cycle);
    else this.#byPlace[cycle.place] = [cycle];
  }

  /** Removes the cycles that closed in this minute or earlier. */
  removeUntil(minute: number): void {
    for (let cycle = this.#all[this.#from]; cycle && cycle.closeMinute <= minute; ) {
      this.#byPlace[cycle.place]?.shift();
      cycle = this.#all[++this.#from];
    }
    if (this.#from > LEAST_CUT && this.#from * 2 > this.#all.length) {
      this.#all = this.#all.slice(this.#from);
      this.#from = 0;
    }
  }
}
