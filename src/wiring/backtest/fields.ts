import { SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';

/** A message between the threads whose shape is wrong. It fails the one call it belongs to. */
export class MessageError extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

export function objectOf(value: unknown, what: string): Fields {
  if (!isObject(value)) throw new MessageError(`${what} is not an object`);
  return value;
}

export function listOf<T>(value: unknown, what: string, read: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new MessageError(`${what} is not a list`);
  return value.map(read);
}

export function mapOf<T>(
  value: unknown,
  what: string,
  read: (item: unknown, name: string) => T,
): Map<string, T> {
  if (!(value instanceof Map)) throw new MessageError(`${what} is not a Map`);
  return new Map([...value].map(([name, item]) => [textOf(name, what), read(item, String(name))]));
}

export function numbersOf(value: unknown, what: string): Record<string, number> {
  const entries = Object.entries(objectOf(value, what));
  return Object.fromEntries(entries.map(([name, number]) => [name, numberOf(number, name)]));
}

export function numberOf(value: unknown, what: string): number {
  if (typeof value !== 'number') throw new MessageError(`${what} is not a number`);
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MessageError(`${what} is not a text`);
  return value;
}

export function bytesOf(value: unknown, what: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new MessageError(`${what} is not a Uint8Array`);
  return value;
}

export function bytesOrNull(value: unknown, what: string): Uint8Array | null {
  return value === null ? null : bytesOf(value, what);
}

export function sizeOf(value: unknown): SizeUsd {
  const size = SIZES_USD.find((known) => known === value);
  if (size === undefined) throw new MessageError(`sizeUsd takes one of ${SIZES_USD.join(', ')}`);
  return size;
}
