import type { AnyOperation } from '../../../operations/operation.ts';
import { parametersOf } from '../../../query/parameter.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** The names of a page's query parameters, each with the length of the longest value that the page takes. */
export type PageParameters = ReadonlyMap<string, number>;

/** Room for the names of all venues. */
const LONGEST_OWN_VALUE = 500;

/** The query parameters of the operation behind a page, which checks their values, and those of the page alone. */
export function pageParameters(operation: AnyOperation | null, own: readonly string[] = []): PageParameters {
  const checked = parametersOf(operation?.parameters ?? {}).filter(
    (one) => one.in === 'query' && !one.isRestOnly,
  );
  return new Map([
    ...checked.map(({ name }) => [name, Number.POSITIVE_INFINITY] as const),
    ...own.map((name) => [name, LONGEST_OWN_VALUE] as const),
  ]);
}

/** What a page takes of a query. It repeats the rest in its links, dozens of times, so all else must be left out. */
export function knownValues(sent: Sent, parameters: PageParameters): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const [name, values] of sent) {
    const longest = parameters.get(name);
    if (longest !== undefined && values.join(',').length <= longest) known.set(name, [...values]);
  }
  return known;
}
