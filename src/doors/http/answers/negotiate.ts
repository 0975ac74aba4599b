import { weightedValues } from '../../../base/http/q-values.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** Compressing a smaller body saves nothing: it fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;
/** Least CPU first; all of them shrink our JSON about equally. */
const OFFERED: readonly Encoding[] = ['zstd', 'br', 'gzip'];
/** Clients send few different headers. The limit bounds the memory that made-up ones can take. */
const MAX_CACHED_HEADERS = 200;

const choices = new Map<string, Encoding | null>();
/** Compared before the Map lookup, which would have to hash the header of every request. */
let last: { header: string; choice: Encoding | null } = { header: '', choice: null };

/** Chooses the encoding from Accept-Encoding: the highest weight, and of equal weights our cheapest. Null: uncompressed. */
export function encodingFor(header: string | undefined, bodyBytes: number): Encoding | null {
  if (header === undefined || bodyBytes < MIN_COMPRESSED_BYTES) return null;
  if (header === last.header) return last.choice;
  let choice = choices.get(header);
  if (choice === undefined) {
    choice = parseChoice(header);
    if (choices.size >= MAX_CACHED_HEADERS) choices.clear();
    choices.set(header, choice);
  }
  last = { header, choice };
  return choice;
}

/** For streams, which are compressed with gzip or not at all. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = parseWeights(header);
  const weight = weights.get('gzip') ?? weights.get('*') ?? 0;
  return weight > 0 && weight >= (weights.get('identity') ?? 0);
}

function parseWeights(header: string): Map<string, number> {
  return new Map(weightedValues(header).map(({ value, weight }) => [value, weight]));
}

function parseChoice(header: string): Encoding | null {
  const weights = parseWeights(header);
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  // Identity is always acceptable unless named, but any accepted encoding is better.
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

/**
 * Whether If-None-Match lists the tag. It asks for weak comparison, which ignores the W/ prefix. "*" matches nothing: its
 * sender has no answer that could be unchanged.
 */
export function listsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
