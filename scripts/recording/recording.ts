import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { HttpClient } from '../../src/base/http/http-client.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY } from '../../src/base/request-budget.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../src/base/times.ts';
import { VenueCaller } from '../../src/venues/collecting/caller.ts';
import { failureText } from '../../src/venues/health.ts';
import type { Batch, Contract } from '../../src/venues/observations.ts';
import type { CollectContext, SendRequest, Venue, VenueRequest } from '../../src/venues/venue.ts';
import { replaySender } from './replay.ts';
import { listen } from './streams.ts';
import { trimmed } from './trim.ts';

interface RecordOptions {
  venue: Venue;
  http: HttpClient;
  clock: Clock;
  simUrl: string | null;
  folder: string;
  /** Rows that are kept of every list. */
  rows: number;
  /** How long to listen to each stream. */
  streamSeconds: number;
}

/** What was sent on a socket, and for which contracts. */
interface RecordedStream {
  stream: string;
  path: string;
  contracts: readonly string[];
  sent: readonly string[];
}

/** One recorded reply; `recording.json` has one for each file. */
export interface RecordedCall {
  file: string;
  source: string;
  request: VenueRequest | RecordedStream;
  receivedAt: string;
}

export interface Recording {
  venue: string;
  recordedAt: string;
  calls: RecordedCall[];
  /** What could not be recorded, in sentences. */
  failures: { source: string; cause: string }[];
}

/** Makes every call of a venue once and stores each reply in its own dated file, with long lists cut. */
export async function recordVenue(options: RecordOptions): Promise<Recording> {
  const { venue, clock, folder } = options;
  const recordedAt = isoTime(Math.floor(clock.nowMs() / SECOND_MS) * SECOND_MS);
  const recording: Recording = { venue: venue.slug, recordedAt, calls: [], failures: [] };
  const day = recordedAt.slice(0, 10);
  mkdirSync(folder, { recursive: true });
  const caller = new VenueCaller({ ...options, metrics: createMetrics(), isPaced: true });
  const contracts = new Map<string, Contract>();

  const save = (source: string, request: RecordedCall['request'], payload: unknown, receivedAtMs: number) => {
    const sameSource = recording.calls.filter((call) => call.source === source).length;
    const file = `${day}-${fileName(source)}${sameSource === 0 ? '' : `-${sameSource + 1}`}.json`;
    writeFileSync(join(folder, file), `${JSON.stringify(trimmed(payload, options.rows), null, 1)}\n`);
    recording.calls.push({ file, source, request, receivedAt: isoTime(receivedAtMs) });
  };
  const attempt = async (
    source: string,
    run: (context: CollectContext) => Promise<unknown>,
    known: ReadonlyMap<string, Contract> = contracts,
  ) => {
    const send: SendRequest = async (request) => {
      const reply = await caller.sender(PRIORITY.live)(request);
      save(source, request, reply.payload, reply.receivedAtMs);
      return reply;
    };
    try {
      return await run({ send, contracts: known });
    } catch (error) {
      recording.failures.push({ source, cause: failureText(error) });
      return null;
    }
  };

  const isList = (poll: Venue['polls'][number]) => poll.gives.includes('contracts');
  const listed = new Map<string, Contract>();
  for (const poll of venue.polls.filter(isList)) {
    if (poll.kind !== 'bulk') continue;
    await attempt(poll.name, async (context) => {
      addContracts(contracts, await poll.collect(context));
      const send = replaySender(folder, recording.calls);
      addContracts(listed, await poll.collect({ send, contracts: listed }));
    });
  }
  const samples = sampleContracts([...listed.values(), ...contracts.values()]);
  for (const poll of venue.polls.filter((one) => !isList(one))) {
    // A call that names contracts names those that the cut list has, or no replay would send the same call.
    if (poll.kind === 'bulk') await attempt(poll.name, (context) => poll.collect(context), listed);
    else
      for (const contract of samples.filter((one) => poll.applies(one)))
        await attempt(poll.name, (context) => poll.collect(contract, context));
  }
  const toMs = clock.nowMs();
  for (const contract of samples) {
    const window = { fromMs: toMs - 3 * DAY_MS, toMs };
    await attempt('settled history', (context) => venue.settlements(contract, window, context));
    const { depth } = venue;
    if (depth) await attempt('order book', (context) => depth(contract, context));
  }
  for (const stream of venue.streams) {
    const wanted = samples.filter((contract) => stream.applies(contract));
    if (wanted.length === 0) continue;
    try {
      const { sent, messages } = await listen(venue, stream, wanted, options);
      const symbols = wanted.map(({ venueSymbol }) => venueSymbol);
      const request = { stream: stream.name, path: stream.path, contracts: symbols, sent };
      save(stream.name, request, messages, clock.nowMs());
    } catch (error) {
      recording.failures.push({ source: stream.name, cause: failureText(error) });
    }
  }
  writeFileSync(join(folder, 'recording.json'), `${JSON.stringify(recording, null, 2)}\n`);
  return recording;
}

function addContracts(contracts: Map<string, Contract>, { contractList }: Batch): void {
  for (const contract of contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
}

/** A liquid linear contract, one that is not BTC (mistakes in units hide there), and an inverse one. */
function sampleContracts(contracts: readonly Contract[]): Contract[] {
  const trading = contracts.filter((contract) => contract.status === 'trading');
  const linear = trading.filter((contract) => !contract.isInverse);
  const found = [
    linear.find((contract) => contract.base === 'BTC') ?? linear[0],
    linear.find((contract) => contract.base !== 'BTC' && contract.base !== 'ETH'),
    trading.find((contract) => contract.isInverse),
  ];
  return found.filter((contract) => contract !== undefined);
}

function fileName(source: string): string {
  return source.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
