/** The bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range of a Range header (RFC 9110). Null: the whole file is to be sent, which also answers several ranges and
 * other units. `unsatisfiable`: it starts after the end.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | null {
  const [whole, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (whole === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const count = Number(to);
    return count === 0 || length === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, length - count), end: length - 1 };
  }
  const start = Number(from);
  const end = to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== '' && Number(to) < start) return null;
  return start >= length ? 'unsatisfiable' : { start, end };
}
