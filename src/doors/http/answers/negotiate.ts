import type { Encoding } from './body.ts';

/** Smaller answers than this do not get smaller by compressing. */
const WORTH_COMPRESSING_BYTES = 1024;
/** Cheapest for us first; all of them shrink our JSON about equally. */
const OFFERED: readonly Encoding[] = ['zstd', 'br', 'gzip'];
/** There are few different headers; a flood of made-up ones must not fill the memory. */
const MAX_REMEMBERED = 200;

const remembered = new Map<string, Encoding | null>();
/** Before all others: looking a text up that has just arrived costs more than comparing it. */
let last: { header: string; choice: Encoding | null } = { header: '', choice: null };

/** The encoding that the caller likes best; of equally liked ones our cheapest; null sends the bytes as they are. */
export function encodingFor(header: string | undefined, bytes: number): Encoding | null {
  if (header === undefined || bytes < WORTH_COMPRESSING_BYTES) return null;
  if (header === last.header) return last.choice;
  let choice = remembered.get(header);
  if (choice === undefined) {
    choice = chosenFrom(header);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(header, choice);
  }
  last = { header, choice };
  return choice;
}

function chosenFrom(header: string): Encoding | null {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  // Unnamed, "as it is" is acceptable but nobody's wish.
  let best: { encoding: Encoding | null; weight: number } = {
    encoding: null,
    weight: weights.get('identity') ?? 0,
  };
  for (const encoding of OFFERED.toReversed()) {
    if (weightOf(encoding) > 0 && weightOf(encoding) >= best.weight)
      best = { encoding, weight: weightOf(encoding) };
  }
  return best.encoding;
}

/** Whether the caller already has this answer. Weak marks are ignored: our tags are strong. */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
