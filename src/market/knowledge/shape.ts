/** Stored content that does not have the shape its kind requires. */
export class MalformedContentError extends Error {
  override readonly name = 'MalformedContentError';
}

/** Returns the value if it has the shape, else throws MalformedContentError. Fields that the shape does not name are dropped. */
export type Parse<Value> = (value: unknown, name: string) => Value;

export const text: Parse<string> = (value, name) => {
  if (typeof value !== 'string') throw new MalformedContentError(`${name} is not a text`);
  return value;
};

export const flag: Parse<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw new MalformedContentError(`${name} is not true or false`);
  return value;
};

export const number: Parse<number> = (value, name) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new MalformedContentError(`${name} is not a number`);
  return value;
};

export function nullable<Value>(parse: Parse<Value>): Parse<Value | null> {
  return (value, name) => (value === null ? null : parse(value, name));
}

export function optional<Value>(parse: Parse<Value>): Parse<Value | undefined> {
  return (value, name) => (value === undefined ? undefined : parse(value, name));
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Parse<Value> {
  return (value, name) => {
    const known = values.find((one) => one === value);
    if (known === undefined) throw new MalformedContentError(`${name} is none of ${values.join(', ')}`);
    return known;
  };
}

export function listOf<Item>(parse: Parse<Item>): Parse<Item[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw new MalformedContentError(`${name} is not a list`);
    return value.map((item) => parse(item, name));
  };
}

/** An object with these fields. One whose parser returns undefined is left out. */
export function objectOf<Value extends object>(
  fields: { [Field in keyof Value]-?: Parse<Value[Field]> },
): Parse<Value> {
  const parsers = Object.entries(fields) as [string, Parse<unknown>][];
  return (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new MalformedContentError(`${name} is not an object`);
    const row: Record<string, unknown> = {};
    for (const [field, parse] of parsers) {
      const parsed = parse((value as Record<string, unknown>)[field], field);
      if (parsed !== undefined) row[field] = parsed;
    }
    return row as Value;
  };
}
