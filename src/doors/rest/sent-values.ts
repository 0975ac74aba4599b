/**
 * The query values by name, and the path parameters. Keeps only the given names and uses them as keys: using a sliced
 * string as a Map key makes V8 internalize it first.
 */
export function sentValues(
  url: string,
  pathValues: Readonly<Record<string, string>>,
  names: readonly string[],
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let start = url.indexOf('?') + 1;
  while (start > 0 && start < url.length) {
    const next = url.indexOf('&', start);
    const end = next < 0 ? url.length : next;
    if (end > start) addPair(values, url, start, end, names);
    start = end + 1;
  }
  // Last, so that a query value of the same name cannot replace one from the path.
  for (const name in pathValues) values.set(name, [pathValues[name] as string]);
  return values;
}

function addPair(
  values: Map<string, string[]>,
  url: string,
  start: number,
  end: number,
  names: readonly string[],
): void {
  const equals = url.indexOf('=', start);
  const isNamed = equals >= 0 && equals < end;
  const sent = decoded(url.slice(start, isNamed ? equals : end));
  const at = names.indexOf(sent);
  if (at < 0) return;
  const name = names[at] as string;
  const value = isNamed ? decoded(url.slice(equals + 1, end)) : '';
  const known = values.get(name);
  if (known) known.push(value);
  else values.set(name, [value]);
}

/** Decodes like URLSearchParams, with a fast path: mostly nothing is escaped, or only the commas of a list. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // An incomplete escape, or bytes that are not UTF-8.
    return new URLSearchParams(`=${text}`).get('') ?? '';
  }
}
