import { setImmediate as nextTurn } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '../src/base/times.ts';
import type { SimVenue } from './venue.ts';
import type { SimView } from './view.ts';

interface PrintsQuestion {
  fromMs: number;
  toMs: number;
}

/** What a reply is written to. */
interface PrintsReply {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(part: Uint8Array): boolean;
  end(): unknown;
}

export function readPrintsQuestion(query: URLSearchParams): PrintsQuestion {
  const time = (name: string) => {
    const value = Number(query.get(name) ?? Number.NaN);
    if (!Number.isInteger(value) || value < 0) throw new Error(`"${name}" must be a time in milliseconds`);
    return value;
  };
  return { fromMs: time('from_ms'), toMs: time('to_ms') };
}

/**
 * The settled prints of all contracts of all venues in one reply, as the venues publish them. Little-endian, for each
 * contract: length of a JSON list of venue, venue symbol and number of prints (32 bits), the list, and the prints: the
 * minute as 32 bits and the rate in percent as a double.
 */
export async function sendPrints(
  response: PrintsReply,
  { fromMs, toMs }: PrintsQuestion,
  venues: readonly SimVenue[],
  viewOf: (slug: string) => SimView,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  for (const { profile, settledPrints } of venues) {
    const view = viewOf(profile.slug);
    for (const contract of view.contracts) {
      const prints =
        settledPrints?.(contract, view, fromMs, toMs) ??
        view
          .settlements(contract, fromMs, toMs)
          .map(({ settledAtMs, rateE8 }) => ({ settledAtMs, ratePct: rateE8 / 1e6 }));
      response.write(bytesOf([profile.slug, contract.venueSymbol, prints.length], prints));
    }
    // Let other requests run.
    await nextTurn();
  }
  response.end();
}

/** A reply that is computed before it is requested. */
export interface PreparedPrints {
  question: PrintsQuestion;
  parts: Promise<readonly Uint8Array[]>;
}

/** Computes a reply as of now, while the process that will ask for it still loads its code. */
export function preparePrints(
  question: PrintsQuestion,
  venues: readonly SimVenue[],
  viewOf: (slug: string) => SimView,
): PreparedPrints {
  const parts: Uint8Array[] = [];
  const collected = {
    writeHead: () => collected,
    write: (part: Uint8Array) => parts.push(part) > 0,
    end: () => collected,
  };
  // The views of now: the clock may be moved before all are computed.
  const views = new Map(venues.map(({ profile: { slug } }) => [slug, viewOf(slug)]));
  const computing = sendPrints(collected, question, venues, (slug) => views.get(slug) ?? viewOf(slug));
  return { question, parts: computing.then(() => parts) };
}

export async function sendPrepared(response: PrintsReply, { parts }: PreparedPrints): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  for (const part of await parts) response.write(part);
  response.end();
}

/** Whether both have the same answer: contracts settle at full hours. */
export function isSameQuestion(a: PrintsQuestion, b: PrintsQuestion): boolean {
  const hour = (atMs: number) => Math.floor(atMs / HOUR_MS);
  return hour(a.fromMs) === hour(b.fromMs) && hour(a.toMs) === hour(b.toMs);
}

const PRINT_BYTES = 12;

function bytesOf(
  head: readonly [slug: string, venueSymbol: string, count: number],
  prints: readonly { settledAtMs: number; ratePct: number }[],
): Buffer {
  const text = JSON.stringify(head);
  const start = 4 + Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(start + prints.length * PRINT_BYTES);
  bytes.writeUInt32LE(start - 4, 0);
  bytes.write(text, 4);
  for (const [i, { settledAtMs, ratePct }] of prints.entries()) {
    bytes.writeUInt32LE(Math.floor(settledAtMs / MINUTE_MS), start + i * PRINT_BYTES);
    bytes.writeDoubleLE(ratePct, start + i * PRINT_BYTES + 4);
  }
  return bytes;
}
