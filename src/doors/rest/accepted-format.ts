import { weightedValues } from '../../base/http/q-values.ts';
import { type FileFormat, type Format, MEDIA_TYPES } from '../../operations/format.ts';

const FORMATS = new Map(
  (Object.keys(MEDIA_TYPES) as Format[]).map((format) => [MEDIA_TYPES[format], format]),
);

/**
 * The format of ours that Accept prefers to JSON: by weight, of equal ones by the order of the header. Null for JSON, which
 * is also the answer if nothing fits. A wildcard names no format.
 */
export function acceptedFormat(header: string | undefined, ours: readonly FileFormat[]): FileFormat | null {
  if (header === undefined) return null;
  let best: { format: Format; weight: number } = { format: 'json', weight: 0 };
  for (const { value, weight } of weightedValues(header)) {
    const format = FORMATS.get(value);
    if (format === undefined || weight <= best.weight) continue;
    if (format === 'json' || ours.includes(format)) best = { format, weight };
  }
  return best.format === 'json' ? null : best.format;
}
