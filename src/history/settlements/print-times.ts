/** Numbers that describe a run: the index of its first print, the minute of that print, and the minutes between two. */
const RUN = 3;

/**
 * The minutes of prints in ascending order, as runs with one distance: contracts settle by a schedule, so that months of
 * prints are one or a few runs, where a list would take most of the memory of a contract.
 */
export class PrintTimes {
  #runs: number[] = [];
  #count = 0;

  static of(minutes: ArrayLike<number>): PrintTimes {
    const times = new PrintTimes();
    for (let i = 0; i < minutes.length; i++) times.append(minutes[i] as number);
    return times;
  }

  get length(): number {
    return this.#count;
  }

  /** The minute must be later than all others. */
  append(minute: number): void {
    const runs = this.#runs;
    const last = runs.length - RUN;
    const isOne = last >= 0 && this.#count - (runs[last] as number) === 1;
    if (isOne) runs[last + 2] = minute - (runs[last + 1] as number);
    else if (last < 0 || minute !== this.at(this.#count - 1) + (runs[last + 2] as number))
      runs.push(this.#count, minute, 0);
    this.#count++;
  }

  at(index: number): number {
    const runs = this.#runs;
    const run = this.#runWith(0, index);
    return (runs[run + 1] as number) + (index - (runs[run] as number)) * (runs[run + 2] as number);
  }

  /** The distance of the prints around one, from the second before it to the one after it; 0 if it is not the same. */
  stepAround(index: number): number {
    const run = this.#runWith(0, index);
    const end = this.#endOf(run);
    return index - 2 >= (this.#runs[run] as number) && index + 1 < end ? (this.#runs[run + 2] as number) : 0;
  }

  /** The index after the last print that has the same distances around it as this one, where they are the same. */
  evenUntil(index: number): number {
    return this.#endOf(this.#runWith(0, index)) - 1;
  }

  /** The first index whose minute is at or after the given one. */
  firstFrom(minute: number): number {
    const runs = this.#runs;
    if (this.#count === 0 || minute <= (runs[1] as number)) return 0;
    const run = this.#runWith(1, minute);
    const [first, start, step] = [runs[run] as number, runs[run + 1] as number, runs[run + 2] as number];
    const end = this.#endOf(run);
    return step === 0
      ? end - (minute > start ? 0 : 1)
      : Math.min(end, first + Math.ceil((minute - start) / step));
  }

  dropFirst(count: number): void {
    this.#runs = PrintTimes.of(this.from(count)).#runs;
    this.#count -= count;
  }

  /** The minutes from an index on. */
  from(first: number): Uint32Array {
    const minutes = new Uint32Array(this.#count - first);
    const runs = this.#runs;
    for (let run = 0; run < runs.length; run += RUN) {
      const [start, step] = [runs[run] as number, runs[run + 2] as number];
      const end = this.#endOf(run);
      for (let i = Math.max(start, first); i < end; i++)
        minutes[i - first] = (runs[run + 1] as number) + (i - start) * step;
    }
    return minutes;
  }

  #endOf(run: number): number {
    // No read beyond the end, which would make every later read of the list slower.
    return run + RUN < this.#runs.length ? (this.#runs[run + RUN] as number) : this.#count;
  }

  /** The last run whose index (field 0) or minute (field 1) is at most the given one. */
  #runWith(field: 0 | 1, most: number): number {
    const runs = this.#runs;
    let low = 0;
    let high = runs.length / RUN - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((runs[middle * RUN + field] as number) <= most) low = middle;
      else high = middle - 1;
    }
    return low * RUN;
  }
}
