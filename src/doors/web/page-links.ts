type Sent = ReadonlyMap<string, readonly string[]>;

const NEEDS_NO_ESCAPE = /^[\w.*-]*$/;
const written = new WeakMap<Sent, ReadonlyMap<string, string>>();

/** Each value of a question as a query has it. A page links to itself a dozen times: they are written once. */
function writtenPairs(sent: Sent): ReadonlyMap<string, string> {
  let pairs = written.get(sent);
  if (!pairs) {
    pairs = new Map([...sent].map(([name, values]) => [name, queryPair(name, values.join(','))]));
    written.set(sent, pairs);
  }
  return pairs;
}

function queryPair(name: string, value: string): string {
  const isPlain = NEEDS_NO_ESCAPE.test(name) && NEEDS_NO_ESCAPE.test(value);
  return isPlain ? `${name}=${value}` : new URLSearchParams([[name, value]]).toString();
}

/**
 * The same question with something changed. A cursor belongs to one question, so it is left out unless given. A question
 * must not be changed after it was given here.
 */
export function linkWith(path: string, sent: Sent, change: Readonly<Record<string, string>>): string {
  let query = '';
  for (const [name, pair] of writtenPairs(sent))
    if (name !== 'cursor' && !(name in change)) query += `&${pair}`;
  for (const name in change) query += `&${queryPair(name, change[name] ?? '')}`;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}

/** The whole question behind a path. */
export function linkTo(path: string, sent: Sent): string {
  return sent.size === 0 ? path : `${path}?${[...writtenPairs(sent).values()].join('&')}`;
}
