import { unzigzag, zigzag } from '../../storage/blocks.ts';
import type { DaySum } from './days.ts';
import type { Prints } from './times.ts';

/**
 * The bytes of a block. Minutes are delta-encoded. A rate is stored as an integer multiple of a decimal unit where that
 * is exact (most venues publish at most eight decimals), else as the 64-bit float itself, so decoding is lossless.
 */
const VERSION = 1;
const UNITS = [1e6, 1e8, 1e10] as const;
/** In the place of a unit: the eight bytes of the float follow. */
const RAW_FLOAT = 3;
/** With two bits for the unit and one for the sign, the packed value stays below 2^31. */
const MAX_PACKED = 2 ** 28;

class Writer {
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

  /** An unsigned integer, seven bits a byte, the lowest first. */
  varint(value: number): void {
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
        this.varint((zigzag(packed) << 2) | unit);
        return;
      }
    }
    this.varint(RAW_FLOAT);
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(bits.getUint8(i));
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const version = this.byte();
    if (version !== VERSION) throw new Error(`settlement block has unknown format ${version}`);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  decimal(): number {
    const packed = this.varint();
    const unit = packed & 3;
    if (unit === RAW_FLOAT) {
      const value = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8).getFloat64(
        0,
        true,
      );
      this.#at += 8;
      return value;
    }
    return unzigzag(packed >>> 2) / (UNITS[unit] ?? 1);
  }
}

/** `startMinute` is the first minute of the block. */
export function encodePrints({ minutes, ratesPct }: Prints, startMinute: number): Uint8Array {
  const writer = new Writer();
  writer.byte(VERSION);
  let before = startMinute;
  for (let i = 0; i < minutes.length; i++) {
    const minute = minutes[i] ?? 0;
    writer.varint(minute - before);
    writer.decimal(ratesPct[i] ?? 0);
    before = minute;
  }
  return writer.done();
}

/** Appends the block's prints to `into`. */
export function decodePrints(block: Uint8Array, startMinute: number, into: Prints): void {
  const reader = new Reader(block);
  let minute = startMinute;
  while (!reader.isAtEnd) {
    minute += reader.varint();
    into.minutes.push(minute);
    into.ratesPct.push(reader.decimal());
  }
}

/** Days without prints are left out. */
export function encodeDays(days: readonly DaySum[], startDay: number): Uint8Array {
  const writer = new Writer();
  writer.byte(VERSION);
  let before = startDay;
  for (const { day, sumPct, coveredMinutes } of days) {
    writer.varint(day - before);
    writer.varint(coveredMinutes);
    writer.decimal(sumPct);
    before = day;
  }
  return writer.done();
}

export function decodeDays(block: Uint8Array, startDay: number, into: DaySum[]): void {
  const reader = new Reader(block);
  let day = startDay;
  while (!reader.isAtEnd) {
    day += reader.varint();
    const coveredMinutes = reader.varint();
    into.push({ day, coveredMinutes, sumPct: reader.decimal() });
  }
}
