/** One price of a side of a book. */
interface Level {
  price: number;
  size: number;
  /** The message that set the level. */
  order: number;
}

/** Price, size and order of a level are next to each other. */
const FIELDS = 3;
const FIRST_CAPACITY = 16;

/**
 * One side of a book, its levels by ascending price, in one array of numbers. As objects in a Map, levels lived just long
 * enough to reach V8's old generation, and the books of this venue were half of what full collections had to free.
 */
export class BookSide {
  #cells = new Float64Array(FIRST_CAPACITY * FIELDS);
  #count = 0;

  set(price: number, size: number, order: number): void {
    const index = this.#indexOf(price);
    const at = index * FIELDS;
    if (index === this.#count || this.#cells[at] !== price) this.#makeSpace(at);
    this.#cells[at] = price;
    this.#cells[at + 1] = size;
    this.#cells[at + 2] = order;
  }

  delete(price: number): void {
    const index = this.#indexOf(price);
    const at = index * FIELDS;
    if (index === this.#count || this.#cells[at] !== price) return;
    this.#cells.copyWithin(at, at + FIELDS, this.#count * FIELDS);
    this.#count--;
  }

  highest(): Level | null {
    return this.#levelAt(this.#count - 1);
  }

  lowest(): Level | null {
    return this.#levelAt(0);
  }

  #levelAt(index: number): Level | null {
    if (index < 0 || index >= this.#count) return null;
    const at = index * FIELDS;
    return {
      price: this.#cells[at] as number,
      size: this.#cells[at + 1] as number,
      order: this.#cells[at + 2] as number,
    };
  }

  /** Where the price is, or belongs. */
  #indexOf(price: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cells[middle * FIELDS] as number) < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #makeSpace(at: number): void {
    const end = this.#count * FIELDS;
    if (end === this.#cells.length) {
      const larger = new Float64Array(end * 2);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells.copyWithin(at + FIELDS, at, end);
    this.#count++;
  }
}
