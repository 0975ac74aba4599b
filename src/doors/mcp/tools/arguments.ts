import { Problem } from '../../../base/problems.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { parametersOf, type RawValues } from '../../../query/parameter.ts';

/**
 * Converts a tool's arguments to the query values of the REST endpoint, so that the same code parses and checks both.
 * Null counts as absent, because assistants send it that way. Unknown names are ignored.
 */
export function rawValues(operation: AnyOperation, sent: Readonly<Record<string, unknown>>): RawValues {
  const values = new Map<string, readonly string[]>();
  const isSent = (name: string) =>
    Object.hasOwn(sent, name) && sent[name] !== null && sent[name] !== undefined;
  for (const { name, isRestOnly, ignoredWith } of parametersOf(operation.parameters)) {
    if (isRestOnly || !isSent(name) || ignoredWith?.some(isSent)) continue;
    const value = sent[name];
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
