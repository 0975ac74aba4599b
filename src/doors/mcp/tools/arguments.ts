import { Problem } from '../../../base/problems.ts';
import type { RawValues } from '../../../query/parameter.ts';
import { nearest } from '../../../query/suggestions.ts';
import { argumentsOf, type Tool } from './tools.ts';

const SUGGESTED_NAMES = 3;

/**
 * Converts a tool's arguments to the query values of the REST endpoint, so that the same code parses and checks both.
 * Null counts as absent, because assistants send it that way. Throws for an argument that the tool does not have.
 */
export function rawValues(
  tool: Pick<Tool, 'operation' | 'definition'>,
  sent: Readonly<Record<string, unknown>>,
): RawValues {
  const values = new Map<string, readonly string[]>();
  const isSent = (name: string) =>
    Object.hasOwn(sent, name) && sent[name] !== null && sent[name] !== undefined;
  const known = argumentsOf(tool.operation);
  refuseUnknown(
    tool.definition.name,
    Object.keys(sent).filter(isSent),
    known.map(({ name }) => name),
  );
  for (const { name, ignoredWith } of known) {
    if (!isSent(name) || ignoredWith?.some(isSent)) continue;
    const value = sent[name];
    const texts = Array.isArray(value) ? value.map((item) => textOf(name, item)) : [textOf(name, value)];
    if (texts.length > 0) values.set(name, texts);
  }
  return values;
}

/** A filter that is dropped without a word gives rows that nobody asked for. */
function refuseUnknown(tool: string, sent: readonly string[], known: readonly string[]): void {
  const unknown = sent.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Problem(
    'invalid-parameter',
    known.length === 0
      ? `${tool} takes no arguments; it was sent "${unknown.slice(0, 40)}".`
      : `${tool} has no argument "${unknown.slice(0, 40)}".`,
    { suggestions: nearest(unknown, known, SUGGESTED_NAMES) },
  );
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Problem(
    'invalid-parameter',
    `"${name}" must be text, a number, true or false, or a list of them.`,
  );
}
