import { LRUCache } from 'lru-cache';
import { weightedValues } from '../../../base/http/q-values.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** `fast` for answers that live for seconds, `small` for files that are compressed once and cached by browsers. */
export type Compression = 'fast' | 'small';

/** A smaller answer fits into one packet anyway. A page loads twenty files, so there every byte counts. */
const MIN_COMPRESSED_BYTES = { fast: 1024, small: 256 } as const;
/** The best last: for answers the one that takes least CPU, as all shrink our JSON about equally; for files the smallest. */
const OFFERED: Readonly<Record<Compression, readonly Encoding[]>> = {
  fast: ['gzip', 'br', 'zstd'],
  small: ['gzip', 'zstd', 'br'],
};

/** Chooses the encoding from Accept-Encoding: the highest weight, and of equal weights our best. Null: uncompressed. */
export function encodingFor(
  header: string | undefined,
  bodyBytes: number,
  compression: Compression = 'fast',
): Encoding | null {
  if (header === undefined || bodyBytes < MIN_COMPRESSED_BYTES[compression]) return null;
  const weights = weightsOf(header);
  // Identity is always acceptable unless named, but any accepted encoding is better.
  let best: { encoding: Encoding | null; weight: number } = {
    encoding: null,
    weight: weights.get('identity') ?? 0,
  };
  for (const encoding of OFFERED[compression]) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > 0 && weight >= best.weight) best = { encoding, weight };
  }
  return best.encoding;
}

/** For streams, which are compressed with gzip or not at all. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = weightsOf(header);
  const weight = weights.get('gzip') ?? weights.get('*') ?? 0;
  return weight > 0 && weight >= (weights.get('identity') ?? 0);
}

/** Clients send few different headers. */
const parsed = new LRUCache<string, ReadonlyMap<string, number>>({ max: 200 });

function weightsOf(header: string): ReadonlyMap<string, number> {
  let weights = parsed.get(header);
  if (!weights) {
    weights = new Map(weightedValues(header).map(({ value, weight }) => [value, weight]));
    parsed.set(header, weights);
  }
  return weights;
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
