type Sent = ReadonlyMap<string, readonly string[]>;

const OF_ONE_PAGE = new Set(['cursor', 'page']);
const NEEDS_NO_ESCAPE = /^[\w.*-]*$/;

function encodedPairs(sent: Sent): [name: string, pair: string][] {
  return [...sent].map(([name, values]) => [name, queryPair(name, values.join(','))]);
}

function queryPair(name: string, value: string): string {
  const isPlain = NEEDS_NO_ESCAPE.test(name) && NEEDS_NO_ESCAPE.test(value);
  // A comma needs no escape, and addresses are read by people.
  return isPlain
    ? `${name}=${value}`
    : new URLSearchParams([[name, value]]).toString().replaceAll('%2C', ',');
}

/**
 * A link with the same query and some values changed. A cursor or page number belongs to one query, so it is dropped
 * unless given.
 */
export function linkWith(path: string, sent: Sent, change: Readonly<Record<string, string>>): string {
  let query = '';
  for (const [name, pair] of encodedPairs(sent))
    if (!OF_ONE_PAGE.has(name) && !Object.hasOwn(change, name)) query += `&${pair}`;
  for (const name in change) query += `&${queryPair(name, change[name] ?? '')}`;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}

/** A link with the same query but without some names. */
export function linkWithout(path: string, sent: Sent, names: readonly string[]): string {
  let query = '';
  for (const [name, pair] of encodedPairs(sent))
    if (!OF_ONE_PAGE.has(name) && !names.includes(name)) query += `&${pair}`;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}

/** The whole query with some values changed, in their places; undefined removes one. */
export function linkChanged(
  path: string,
  sent: Sent,
  change: Readonly<Record<string, string | undefined>>,
): string {
  let query = '';
  for (const [name, pair] of encodedPairs(sent)) {
    if (!Object.hasOwn(change, name)) query += `&${pair}`;
    else if (change[name] !== undefined) query += `&${queryPair(name, change[name])}`;
  }
  for (const name in change)
    if (change[name] !== undefined && !sent.has(name)) query += `&${queryPair(name, change[name])}`;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}

/** A link with the whole query. */
export function linkTo(path: string, sent: Sent): string {
  return sent.size === 0
    ? path
    : `${path}?${encodedPairs(sent)
        .map(([, pair]) => pair)
        .join('&')}`;
}
