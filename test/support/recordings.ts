import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Real venue replies kept beside the checkout. They stay there; `asSent` reads them if they are there. */
const FOLDER = join(import.meta.dirname, '../../../shared/recordings');

export const hasRecordings = existsSync(FOLDER);

/** A file of a venue's recordings as JSON, e.g. `capture('bybit', 'http_get_orderbook.json')`. */
export function capture(venue: string, file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, venue, 'captures', file), 'utf8'));
}

/** The reply of a documentation sample: the file starts with method, path and a flag, then the JSON. */
export function sample(venue: string, file: string): unknown {
  const text = readFileSync(join(FOLDER, venue, 'samples', file), 'utf8');
  const start = text.search(/^[ \t]*[[{]/m);
  return JSON.parse(text.slice(start));
}

/** Raw `info` objects of the instruments in a ccxt markets file. */
export function ccxtInstruments(venue: string): unknown[] {
  const markets = JSON.parse(readFileSync(join(FOLDER, venue, 'ccxt', 'markets.json'), 'utf8')) as Record<
    string,
    { info?: unknown }
  >;
  return Object.values(markets).flatMap((market) => (market.info === undefined ? [] : [market.info]));
}

interface CcxtRecording {
  description: string;
  method: string;
  httpResponse: unknown;
}

/** Recorded replies of one unified method. */
export function ccxtReplies(venue: string, method: string): CcxtRecording[] {
  const file = JSON.parse(readFileSync(join(FOLDER, venue, 'ccxt', 'response.json'), 'utf8')) as {
    methods: Record<string, CcxtRecording[]>;
  };
  return file.methods[method] ?? [];
}

/** Every recorded reply and message of all venues that is JSON, with its place. */
export function* recordedReplies(): Generator<{ name: string; payload: unknown }> {
  for (const path of globSync('*/{captures,samples,ccxt}/*.{json,txt}', { cwd: FOLDER }).sort()) {
    const text = readFileSync(join(FOLDER, path), 'utf8');
    const payload = parsed(path.endsWith('.txt') ? text.slice(text.search(/^[ \t]*[[{]/m)) : text);
    if (payload !== null) yield { name: path, payload };
  }
}

/** Null if it is something else: some samples are several messages. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
