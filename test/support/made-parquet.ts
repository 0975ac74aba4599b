/** Parquet files byte by byte, so that their headers can say what is not there. */
type Field = readonly [id: number, type: number, bytes: readonly number[]];

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

export function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return [...bytes, left];
}
const struct = (...fields: readonly Field[]): number[] => {
  const bytes: number[] = [];
  let last = 0;
  for (const [id, type, value] of fields) {
    bytes.push(((id - last) << 4) | type, ...value);
    last = id;
  }
  return [...bytes, 0];
};
const i32 = (id: number, value: number): Field => [id, I32, varint(value < 0 ? -2 * value - 1 : 2 * value)];
const i64 = (id: number, value: number): Field => [id, I64, varint(2 * value)];
const text = (id: number, value: string): Field => [
  id,
  BINARY,
  [...varint(value.length), ...Buffer.from(value)],
];
const nested = (id: number, value: readonly number[]): Field => [id, STRUCT, value];
const list = (
  id: number,
  type: number,
  items: readonly (readonly number[])[],
  count = items.length,
): Field => [id, LIST, [0xf0 | type, ...varint(count), ...items.flat()]];

export interface MadePage {
  /** 0: data, 2: dictionary, 3: data of version 2. */
  kind: 0 | 2 | 3;
  values: number;
  /** 0: plain, 8: indexes of a dictionary. */
  encoding: number;
  /** As it is in the file. */
  bytes: readonly number[] | Uint8Array;
  unpackedBytes?: number;
  nulls?: number;
}

interface MadeFile {
  /** Each column has the same pages. */
  name: string | readonly string[];
  rows: number;
  pages: readonly MadePage[];
  /** 0: none, 6: zstd. */
  codec?: number;
  isOptional?: boolean;
  /** How many groups the footer says that there are; all are the same one. */
  groups?: number;
  statedGroups?: number;
}

/** A file with columns of 64-bit integers. */
export function madeParquet(made: MadeFile): Buffer {
  const { name, rows, pages, codec = 0, isOptional = false, groups = 1, statedGroups = groups } = made;
  const chunk = Buffer.concat(
    pages.map(({ kind, values, encoding, bytes, nulls = 0, unpackedBytes = bytes.length }) => {
      const [id, fields] =
        kind === 0
          ? [5, [i32(1, values), i32(2, encoding), i32(3, 3), i32(4, 3)]]
          : kind === 2
            ? [7, [i32(1, values), i32(2, 0)]]
            : [8, [i32(1, values), i32(2, nulls), i32(3, values), i32(4, encoding), i32(5, 0), i32(6, 0)]];
      const head = struct(
        i32(1, kind),
        i32(2, unpackedBytes),
        i32(3, bytes.length),
        nested(id as number, struct(...(fields as Field[]))),
      );
      return Buffer.concat([Buffer.from(head), Buffer.from(bytes)]);
    }),
  );
  const names = typeof name === 'string' ? [name] : name;
  const columnOf = (one: string) =>
    struct(
      i64(2, 4),
      nested(
        3,
        struct(
          i32(1, 2),
          list(2, I32, [varint(0)]),
          list(3, BINARY, [[...varint(one.length), ...Buffer.from(one)]]),
          ...[i32(4, codec), i64(5, rows), i64(6, chunk.length), i64(7, chunk.length), i64(9, 4)],
        ),
      ),
    );
  const group = struct(list(1, STRUCT, names.map(columnOf)), i64(2, chunk.length), i64(3, rows));
  const footer = Buffer.from(
    struct(
      i32(1, 1),
      list(2, STRUCT, [
        struct(text(4, 'root'), i32(5, names.length)),
        ...names.map((one) => struct(i32(1, 2), i32(3, isOptional ? 1 : 0), text(4, one))),
      ]),
      i64(3, rows * groups),
      list(
        4,
        STRUCT,
        Array.from({ length: groups }, () => group),
        statedGroups,
      ),
    ),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), chunk, footer, length, Buffer.from('PAR1')]);
}

/** So many whole numbers of 64 bits. */
export function plain(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeBigInt64LE(BigInt(value), i * 8);
  return bytes;
}
