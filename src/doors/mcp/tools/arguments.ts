import { Problem } from '../../../base/problems.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { parametersOf, type RawValues } from '../../../query/parameter.ts';

/**
 * A tool's arguments as the query values that REST would have got, so that both are read, checked and refused by the
 * same code. Null stands for "not given", as assistants mean it; names that no parameter has are ignored.
 */
export function rawValues(operation: AnyOperation, sent: Readonly<Record<string, unknown>>): RawValues {
  const values = new Map<string, readonly string[]>();
  for (const { name, isRestOnly } of parametersOf(operation.parameters)) {
    if (isRestOnly || !Object.hasOwn(sent, name)) continue;
    const value = sent[name];
    if (value === null || value === undefined) continue;
    const texts = Array.isArray(value) ? value.map((item) => textOf(name, item)) : [textOf(name, value)];
    if (texts.length > 0) values.set(name, texts);
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
