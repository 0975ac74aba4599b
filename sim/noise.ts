/** Deterministic randomness: a function of its inputs, so that the simulated past is reproducible. */

/** A 32-bit hash of a text and some integers, well mixed (FNV-1a, then a finaliser). */
export function hash(text: string, ...numbers: number[]): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  for (const number of numbers) {
    h = Math.imul(h ^ (number | 0), 0x01000193);
    h = Math.imul(h ^ Math.floor(number / 4294967296), 0x01000193);
  }
  return mix(h);
}

function mix(value: number): number {
  let h = value;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A number in [0, 1) from a hashed key. */
export function unit(text: string, ...numbers: number[]): number {
  return hash(text, ...numbers) / 4294967296;
}

/** A number in [0, 1) from a seed that is already a hash: the fast path for values that change with time. */
function unitAt(seed: number, step: number): number {
  return (
    mix(Math.imul(seed ^ step, 0x9e3779b1) ^ Math.imul(Math.floor(step / 4294967296) + seed, 0x85ebca6b)) /
    4294967296
  );
}

/** A smooth walk in [-1, 1]: random values at whole steps, joined by a cosine-like curve. */
export function smooth(seed: number, position: number): number {
  const step = Math.floor(position);
  const part = position - step;
  const from = unitAt(seed, step);
  const to = unitAt(seed, step + 1);
  const eased = part * part * (3 - 2 * part);
  return (from + (to - from) * eased) * 2 - 1;
}

/** A jump value in [0, 1) that stays the same within one step. */
export function stepped(seed: number, position: number): number {
  return unitAt(seed, Math.floor(position));
}
