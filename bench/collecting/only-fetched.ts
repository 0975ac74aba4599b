import { emptyBatch } from '../../src/venues/observations.ts';
import type {
  CollectContext,
  Poll,
  SendRequest,
  Stream,
  Venue,
  VenueRequest,
} from '../../src/venues/venue.ts';

/**
 * The same venue without our parsing: each poll runs once to record its requests and then only repeats them, each stream
 * only receives. What remains is the unavoidable cost of the bytes: network, decompression, JSON.parse.
 */
export function onlyFetched(venue: Venue): Venue {
  return { ...venue, polls: venue.polls.map(replayed), streams: venue.streams.map(unread) };
}

function replayed(poll: Poll): Poll {
  if (poll.kind === 'bulk') {
    const again = replayer();
    return {
      ...poll,
      collect: (context: CollectContext) => again(context.send, (send) => poll.collect({ ...context, send })),
    };
  }
  const byContract = new Map<string, ReturnType<typeof replayer>>();
  return {
    ...poll,
    collect: (contract, context) => {
      const again = byContract.get(contract.venueSymbol) ?? replayer();
      byContract.set(contract.venueSymbol, again);
      return again(context.send, (send) => poll.collect(contract, { ...context, send }));
    },
  };
}

function replayer() {
  let learned: VenueRequest[] | null = null;
  return async <Reply>(send: SendRequest, learn: (send: SendRequest) => Promise<Reply>) => {
    if (learned !== null) {
      for (const request of learned) await send(request);
      return emptyBatch();
    }
    const requests: VenueRequest[] = [];
    const reply = await learn((request) => {
      requests.push(request);
      return send(request);
    });
    learned = requests;
    return reply;
  };
}

function unread(stream: Stream): Stream {
  return {
    ...stream,
    open: (contracts) => ({
      opening: stream.open(contracts).opening,
      receive: () => ({ batch: emptyBatch() }),
    }),
  };
}
