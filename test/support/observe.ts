import type { SimVenue } from '../../sim/venue.ts';
import type { SimView } from '../../sim/view.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { countedOnce } from '../../src/venues/counting/sides.ts';
import {
  type Batch,
  type Contract,
  type Depth,
  emptyBatch,
  type MarketFigures,
} from '../../src/venues/observations.ts';
import type { CollectContext, SendRequest, Venue } from '../../src/venues/venue.ts';

/** Answers a venue's calls from a simulated view without a network, through JSON as the wire would. */
export function sendToSim(sim: SimVenue, view: SimView): SendRequest {
  return async (request) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) query.set(name, String(value));
    if (request.timestampParameter) query.set(request.timestampParameter, String(view.nowMs));
    const payload = sim.http(
      {
        host: request.host ?? 'rest',
        method: request.method ?? 'GET',
        path: request.path,
        query,
        body: request.body === undefined ? undefined : JSON.parse(JSON.stringify(request.body)),
      },
      view,
    );
    if (payload === undefined)
      throw new Error(`the simulator has no ${request.host ?? 'rest'} ${request.path}`);
    return { payload: JSON.parse(JSON.stringify(payload)), receivedAtMs: view.nowMs };
  };
}

/** The time, or for a venue that has ended by then the day before its end, when it still had books. */
export function whileOpen({ facts: { endedAt } }: Venue, atMs: number): number {
  return endedAt ? Math.min(atMs, endedAt.value - DAY_MS) : atMs;
}

export interface Observed {
  contracts: Map<string, Contract>;
  batch: Batch;
  /** The figures of the batch that came over a stream. */
  streamedFigures: MarketFigures[];
  context: CollectContext;
  /** The contract's order book, from the venue's call or its stream. */
  depthOf(contract: Contract): Promise<Depth>;
}

const STREAM_SECONDS = 6;
/** Books on request come a few a second. */
const BOOK_STREAM_SECONDS = 60;

/** Runs every poll of a venue once, contracts first, and every stream until each contract has a top, on as many sockets as it needs. */
export async function observeSim(venue: Venue, sim: SimVenue, view: SimView): Promise<Observed> {
  const contracts = new Map<string, Contract>();
  const context: CollectContext = { send: sendToSim(sim, view), contracts };
  const all = emptyBatch();
  const streamedFigures: MarketFigures[] = [];
  const take = (sent: Batch): Batch => {
    const batch = countedOnce(sent, venue.facts.counts);
    for (const contract of batch.contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
    all.fundingQuotes.push(...batch.fundingQuotes);
    all.fundingSchedules.push(...batch.fundingSchedules);
    all.bookTops.push(...batch.bookTops);
    all.dayVolumes.push(...batch.dayVolumes);
    all.depths.push(...batch.depths);
    all.marketFigures.push(...batch.marketFigures);
    all.announcements.push(...batch.announcements);
    all.rejected.push(...batch.rejected);
    for (const [reason, count] of batch.ignored)
      all.ignored.set(reason, (all.ignored.get(reason) ?? 0) + count);
    return batch;
  };
  const listFirst = venue.polls.toSorted(
    (a, b) => Number(b.gives.includes('contracts')) - Number(a.gives.includes('contracts')),
  );
  for (const poll of listFirst) {
    if (poll.kind === 'bulk') take(await poll.collect(context));
    else
      for (const contract of contracts.values())
        if (poll.applies(contract)) take(await poll.collect(contract, context));
  }
  for (const stream of venue.streams) {
    const wanted = [...contracts.values()].filter((contract) => stream.applies(contract));
    for (let i = 0; i < wanted.length; i += stream.contractsPerSocket) {
      const session = stream.open(wanted.slice(i, i + stream.contractsPerSocket));
      const socket = sim.socket?.({ host: stream.host, path: stream.path });
      if (!socket) throw new Error(`${venue.slug} has stream ${stream.name}, its simulator has no socket`);
      const inbox = session.opening.flatMap((message) => socket.receive(parsed(message), view));
      const waiting = new Set(
        wanted.slice(i, i + stream.contractsPerSocket).map((contract) => contract.venueSymbol),
      );
      // Sessions that may not subscribe to everything at once go on a second later.
      const givesBooks = stream.gives.includes('books');
      const maxSeconds = givesBooks ? BOOK_STREAM_SECONDS : STREAM_SECONDS;
      for (let second = 0; second < maxSeconds && waiting.size > 0; second++) {
        const receivedAtMs = view.nowMs + second * 1000;
        inbox.push(...socket.tick(view));
        // Quiet books send nothing; the answers to heartbeats keep the session going.
        if (second > 0 && stream.heartbeat)
          inbox.push(...socket.receive(parsed(stream.heartbeat.message(receivedAtMs)), view));
        for (let message = inbox.shift(); message !== undefined; message = inbox.shift()) {
          const { batch, replies } = session.receive(parsed(message), { receivedAtMs, contracts });
          streamedFigures.push(...take(batch).marketFigures);
          for (const { venueSymbol } of givesBooks ? batch.depths : batch.bookTops)
            waiting.delete(venueSymbol);
          for (const reply of replies ?? []) inbox.push(...socket.receive(parsed(reply), view));
        }
      }
    }
  }
  const depthOf = async (contract: Contract): Promise<Depth> => {
    const depth =
      (await venue.depth?.(contract, context)) ??
      all.depths.find(({ venueSymbol }) => venueSymbol === contract.venueSymbol);
    if (!depth) throw new Error(`${venue.slug} gives no book of ${contract.venueSymbol}`);
    return depth;
  };
  return { contracts, batch: all, streamedFigures, context, depthOf };
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return message;
  }
}
