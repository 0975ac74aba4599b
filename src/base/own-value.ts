/**
 * The value that the record itself has under a word from outside. Reading it with brackets would also find what every object
 * inherits: `constructor`, `toString`, `__proto__`.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(record, word) ? record[word] : undefined;
}
