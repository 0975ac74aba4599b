import { Problem } from '../base/problems.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter of an endpoint: how it is read, what it allows, and how the API description shows it. */
export interface Parameter<T = unknown> {
  name: string;
  in: 'query' | 'path';
  isRequired: boolean;
  /** A list may be repeated, and counts as one list. */
  isList: boolean;
  /** Whether an empty value is a value. */
  allowsEmpty: boolean;
  /** Meaning, unit and default. */
  description: string;
  /** JSON Schema of the value; a list's is that of an array. */
  schema: JsonSchema;
  /** A good value for examples and tests. */
  example: string;
  /** Reads the text, or throws a Problem that names the parameter and what is allowed. */
  parse(text: string): T;
  /** REST only: an assistant's result must always fit its schema. */
  isRestOnly?: boolean;
}

export type ParameterSet = Readonly<Record<string, Parameter>>;

export type ValuesOf<P extends ParameterSet> = {
  [Name in keyof P]: P[Name] extends Parameter<infer T> ? T | undefined : never;
};

export function invalid(name: string, allowed: string, got: string): Problem {
  return new Problem('invalid-parameter', `"${name}" ${allowed}; got "${shortened(got)}".`);
}

/** What a caller sent is repeated to help, but never at any length. */
function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Values by name, each as often as it was sent. */
export type RawValues = ReadonlyMap<string, readonly string[]>;

/**
 * Reads all parameters of an operation. Unknown names are ignored, so that newer clients work against older servers;
 * a repeated single value, an empty one and crossed bounds are refused.
 */
export function readParameters<P extends ParameterSet>(parameters: P, raw: RawValues): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  for (const parameter of parametersOf(parameters)) {
    const sent = raw.get(parameter.name);
    if (sent === undefined || sent.length === 0) {
      if (parameter.isRequired) {
        throw new Problem('invalid-parameter', `"${parameter.name}" is required: ${parameter.description}`);
      }
      continue;
    }
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
  }
  refuseCrossedBounds(values);
  return values as ValuesOf<P>;
}

const lists = new WeakMap<ParameterSet, readonly Parameter[]>();

/** The parameters of a set in their order, listed once. */
export function parametersOf(parameters: ParameterSet): readonly Parameter[] {
  let list = lists.get(parameters);
  if (!list) {
    list = Object.values(parameters);
    lists.set(parameters, list);
  }
  return list;
}

function refuseCrossedBounds(values: Record<string, unknown>): void {
  for (const name in values) {
    if (!name.startsWith('min_')) continue;
    const other = `max_${name.slice('min_'.length)}`;
    const [min, max] = [values[name], values[other]];
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      throw new Problem('invalid-parameter', `"${name}" (${min}) must not be above "${other}" (${max}).`);
    }
  }
}
