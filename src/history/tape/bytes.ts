/** A growing list of bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53, seven bits a byte, the lowest first. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 2 ** 31) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  float(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Whole numbers from 0 to 2^53: all lowest bytes, then all second bytes and so on. Equal bytes compress well. */
  planes(values: readonly number[]): void {
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    let width = 0;
    while (256 ** width <= largest) width++;
    this.byte(width);
    this.#reserve(width * values.length);
    for (let plane = 0; plane < width; plane++) {
      const divisor = 256 ** plane;
      for (const value of values) this.#bytes[this.#length++] = Math.floor(value / divisor) % 256;
    }
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Valid until the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new RangeError('the bytes end too early');
    return this.bytes[this.at++] as number;
  }

  varint(): number {
    const first = this.byte();
    if (first < 128) return first;
    let value = first & 127;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** The start of `count` numbers in planes, and how many planes there are; the reader then stands behind them. */
  planes(count: number): { start: number; width: number } {
    const width = this.byte();
    const start = this.at;
    this.at += width * count;
    if (this.at > this.bytes.length) throw new RangeError('the bytes end too early');
    return { start, width };
  }

  float(): number {
    const { buffer, byteOffset, length } = this.bytes;
    const value = new DataView(buffer, byteOffset, length).getFloat64(this.at, true);
    this.at += 8;
    return value;
  }
}
