import type { DaySum } from './days.ts';
import type { Prints } from './times.ts';

/**
 * How blocks are packed. Minutes are differences, rates are whole numbers of a decimal unit where that is exact (most
 * venues print at most eight decimals), else the number itself: what comes out is always what went in, bit by bit.
 */
const VERSION = 1;
const UNITS = [1e6, 1e8, 1e10] as const;
const WHOLE_NUMBER = 3;
/** With two bits for the unit and one for the sign, the packed value stays below 2^31. */
const MAX_PACKED = 2 ** 28;

class Packer {
  #bytes = new Uint8Array(512);
  #length = 0;

  byte(value: number): void {
    if (this.#length + 16 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = value;
  }

  whole(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  decimal(value: number): void {
    for (let unit = 0; unit < UNITS.length; unit++) {
      const scale = UNITS[unit] ?? 1;
      const packed = Math.round(value * scale);
      if (Math.abs(packed) >= MAX_PACKED) break;
      if (packed / scale === value) {
        this.whole((zigzag(packed) << 2) | unit);
        return;
      }
    }
    this.whole(WHOLE_NUMBER);
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(bits.getUint8(i));
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

class Unpacker {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const version = this.byte();
    if (version !== VERSION) throw new Error(`a settlement block has the unknown format ${version}`);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  whole(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  decimal(): number {
    const packed = this.whole();
    const unit = packed & 3;
    if (unit === WHOLE_NUMBER) {
      const value = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8).getFloat64(
        0,
        true,
      );
      this.#at += 8;
      return value;
    }
    const folded = packed >>> 2;
    const number = folded & 1 ? -((folded + 1) >>> 1) : folded >>> 1;
    return number / (UNITS[unit] ?? 1);
  }
}

/** Prints of one block; `startMinute` is the block's. */
export function encodePrints({ minutes, ratesPct }: Prints, startMinute: number): Uint8Array {
  const packer = new Packer();
  packer.byte(VERSION);
  let before = startMinute;
  for (let i = 0; i < minutes.length; i++) {
    const minute = minutes[i] ?? 0;
    packer.whole(minute - before);
    packer.decimal(ratesPct[i] ?? 0);
    before = minute;
  }
  return packer.done();
}

/** Adds the block's prints to those given. */
export function decodePrints(block: Uint8Array, startMinute: number, into: Prints): void {
  const unpacker = new Unpacker(block);
  let minute = startMinute;
  while (!unpacker.isAtEnd) {
    minute += unpacker.whole();
    into.minutes.push(minute);
    into.ratesPct.push(unpacker.decimal());
  }
}

/** Day sums of one block; days without prints are left out. */
export function encodeDays(days: readonly DaySum[], startDay: number): Uint8Array {
  const packer = new Packer();
  packer.byte(VERSION);
  let before = startDay;
  for (const { day, sumPct, coveredMinutes } of days) {
    packer.whole(day - before);
    packer.whole(coveredMinutes);
    packer.decimal(sumPct);
    before = day;
  }
  return packer.done();
}

export function decodeDays(block: Uint8Array, startDay: number, into: DaySum[]): void {
  const unpacker = new Unpacker(block);
  let day = startDay;
  while (!unpacker.isAtEnd) {
    day += unpacker.whole();
    const coveredMinutes = unpacker.whole();
    into.push({ day, coveredMinutes, sumPct: unpacker.decimal() });
  }
}
