/**
 * Parsers of values from outside: messages of other threads and processes, stored JSON, files. Replies of venues are read
 * by `src/venues/reading.ts` instead, because there a bad row is skipped and counted.
 */

/** A value that does not have the shape its reader requires. The message starts with the path of the field. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** Returns the value if it has the shape, else throws a ShapeError. `path` names the value in the message. */
export type Parse<Value> = (value: unknown, path: string) => Value;

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object; none if it is something else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The value that a JSON text has; undefined if the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it has the shape, else null. */
export function parsedOrNull<Value>(parse: Parse<Value>, value: unknown): Value | null {
  try {
    return parse(value, '');
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

export const text: Parse<string> = (value, path) => {
  if (typeof value !== 'string') throw new ShapeError(`${path} is not a text`);
  return value;
};

export const flag: Parse<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new ShapeError(`${path} is not true or false`);
  return value;
};

export const number: Parse<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`${path} is not a number`);
  return value;
};

/** A whole number of zero or more. */
export const count: Parse<number> = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new ShapeError(`${path} is not a count`);
  return value as number;
};

export const unparsed: Parse<unknown> = (value) => value;

export function nullable<Value>(parse: Parse<Value>): Parse<Value | null> {
  return (value, path) => (value === null ? null : parse(value, path));
}

/** For a field that may be missing. */
export function optional<Value>(parse: Parse<Value>): Parse<Value | undefined> {
  return (value, path) => (value === undefined ? undefined : parse(value, path));
}

/** For a field that older writers do not have: the default stands for it. */
export function withDefault<Value>(parse: Parse<Value>, fallback: Value): Parse<Value> {
  return (value, path) => (value === undefined ? fallback : parse(value, path));
}

export function oneOf<const Value extends string | number | boolean>(
  ...values: readonly Value[]
): Parse<Value> {
  return (value, path) => {
    const known = values.find((one) => one === value);
    if (known === undefined) throw new ShapeError(`${path} is none of ${values.join(', ')}`);
    return known;
  };
}

/** A value that also passes a test. `what` completes "is not". */
export function checked<Value>(
  parse: Parse<Value>,
  test: (value: Value) => boolean,
  what: string,
): Parse<Value> {
  return (value, path) => {
    const parsed = parse(value, path);
    if (!test(parsed)) throw new ShapeError(`${path} is not ${what}`);
    return parsed;
  };
}

export function listOf<Item>(parse: Parse<Item>): Parse<Item[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(`${path} is not a list`);
    return value.map((item, i) => parse(item, `${path}[${i}]`));
  };
}

/** A list with one parser for each place. Further items are dropped. */
export function tupleOf<Items extends readonly unknown[]>(
  ...parsers: { readonly [Place in keyof Items]: Parse<Items[Place]> }
): Parse<Items> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(`${path} is not a list`);
    return parsers.map((parse, i) => parse(value[i], `${path}[${i}]`)) as unknown as Items;
  };
}

/** An object whose names are free and whose values have one shape. */
export function recordOf<Item>(parse: Parse<Item>): Parse<Record<string, Item>> {
  return (value, path) => {
    if (!isObject(value)) throw new ShapeError(`${path} is not an object`);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, parse(item, `${path}.${name}`)]),
    );
  };
}

/** One parser for each field; that of an optional field may return undefined. */
type FieldParsers<Value> = {
  [Field in keyof Value]-?: Parse<
    object extends Pick<Value, Field> ? Value[Field] | undefined : Value[Field]
  >;
};

/** An object with these fields. Others are dropped. */
export function objectOf<Value extends object>(fields: FieldParsers<Value>): Parse<Value> {
  const parsers = Object.entries(fields) as [string, Parse<unknown>][];
  return (value, path) => {
    if (!isObject(value)) throw new ShapeError(`${path} is not an object`);
    const row: Record<string, unknown> = {};
    for (const [field, parse] of parsers) {
      const parsed = parse(value[field], path === '' ? field : `${path}.${field}`);
      if (parsed !== undefined) row[field] = parsed;
    }
    return row as Value;
  };
}
