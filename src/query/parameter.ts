import { perSnapshot } from '../base/per-snapshot.ts';
import { Problem } from '../base/problems.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter of an endpoint: how it is parsed, what it allows, and how the API description shows it. */
export interface Parameter<T = unknown> {
  name: string;
  in: 'query' | 'path';
  isRequired: boolean;
  /** A list parameter may be repeated; all its values form one list. */
  isList: boolean;
  /** Whether an empty value is allowed. */
  allowsEmpty: boolean;
  /** Meaning, unit and default. */
  description: string;
  /** JSON Schema of the value; for a list parameter that of an array. */
  schema: JsonSchema;
  /** A valid value for examples and tests. */
  example: string;
  /** Parses the text, or throws a Problem that names the parameter and what is allowed. */
  parse(text: string): T;
  /** Not offered as a tool argument: a tool's result must always match its output schema. */
  isRestOnly?: boolean;
  /** The columns of rows that it filters by. Clients show them before others. */
  columns?: readonly string[];
  /** The columns that rows have because of it; likewise. */
  adds?: readonly string[];
  /** The values are venue names, which the operation checks against the served venues. */
  isExchangeName?: boolean;
  /** The parameter is ignored, whatever its value, when one of these is sent. */
  ignoredWith?: readonly string[];
}

export type ParameterSet = Readonly<Record<string, Parameter>>;

export type ValuesOf<P extends ParameterSet> = {
  [Name in keyof P]: P[Name] extends Parameter<infer T> ? T | undefined : never;
};

export function invalid(name: string, allowed: string, got: string): Problem {
  return new Problem('invalid-parameter', `"${name}" ${allowed}; got "${shortened(got)}".`);
}

/** Error messages repeat the start of the sent value, never all of it. */
function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The sent values by parameter name; a repeated parameter has several. */
export type RawValues = ReadonlyMap<string, readonly string[]>;

/**
 * Parses all parameters of an operation. Unknown names are ignored, so that newer clients work with older servers.
 * Throws for a single-valued parameter that was repeated, an empty value, and a lower bound above its upper bound.
 */
export function readParameters<P extends ParameterSet>(parameters: P, raw: RawValues): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  const { list, afterRequired, bounds, isUpperBound } = knownOf(parameters);
  let unread = raw.size;
  let hasUpperBound = false;
  for (let i = 0; i < list.length && (unread > 0 || i < afterRequired); i++) {
    const parameter = list[i] as Parameter;
    const sent = raw.get(parameter.name);
    if (sent !== undefined) unread--;
    if (sent === undefined || sent.length === 0) {
      if (parameter.isRequired) {
        throw new Problem('invalid-parameter', `"${parameter.name}" is required: ${parameter.description}`);
      }
      continue;
    }
    if (parameter.ignoredWith?.some((name) => raw.has(name))) continue;
    if (sent.length > 1 && !parameter.isList) {
      throw new Problem(
        'invalid-parameter',
        `"${parameter.name}" was sent ${sent.length} times; send it once.`,
      );
    }
    if (!parameter.allowsEmpty && sent.includes('')) {
      throw new Problem(
        'invalid-parameter',
        `"${parameter.name}" is empty; leave it out or give it a value.`,
      );
    }
    values[parameter.name] = parameter.parse(sent.length === 1 ? (sent[0] as string) : sent.join(','));
    hasUpperBound ||= isUpperBound[i] as boolean;
  }
  if (hasUpperBound) refuseCrossedBounds(values, bounds);
  return values as ValuesOf<P>;
}

interface KnownSet {
  list: readonly Parameter[];
  /** Index after the last required parameter. */
  afterRequired: number;
  /** Names of the lower and upper bounds that belong together. */
  bounds: readonly (readonly [min: string, max: string])[];
  /** For each of the list: most requests have no upper bound, and none of theirs can be crossed. */
  isUpperBound: readonly boolean[];
}

/** What does not depend on the request, computed once per parameter set. */
const knownOf = perSnapshot((parameters: ParameterSet): KnownSet => {
  const list = Object.values(parameters);
  const names = new Set(list.map(({ name }) => name));
  const bounds = [...names]
    .filter((name) => name.startsWith('min_'))
    .map((name) => [name, `max_${name.slice('min_'.length)}`] as const)
    .filter(([, max]) => names.has(max));
  return {
    list,
    afterRequired: list.findLastIndex(({ isRequired }) => isRequired) + 1,
    bounds,
    isUpperBound: list.map(({ name }) => bounds.some(([, max]) => max === name)),
  };
});

/** The parameters of a set in their declared order. */
export function parametersOf(parameters: ParameterSet): readonly Parameter[] {
  return knownOf(parameters).list;
}

/**
 * The sent values that are query parameters of the set and are not ignored, in the order of the set instead of the
 * request's.
 */
export function sentInOrder(parameters: ParameterSet, raw: RawValues): RawValues {
  if (raw.size === 0) return raw;
  const inOrder = new Map<string, readonly string[]>();
  const { list } = knownOf(parameters);
  let unread = raw.size;
  for (let i = 0; i < list.length && unread > 0; i++) {
    const { name, in: place, ignoredWith } = list[i] as Parameter;
    const sent = raw.get(name);
    if (sent === undefined) continue;
    unread--;
    if (place === 'query' && !ignoredWith?.some((other) => raw.has(other))) inOrder.set(name, sent);
  }
  return inOrder;
}

function refuseCrossedBounds(values: Record<string, unknown>, bounds: KnownSet['bounds']): void {
  for (const [minName, maxName] of bounds) {
    const min = values[minName];
    if (min === undefined) continue;
    const max = values[maxName];
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      throw new Problem(
        'invalid-parameter',
        `"${minName}" (${min}) must not be above "${maxName}" (${max}).`,
      );
    }
  }
}
