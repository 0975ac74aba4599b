/** In these steps of rate units (a hundred-millionth of a percent) most rates are whole and fit into four bytes. */
const COARSE_STEP = 1e4;
const MAX_COARSE = 2 ** 31 - 1;

/** A growing list of rates in units. Four bytes each, or eight once a rate is finer or larger than four bytes can hold. */
export class RateColumn {
  #values: Int32Array | Float64Array = new Int32Array(0);
  #step = COARSE_STEP;

  at(index: number): number {
    return (this.#values[index] as number) * this.#step;
  }

  sum(first: number, end: number): number {
    const values = this.#values;
    let sum = 0;
    for (let i = first; i < end; i++) sum += values[i] as number;
    return sum * this.#step;
  }

  absoluteSum(first: number, end: number): number {
    const values = this.#values;
    let sum = 0;
    for (let i = first; i < end; i++) sum += Math.abs(values[i] as number);
    return sum * this.#step;
  }

  set(index: number, units: number): void {
    if (this.#step === COARSE_STEP && !isCoarse(units)) this.#refine();
    this.#values[index] = units / this.#step;
  }

  /** Makes space for so many rates and moves those from `from` on to `to`. */
  resize(capacity: number): void {
    const values = this.#step === 1 ? new Float64Array(capacity) : new Int32Array(capacity);
    values.set(this.#values.subarray(0, Math.min(capacity, this.#values.length)));
    this.#values = values;
  }

  move(to: number, from: number, end: number): void {
    this.#values.copyWithin(to, from, end);
  }

  #refine(): void {
    this.#values = Float64Array.from(this.#values, (value) => value * this.#step);
    this.#step = 1;
  }
}

function isCoarse(units: number): boolean {
  const coarse = units / COARSE_STEP;
  return Number.isInteger(coarse) && Math.abs(coarse) <= MAX_COARSE;
}
