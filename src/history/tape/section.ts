import { type ByteReader, ByteWriter } from './bytes.ts';
import { readColumn, writeColumn } from './decimal-column.ts';
import { FIVE, isOfMinutes, TAPE_COLUMNS, type TapeSeries } from './series.ts';

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
export function writeSection(writer: ByteWriter, series: TapeSeries): void {
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
  for (const name of TAPE_COLUMNS) {
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

/** Reads a section that starts at a minute into the columns of a series. What is outside of the series is left out. */
export function readSection(reader: ByteReader, startMinute: number, into: TapeSeries): void {
  const [minutes, fives] = placesOf(reader, startMinute, into);
  for (const name of TAPE_COLUMNS) {
    const length = reader.varint();
    const end = reader.at + length;
    const places = isOfMinutes(name) ? minutes : fives;
    if (into.has(name)) readColumn(reader, places, into.column(name));
    reader.at = end;
  }
}

/** The places in the series of the minutes and of the five minutes of a section; -1 for those outside. */
function placesOf(
  reader: ByteReader,
  startMinute: number,
  into: TapeSeries,
): [minutes: Int32Array, fives: Int32Array] {
  const runs: { fromMinute: number; toMinute: number }[] = [];
  let [end, count] = [startMinute, 0];
  for (let left = reader.varint(); left > 0; left--) {
    const fromMinute = end + reader.varint();
    end = fromMinute + reader.varint();
    runs.push({ fromMinute, toMinute: end - 1 });
    count += end - fromMinute;
  }
  const [minutes, fives] = [new Int32Array(count), new Int32Array(count)];
  const fiveCount = Math.floor((into.fromMinute + into.minutes - 1) / FIVE) - into.fromFive + 1;
  let [at, fiveAt, nextFive] = [0, 0, 0];
  for (const { fromMinute, toMinute } of runs) {
    for (let place = fromMinute - into.fromMinute; place <= toMinute - into.fromMinute; place++)
      minutes[at++] = place >= 0 && place < into.minutes ? place : -1;
    // Two runs may be in the same five minutes.
    const lastFive = Math.floor(toMinute / FIVE);
    for (let five = Math.max(nextFive, Math.floor(fromMinute / FIVE)); five <= lastFive; five++) {
      const place = five - into.fromFive;
      fives[fiveAt++] = place >= 0 && place < fiveCount ? place : -1;
    }
    nextFive = lastFive + 1;
  }
  return [minutes, fives.subarray(0, fiveAt)];
}
