const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SIGN_BIT = 0x8000_0000;
const NULL_PREFIX = 0xffff_ffff;
/** Shorter groups are sorted by insertion, which has no call per comparison. */
const INSERTION_ROWS = 32;

/**
 * Orders rows by their keys, ascending, with NaN (null) last. Rows with equal keys keep their order in `rows`. A stable
 * radix sort by the upper 32 bits of the keys, then of the few rows that share them: four times faster than sorting all
 * keys by comparison.
 */
export function orderBy(keys: Float64Array, rows: Uint32Array): Uint32Array {
  let order = rows.slice();
  let prefixes = prefixesOf(keys, rows);
  let nextOrder = new Uint32Array(rows.length);
  let nextPrefixes = new Uint32Array(rows.length);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const starts = startsOf(prefixes, shift);
    for (let i = 0; i < order.length; i++) {
      const prefix = prefixes[i] as number;
      const digit = (prefix >>> shift) & (DIGITS - 1);
      const place = starts[digit] as number;
      starts[digit] = place + 1;
      nextPrefixes[place] = prefix;
      nextOrder[place] = order[i] as number;
    }
    [order, nextOrder] = [nextOrder, order];
    [prefixes, nextPrefixes] = [nextPrefixes, prefixes];
  }
  sortGroups(order, prefixes, keys);
  return order;
}

/** The upper 32 bits of each row's key, changed so that their order as unsigned numbers is that of the keys. */
function prefixesOf(keys: Float64Array, rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const prefixes = new Uint32Array(rows.length);
  const one = new Float64Array(1);
  const upper = new Uint32Array(one.buffer, 4, 1);
  for (let i = 0; i < rows.length; i++) {
    const key = keys[rows[i] as number] as number;
    // Adding 0 turns -0 into 0: they are equal keys with different bits.
    one[0] = key + 0;
    const bits = upper[0] as number;
    prefixes[i] = Number.isNaN(key) ? NULL_PREFIX : bits >= SIGN_BIT ? ~bits : bits | SIGN_BIT;
  }
  return prefixes;
}

/** The first place of each digit. */
function startsOf(prefixes: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(DIGITS);
  for (let i = 0; i < prefixes.length; i++) {
    const digit = ((prefixes[i] as number) >>> shift) & (DIGITS - 1);
    starts[digit] = (starts[digit] as number) + 1;
  }
  let start = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = starts[digit] as number;
    starts[digit] = start;
    start += count;
  }
  return starts;
}

function sortGroups(order: Uint32Array, prefixes: Uint32Array, keys: Float64Array): void {
  for (let from = 0; from < order.length; ) {
    const prefix = prefixes[from];
    let to = from + 1;
    while (to < order.length && prefixes[to] === prefix) to++;
    if (prefix === NULL_PREFIX) return;
    if (to - from > INSERTION_ROWS)
      order.subarray(from, to).sort((a, b) => (keys[a] as number) - (keys[b] as number));
    else if (to - from > 1) sortByInsertion(order, from, to, keys);
    from = to;
  }
}

function sortByInsertion(order: Uint32Array, from: number, to: number, keys: Float64Array): void {
  for (let i = from + 1; i < to; i++) {
    const row = order[i] as number;
    const key = keys[row] as number;
    let place = i;
    while (place > from && (keys[order[place - 1] as number] as number) > key) {
      order[place] = order[place - 1] as number;
      place--;
    }
    order[place] = row;
  }
}
