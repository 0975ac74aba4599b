import { weightedValues } from '../../base/http/q-values.ts';
import { type FileFormat, type Format, MEDIA_TYPES } from '../../operations/format.ts';

/** Clients send few different headers. The limit bounds the memory that made-up ones can take. */
const MAX_CACHED_HEADERS = 200;

type Wanted = readonly FileFormat[];

const NONE: Wanted = [];
const parsed = new Map<string, Wanted>();
/** Compared before the Map lookup, which would have to hash the header of every request. */
let last: { header: string; wanted: Wanted } = { header: '*/*', wanted: NONE };

/** The format of ours that Accept prefers to JSON; null for JSON, which is also the answer if nothing fits. */
export function acceptedFormat(header: string | undefined, ours: Wanted): FileFormat | null {
  if (header === undefined) return null;
  const wanted = header === last.header ? last.wanted : wantedFormats(header);
  return wanted === NONE ? null : (wanted.find((format) => ours.includes(format)) ?? null);
}

function wantedFormats(header: string): Wanted {
  let wanted = parsed.get(header);
  if (wanted === undefined) {
    wanted = parseWanted(header);
    if (parsed.size >= MAX_CACHED_HEADERS) parsed.clear();
    parsed.set(header, wanted);
  }
  last = { header, wanted };
  return wanted;
}

/** The named formats before JSON by weight, of equal ones in the order of the header. A wildcard names none. */
function parseWanted(header: string): Wanted {
  const named: { format: Format; weight: number }[] = [];
  for (const { value, weight } of weightedValues(header)) {
    const format = (Object.keys(MEDIA_TYPES) as Format[]).find((name) => MEDIA_TYPES[name] === value);
    if (format !== undefined && weight > 0) named.push({ format, weight });
  }
  const wanted: FileFormat[] = [];
  for (const { format } of named.toSorted((a, b) => b.weight - a.weight)) {
    if (format === 'json') break;
    wanted.push(format);
  }
  return wanted.length === 0 ? NONE : wanted;
}
