import { count, listOf, number, objectOf, text } from '../../base/parsing.ts';
import { bytesOf, packColumns, unpackColumns, unshuffled } from '../../storage/blocks.ts';
import { type Column, Table, type TableSpec, type TextData } from './table.ts';

/**
 * Encodes tables as frames, for the delay ring, restarts and other processes. Increase it when a column gets another meaning
 * under the same name: processes of other versions then skip the frame, and serve the last one that they could read.
 */
const VERSION = 2;
/** Frames of this version had the bytes of each column in another order. */
const SHUFFLED_VERSION = 1;
/** The third level takes twice as long for a frame that is a twentieth smaller. */
const COMPRESSION_LEVEL = 1;

interface Header {
  version: number;
  table: string;
  rowCount: number;
  numbers: string[];
  texts: { name: string; values: readonly string[] }[];
}

/** Layout before compression: length of the header, the header as JSON, then the number columns, then the text codes. */
export function encodeTable(table: Table): Buffer {
  const { spec } = table;
  const columns = [
    ...storedNumbers(spec).map((name) => bytesOf(table.numbers(name))),
    ...textNames(spec).map((name) => bytesOf(table.texts(name).codes)),
  ];
  return packColumns(headerOf(table), columns, { hasChecksum: true, level: COMPRESSION_LEVEL });
}

function headerOf(table: Table): Header {
  const { spec, rowCount } = table;
  return {
    version: VERSION,
    table: spec.name,
    rowCount,
    numbers: storedNumbers(spec),
    texts: textNames(spec).map((name) => ({ name, values: table.texts(name).values })),
  };
}

/** Decodes a frame; null if it was written by another version of the code. Throws if the bytes are damaged. */
export function decodeTable(bytes: Uint8Array, spec: TableSpec): Table | null {
  const { head, columns } = unpackColumns(bytes);
  const header = parseHeader(head, 'head of the frame');
  const isShuffled = header.version === SHUFFLED_VERSION;
  if ((header.version !== VERSION && !isShuffled) || header.table !== spec.name) return null;
  // During an upgrade processes read frames of versions that have more columns, or fewer. One with more is read without them;
  // one with fewer has nulls there, unless a column must have a value.
  const texts = new Map<string, TextData>();
  const numbers = new Map<string, Float64Array>();
  const [storedNames, storedTexts] = [header.numbers, header.texts.map(({ name }) => name)];
  for (const name of missing(storedNumbers(spec), storedNames)) numbers.set(name, nulls(header.rowCount));
  for (const name of missing(textNames(spec), storedTexts))
    texts.set(name, { values: [''], codes: new Uint32Array(header.rowCount) });
  const isNeeded = ({ name, nullable }: Column) => !nullable && (numbers.has(name) || texts.has(name));
  if (spec.columns.some(isNeeded)) return null;
  const bytesPerRow = header.numbers.length * 8 + header.texts.length * 4;
  if (columns.length !== header.rowCount * bytesPerRow)
    throw new Error(`the columns have ${columns.length} bytes, not ${header.rowCount} × ${bytesPerRow}`);
  let offset = 0;
  const next = (width: 4 | 8) => {
    const size = header.rowCount * width;
    const bytes = columns.subarray(offset, offset + size);
    offset += size;
    // A copy, because numbers must lie at multiples of their size.
    return isShuffled ? unshuffled(bytes, width).buffer : new Uint8Array(bytes).buffer;
  };
  const wanted = [...storedNumbers(spec), ...textNames(spec)];
  for (const name of header.numbers) {
    const column = new Float64Array(next(8));
    if (wanted.includes(name)) numbers.set(name, column);
  }
  for (const { name, values } of header.texts) {
    const codes = new Uint32Array(next(4));
    if (wanted.includes(name)) texts.set(name, { values, codes });
  }
  return new Table(spec, header.rowCount, numbers, texts);
}

function missing(expected: readonly string[], stored: readonly string[]): string[] {
  return expected.filter((name) => !stored.includes(name));
}

function nulls(rowCount: number): Float64Array {
  return new Float64Array(rowCount).fill(Number.NaN);
}

/** Frames of older versions carry no checksum, so a readable text need not be a header. */
const parseHeader = objectOf<Header>({
  version: number,
  table: text,
  rowCount: count,
  numbers: listOf(text),
  texts: listOf(objectOf({ name: text, values: listOf(text) })),
});

function storedNumbers({ columns, internalColumns = [] }: TableSpec): string[] {
  return [
    ...columns.filter((column) => !isText(column.type)).map((column) => column.name),
    ...internalColumns,
  ];
}

function textNames({ columns, internalTexts = [] }: TableSpec): string[] {
  return [...columns.filter((column) => isText(column.type)).map((column) => column.name), ...internalTexts];
}

function isText(type: string): boolean {
  return type === 'text' || type === 'texts';
}
