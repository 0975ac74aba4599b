import { decimalOrNull } from '../../base/numbers.ts';
import { type Contract, emptyBatch, isLive } from '../observations.ts';
import { BadReply, rowOf } from '../reading.ts';
import type { Stream, StreamSession } from '../venue.ts';
import { parseBestOffers } from './parse.ts';

const SUBSCRIBE_ID = 1;
const PING_ID = 2;

/** Every frame of the venue is gzip in a binary message; what arrives here has been unpacked and parsed. */
function openSession(contracts: readonly Contract[]): StreamSession {
  const market_list = contracts.map((contract) => contract.venueSymbol);
  return {
    opening: [JSON.stringify({ method: 'bbo.subscribe', params: { market_list }, id: SUBSCRIBE_ID })],
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      if (row.method === 'bbo.update') return { batch: parseBestOffers(row.data, context) };
      if (row.code !== undefined && decimalOrNull(row.code) !== 0)
        throw new BadReply(`the stream answered code ${String(row.code)}`);
      return { batch: emptyBatch() };
    },
  };
}

export const bestOffers: Stream = {
  name: 'best offers',
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/v2/futures',
  call: 'bbo.subscribe',
  contractsPerSocket: 250,
  applies: isLive,
  open: openSession,
  // A socket that sends nothing for 60 seconds is closed.
  heartbeat: {
    everySeconds: 20,
    message: () => JSON.stringify({ method: 'server.ping', params: {}, id: PING_ID }),
  },
  silenceSeconds: 60,
};
