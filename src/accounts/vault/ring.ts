import { randomBytes } from 'node:crypto';
import { checked, fieldsOf, jsonOf, listOf, nullable, number, objectOf, text } from '../../base/parsing.ts';
import { isPlausibleMs, SECOND_MS } from '../../base/times.ts';

/** The kind of a secret with which the service signs. */
export interface RingKind {
  /** Its name in the database. */
  name: string;
  create(): string | Promise<string>;
  /** How long something that was signed stays valid. A replaced value verifies for this long. */
  lifetimeMs: number;
}

/** The values of a secret: one signs, and those that were replaced still verify. */
export interface Ring {
  signing(): string;
  /** All values that verify, the signing one first. */
  all(): readonly string[];
}

export interface RingValue {
  value: string;
  /** It signs from then on: by then every process has read it. */
  fromMs: number;
  /** It verifies until then; null: it is the newest. */
  untilMs: number | null;
}

/** Processes read the rings every 5 s; a new value signs once all of them have it. */
export const REFRESH_MS = 5 * SECOND_MS;
const SIGNS_AFTER_MS = 4 * REFRESH_MS;

export const randomSecret = () => randomBytes(32).toString('hex');

export function usable(values: readonly RingValue[], nowMs: number): string[] {
  const valid = values.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);
  const signing = valid.find(({ fromMs }) => fromMs <= nowMs) ?? valid[0];
  return signing ? [signing, ...valid.filter((one) => one !== signing)].map(({ value }) => value) : [];
}

/** The values after a rotation, newest first. */
export function rotated(
  values: readonly RingValue[],
  value: string,
  lifetimeMs: number,
  nowMs: number,
): RingValue[] {
  const fromMs = values.length === 0 ? nowMs : nowMs + SIGNS_AFTER_MS;
  const endMs = fromMs + lifetimeMs;
  return [
    { value, fromMs, untilMs: null },
    ...values.flatMap((old) =>
      old.untilMs !== null && old.untilMs <= nowMs ? [] : [{ ...old, untilMs: old.untilMs ?? endMs }],
    ),
  ];
}

export function writeRing(values: readonly RingValue[]): string {
  return JSON.stringify({ ring: values });
}

/** A text that is no ring is the one value that older versions stored. */
export function readRing(stored: string): RingValue[] {
  const { ring } = fieldsOf(jsonOf(stored));
  return ring === undefined ? [{ value: stored, fromMs: 0, untilMs: null }] : parseRing(ring, 'ring');
}

const time = checked(number, (ms) => ms === 0 || isPlausibleMs(ms), 'a time');
const parseRing = listOf(objectOf<RingValue>({ value: text, fromMs: time, untilMs: nullable(time) }));

/** A ring with one value. */
export function fixedRing(value: string): Ring {
  return { signing: () => value, all: () => [value] };
}
