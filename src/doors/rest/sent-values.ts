/** The query values of an address by name, and the path parameters. Names other than the given ones are left out. */
export function sentValues(
  url: string,
  pathValues: Readonly<Record<string, string>>,
  names: readonly string[],
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const start = url.indexOf('?');
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start))) {
    if (!names.includes(name)) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  // Last, so that a query value of the same name cannot replace one from the path.
  for (const [name, value] of Object.entries(pathValues)) values.set(name, [value]);
  return values;
}
