import { ByteReader, ByteWriter } from '../tape/bytes.ts';

/**
 * When the prints of a block were learned, to the second. Prints that follow each other and were learned together are one
 * run: its first minute, its last one, and the time. Runs have their minutes, so that prints which a process of an earlier
 * version adds, without their times, do not move those of others.
 */
const VERSION = 1;
const SECONDS_PER_MINUTE = 60;

/** In seconds since 1970, rounded up: a print was not known before. */
export function knownSeconds(nowMs: number): number {
  return Math.ceil(nowMs / 1000);
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (code: number) => (code % 2 === 0 ? code / 2 : -(code + 1) / 2);

/** `startMinute` is the first minute of the block; a time of NaN is unknown. Null if all are. */
export function encodeKnown(
  minutes: readonly number[],
  known: readonly number[],
  startMinute: number,
): Uint8Array | null {
  const writer = new ByteWriter();
  writer.byte(VERSION);
  let [lastMinute, lastSeconds] = [startMinute, startMinute * SECONDS_PER_MINUTE];
  for (let i = 0; i < minutes.length; ) {
    const seconds = known[i] as number;
    const first = i++;
    if (Number.isNaN(seconds)) continue;
    while (i < minutes.length && known[i] === seconds) i++;
    const [firstMinute, endMinute] = [minutes[first] as number, minutes[i - 1] as number];
    writer.varint(firstMinute - lastMinute);
    writer.varint(endMinute - firstMinute);
    writer.varint(zigzag(seconds - lastSeconds));
    [lastMinute, lastSeconds] = [endMinute, seconds];
  }
  return writer.length === 1 ? null : writer.written().slice();
}

/** The time of each print of a block; NaN is unknown. */
export function decodeKnown(
  block: Uint8Array | null | undefined,
  minutes: readonly number[],
  startMinute: number,
): number[] {
  const known = new Array<number>(minutes.length).fill(Number.NaN);
  if (!block) return known;
  const reader = new ByteReader(block);
  const version = reader.byte();
  if (version !== VERSION) throw new Error(`times of prints have unknown format ${version}`);
  let [minute, seconds, at] = [startMinute, startMinute * SECONDS_PER_MINUTE, 0];
  while (reader.at < block.length) {
    minute += reader.varint();
    const firstMinute = minute;
    minute += reader.varint();
    seconds += unzigzag(reader.varint());
    while (at < minutes.length && (minutes[at] as number) < firstMinute) at++;
    while (at < minutes.length && (minutes[at] as number) <= minute) known[at++] = seconds;
  }
  return known;
}
