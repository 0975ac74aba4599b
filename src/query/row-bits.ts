/** A set of rows as bits, 32 to a word, so that one operation keeps or drops many rows. */
export type RowBits = Uint32Array;

export function wordsFor(rowCount: number): number {
  return (rowCount + 31) >>> 5;
}

export function setAllRows(bits: RowBits, rowCount: number): void {
  bits.fill(0xffff_ffff);
  const rest = rowCount & 31;
  if (rest !== 0) bits[bits.length - 1] = (1 << rest) - 1;
}

export function setRow(bits: RowBits, row: number): void {
  const word = row >>> 5;
  bits[word] = (bits[word] as number) | (1 << (row & 31));
}

export function clearRow(bits: RowBits, row: number): void {
  const word = row >>> 5;
  bits[word] = (bits[word] as number) & ~(1 << (row & 31));
}

export function hasRow(bits: RowBits, row: number): boolean {
  return (((bits[row >>> 5] as number) >>> (row & 31)) & 1) === 1;
}

/** The rows of a set, in ascending order. */
export function rowsIn(bits: RowBits): number[] {
  const rows: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] as number; word !== 0; word &= word - 1)
      rows.push(i * 32 + 31 - Math.clz32(word & -word));
  }
  return rows;
}

export function countRows(bits: RowBits): number {
  let count = 0;
  const words = bits.length;
  for (let i = 0; i < words; i++) {
    // Population count: sums pairs, nibbles and bytes, then adds the bytes.
    let word = bits[i] as number;
    word -= (word >>> 1) & 0x5555_5555;
    word = (word & 0x3333_3333) + ((word >>> 2) & 0x3333_3333);
    word = (word + (word >>> 4)) & 0x0f0f_0f0f;
    count += Math.imul(word, 0x0101_0101) >>> 24;
  }
  return count;
}

export function keepOnly(bits: RowBits, others: RowBits): void {
  const words = bits.length;
  for (let i = 0; i < words; i++) bits[i] = (bits[i] as number) & (others[i] as number);
}

export function dropAll(bits: RowBits, others: RowBits): void {
  const words = bits.length;
  for (let i = 0; i < words; i++) bits[i] = (bits[i] as number) & ~(others[i] as number);
}

export function addAll(bits: RowBits, others: RowBits): void {
  const words = bits.length;
  for (let i = 0; i < words; i++) bits[i] = (bits[i] as number) | (others[i] as number);
}
