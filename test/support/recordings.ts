import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unquoteShortDecimals } from '../../src/base/v8/short-decimals.ts';

/** Real venue replies kept beside the checkout. They stay there; `asSent` reads them if they are there. */
const FOLDER = join(import.meta.dirname, '../../../shared/recordings');

export const hasRecordings = existsSync(FOLDER);

/** A reply as the clients of the service parse it. Recordings are laid out for reading; venues send no spaces. */
export function asReceived(recorded: unknown): unknown {
  const bytes = Buffer.from(JSON.stringify(recorded) ?? 'null');
  unquoteShortDecimals(bytes);
  return JSON.parse(bytes.toString('utf8'));
}

/** A file of a venue's recordings as JSON, e.g. `capture('bybit', 'http_get_orderbook.json')`. */
export function capture(venue: string, file: string): unknown {
  return asReceived(JSON.parse(readFileSync(join(FOLDER, venue, 'captures', file), 'utf8')));
}

/** The reply of a documentation sample: the file starts with method, path and a flag, then the JSON. */
export function sample(venue: string, file: string): unknown {
  const text = readFileSync(join(FOLDER, venue, 'samples', file), 'utf8');
  const start = text.search(/^[ \t]*[[{]/m);
  return asReceived(JSON.parse(text.slice(start)));
}

/** Raw `info` objects of the instruments in a ccxt markets file. */
export function ccxtInstruments(venue: string): unknown[] {
  const markets = JSON.parse(readFileSync(join(FOLDER, venue, 'ccxt', 'markets.json'), 'utf8')) as Record<
    string,
    { info?: unknown }
  >;
  return Object.values(markets).flatMap((market) =>
    market.info === undefined ? [] : [asReceived(market.info)],
  );
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
  return (file.methods[method] ?? []).map((one) => ({ ...one, httpResponse: asReceived(one.httpResponse) }));
}
