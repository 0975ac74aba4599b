import type { Answered, Recording } from './recording.ts';

/** One thing that differs between two recordings. */
export interface Difference {
  group: string;
  name: string;
  /** Where in the answer: the row, if it is in one. */
  place: string;
  /** What differs there: a column, a header, a line. Differences of one kind are printed together. */
  kind: string;
  before: string;
  after: string;
}

/** The columns that name a row for a reader, as far as the row has them. */
const NAMING = [
  'exchange',
  'exchange_a',
  'exchange_b',
  'long_exchange',
  'short_exchange',
  'symbol',
  'long_symbol',
  'short_symbol',
  'venue_symbol',
  'coin',
  'kind',
  'time',
  'day',
  'at',
  'name',
  'path',
];
const ABSENT = '(none)';

/** Everything that differs; empty if the recordings are equal. */
export function differences(before: Recording, after: Recording): Difference[] {
  const groups = [...new Set([...before.keys(), ...after.keys()])].sort();
  return groups.flatMap((group) => {
    const [old, now] = [before.get(group), after.get(group)].map(
      (answers) => new Map((answers ?? []).map((answer) => [answer.name, answer])),
    ) as [Map<string, Answered>, Map<string, Answered>];
    const names = [...new Set([...old.keys(), ...now.keys()])];
    return names.flatMap((name) =>
      ofAnswers(old.get(name), now.get(name)).map((one) => ({ group, name, ...one })),
    );
  });
}

type Found = Omit<Difference, 'group' | 'name'>;

function ofAnswers(before: Answered | undefined, after: Answered | undefined): Found[] {
  if (!before || !after) {
    const [old, now] = [before, after].map((answer) => (answer ? `status ${answer.status}` : ABSENT));
    return [{ place: '', kind: 'the request itself', before: old ?? '', after: now ?? '' }];
  }
  const found: Found[] = [];
  if (before.status !== after.status)
    found.push({ place: '', kind: 'status', before: String(before.status), after: String(after.status) });
  for (const header of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)])) {
    const [old = ABSENT, now = ABSENT] = [before.headers[header], after.headers[header]];
    if (old !== now) found.push({ place: '', kind: `header ${header}`, before: old, after: now });
  }
  if (before.body !== after.body) found.push(...ofBodies(before.body, after.body));
  return found;
}

function ofBodies(before: string, after: string): Found[] {
  const [old, now] = [parsed(before), parsed(after)];
  if (old === undefined || now === undefined) return ofLines(before, after);
  const found = ofValues(old, now, '', '');
  // Equal values in other bytes: the order of fields, or how a number is written.
  return found.length > 0 ? found : [{ place: '', kind: 'bytes', ...firstDifference(before, after) }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isObject);
const shown = (value: unknown) => (value === undefined ? ABSENT : (JSON.stringify(value) ?? ABSENT));

function ofValues(before: unknown, after: unknown, place: string, path: string): Found[] {
  if (isRows(before) && isRows(after) && before.length + after.length > 0)
    return ofRows(before, after, place, path);
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      ofValues(before[key], after[key], place, path === '' ? key : `${path}.${key}`),
    );
  const [old, now] = [shown(before), shown(after)];
  return old === now ? [] : [{ place, kind: path === '' ? 'value' : path, before: old, after: now }];
}

function nameOf(row: Record<string, unknown>): string {
  return NAMING.flatMap((column) => (row[column] === undefined ? [] : [String(row[column])])).join(' ');
}

/** Rows are matched by their names, so that one more row is one difference; by their places if names repeat. */
function ofRows(
  before: readonly Record<string, unknown>[],
  after: readonly Record<string, unknown>[],
  place: string,
  path: string,
): Found[] {
  const within = (name: string) => (place === '' ? name : `${place}, ${name}`);
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [nameOf(row), row]))) as [
    Map<string, Record<string, unknown>>,
    Map<string, Record<string, unknown>>,
  ];
  if (old.size < before.length || now.size < after.length)
    return Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
      ofValues(before[i], after[i], within(`row ${i + 1}`), path),
    ).flat();
  const found: Found[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(name), now.get(name)];
    if (from && to) found.push(...ofValues(from, to, within(name), path));
    else
      found.push({
        place: within(name),
        kind: `${path}: row`,
        before: from ? 'there' : ABSENT,
        after: to ? 'there' : ABSENT,
      });
  }
  const [oldOrder, newOrder] = [
    [...old.keys()].filter((name) => now.has(name)),
    [...now.keys()].filter((name) => old.has(name)),
  ];
  const moved = oldOrder.findIndex((name, i) => name !== newOrder[i]);
  if (moved >= 0)
    found.push({
      place: within(`row ${moved + 1}`),
      kind: `${path}: order`,
      before: oldOrder[moved] ?? '',
      after: newOrder[moved] ?? '',
    });
  return found;
}

const MOST_LINES = 5;

/** Lines of a text that the other one lacks. */
function ofLines(before: string, after: string): Found[] {
  const [old, now] = [before, after].map((text) => text.split('\n')) as [string[], string[]];
  const lacking = (lines: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return lines.flatMap((line, i) => (known.has(line) ? [] : [{ line, number: i + 1 }]));
  };
  const [gone, come] = [lacking(old, now), lacking(now, old)];
  const count = Math.max(gone.length, come.length);
  if (count === 0) return [{ place: '', kind: 'order of lines', ...firstDifference(before, after) }];
  return Array.from({ length: Math.min(count, MOST_LINES) }, (_, i) => {
    const { line: from = ABSENT, number } = gone[i] ?? { number: come[i]?.number ?? 0 };
    return { place: `line ${number}`, kind: 'lines', ...firstDifference(from, come[i]?.line ?? ABSENT) };
  });
}

const AROUND = 60;

/** Both texts around the first character that differs. */
function firstDifference(before: string, after: string): { before: string; after: string } {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const part = (text: string) => {
    const [from, to] = [Math.max(0, at - AROUND), at + AROUND];
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  };
  return { before: part(before), after: part(after) };
}

const EXAMPLES = 3;

/** What differs, for a person: differences of one kind together, with a few of them in full. */
export function report(found: readonly Difference[]): string {
  const kinds = Map.groupBy(found, ({ group, kind }) => `${group}: ${kind}`);
  return [...kinds]
    .map(([title, all]) => {
      const answers = new Set(all.map(({ name }) => name)).size;
      const examples = all.slice(0, EXAMPLES).map(({ name, place, before, after }) => {
        const where = place === '' ? name : `${name}\n    ${place}`;
        return `  ${where}\n    before  ${before}\n    after   ${after}`;
      });
      return `${title} differs ${times(all.length)} in ${answers === 1 ? 'one answer' : `${answers} answers`}\n${examples.join('\n')}`;
    })
    .join('\n\n');
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
