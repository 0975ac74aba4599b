/**
 * Remembers what is made from a snapshot, or from a table or a row of one, as long as that is in use. The result may depend
 * on nothing else.
 */
export function perSnapshot<Source extends object, Made>(
  make: (source: Source) => Made,
): (source: Source) => Made {
  const memo = new WeakMap<Source, Made>();
  return (source) => memo.getOrInsertComputed(source, make);
}
