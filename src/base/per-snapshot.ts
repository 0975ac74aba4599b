/**
 * Remembers what is made from a snapshot, or from a table, a column or a row of one, as long as that is in use. The result
 * may depend on nothing else: further arguments only give access to what stays the same.
 */
export function perSnapshot<Source extends object, Made, Access extends readonly unknown[]>(
  make: (source: Source, ...access: Access) => Made,
): (source: Source, ...access: Access) => Made {
  const memo = new WeakMap<Source, Made>();
  return (source, ...access) => memo.getOrInsertComputed(source, () => make(source, ...access));
}
