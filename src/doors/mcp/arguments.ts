import { Problem } from '../../base/problems.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { RawValues } from '../../query/parameter.ts';

/**
 * A tool's arguments as the query values that REST would have got, so that both are read, checked and refused by the
 * same code. Null stands for "not given", as assistants mean it; names that no parameter has are ignored.
 */
export function rawValues(operation: AnyOperation, sent: Readonly<Record<string, unknown>>): RawValues {
  const values = new Map<string, readonly string[]>();
  for (const parameter of Object.values(operation.parameters)) {
    if (parameter.isRestOnly || !Object.hasOwn(sent, parameter.name)) continue;
    const value = sent[parameter.name];
    if (value === null || value === undefined) continue;
    const texts = Array.isArray(value)
      ? value.map((item) => textOf(parameter.name, item))
      : [textOf(parameter.name, value)];
    if (texts.length > 0) values.set(parameter.name, texts);
  }
  return values;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Problem(
    'invalid-parameter',
    `"${name}" must be text, a number, true or false, or a list of them.`,
  );
}
