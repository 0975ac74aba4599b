import { type ByteReader, ByteWriter } from './bytes.ts';
import { type Places, readColumn, writeColumn } from './decimal-column.ts';
import { FIVE, isOfMinutes, type TapeColumn, type TapeSeries } from './series.ts';

/** The minutes of a series that are no gaps, as distances from its first one; and the five minutes that contain them. */
function presentOf(series: TapeSeries): { minutes: number[]; fives: number[] } {
  const [minutes, fives]: [number[], number[]] = [[], []];
  for (const [minute, ratePct] of series.column('ratePct').entries()) {
    if (Number.isNaN(ratePct)) continue;
    minutes.push(minute);
    const five = Math.floor((series.fromMinute + minute) / FIVE) - series.fromFive;
    if (fives.at(-1) !== five) fives.push(five);
  }
  return { minutes, fives };
}

const columnBytes = new ByteWriter();

/** Runs of minutes without a gap, then each column with its length, so that readers can leave some out. */
export function writeSection(writer: ByteWriter, series: TapeSeries, columns: readonly TapeColumn[]): void {
  const present = presentOf(series);
  const runs: { skipped: number; length: number }[] = [];
  let next = 0;
  for (const minute of present.minutes) {
    const run = runs.at(-1);
    if (run && minute === next) run.length++;
    else runs.push({ skipped: minute - next, length: 1 });
    next = minute + 1;
  }
  writer.varint(runs.length);
  for (const { skipped, length } of runs) {
    writer.varint(skipped);
    writer.varint(length);
  }
  for (const name of columns) {
    const values = series.column(name);
    const places = isOfMinutes(name) ? present.minutes : present.fives;
    columnBytes.clear();
    writeColumn(
      columnBytes,
      places.map((place) => values[place] as number),
    );
    writer.varint(columnBytes.length);
    writer.append(columnBytes.written());
  }
}

/** Reads a section of these columns that starts at a minute into a series. What is outside of the series is left out. */
export function readSection(
  reader: ByteReader,
  startMinute: number,
  into: TapeSeries,
  columns: readonly TapeColumn[],
): void {
  const [minutes, fives] = placesOf(reader, startMinute, into);
  for (const name of columns) {
    const length = reader.varint();
    const end = reader.at + length;
    const places = isOfMinutes(name) ? minutes : fives;
    if (into.has(name)) readColumn(reader, places, into.column(name));
    reader.at = end;
  }
}

/** The places in the series of the minutes and of the five minutes of a section. */
function placesOf(
  reader: ByteReader,
  startMinute: number,
  into: TapeSeries,
): [minutes: Places, fives: Places] {
  const runs: { from: number; to: number }[] = [];
  let end = startMinute;
  for (let left = reader.varint(); left > 0; left--) {
    const from = end + reader.varint();
    end = from + reader.varint();
    runs.push({ from, to: end - 1 });
  }
  const fives: typeof runs = [];
  for (const { from, to } of runs) {
    const [first, last] = [Math.floor(from / FIVE), Math.floor(to / FIVE)];
    const before = fives.at(-1);
    // Two runs may be in the same five minutes.
    if (before && first <= before.to + 1) before.to = last;
    else fives.push({ from: first, to: last });
  }
  const fiveCount = Math.floor((into.fromMinute + into.minutes - 1) / FIVE) - into.fromFive + 1;
  return [placed(runs, into.fromMinute, into.minutes), placed(fives, into.fromFive, fiveCount)];
}

/** Runs as places in a column that starts with `start`; -1 for what is outside of it. */
function placed(runs: readonly { from: number; to: number }[], start: number, length: number): Places {
  const count = runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const [only] = runs;
  if (only && runs.length === 1 && only.from >= start && only.to < start + length)
    return { count, first: only.from - start, list: null };
  const list = new Int32Array(count);
  let at = 0;
  for (const { from, to } of runs)
    for (let place = from - start; place <= to - start; place++)
      list[at++] = place >= 0 && place < length ? place : -1;
  return { count, first: 0, list };
}
