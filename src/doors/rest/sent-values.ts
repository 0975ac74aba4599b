/**
 * Query values by name, each as often as it was sent, with the path parameters. Only the given names, and in their own
 * spelling: a text cut out of an address must first be put into V8's table of all texts to be the key of a Map.
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

/** As URLSearchParams reads it, which is slow: mostly nothing is escaped, or only the commas of a list. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Half an escape, or bytes that are no text.
    return new URLSearchParams(`=${text}`).get('') ?? '';
  }
}
