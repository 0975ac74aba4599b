import { type Contract, emptyBatch, isLive } from '../observations.ts';
import { BadReply, isRow, rowOf } from '../reading.ts';
import type { Stream, StreamSession } from '../venue.ts';
import { parseTicker } from './parse.ts';

const HEARTBEAT_ID = 1;
const SUBSCRIBE_ID = 2;
const TEST_ID = 3;

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** `agg2` pushes about once a second; faster updates would only be discarded. */
function channelOf(contract: Contract): string {
  return `ticker.${contract.venueSymbol}.agg2`;
}

function openSession(contracts: readonly Contract[]): StreamSession {
  return {
    opening: [
      request(HEARTBEAT_ID, 'public/set_heartbeat', { interval: 30 }),
      request(SUBSCRIBE_ID, 'public/subscribe', { channels: contracts.map(channelOf) }),
    ],
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      if (isRow(row.error)) throw new BadReply(`the stream answered error ${String(row.error.code)}`);
      const params = isRow(row.params) ? row.params : {};
      if (row.method === 'subscription') return { batch: parseTicker(params.data, context) };
      if (row.method === 'heartbeat' && params.type === 'test_request')
        return { batch: emptyBatch(), replies: [request(TEST_ID, 'public/test', {})] };
      const batch = emptyBatch();
      if (row.id === SUBSCRIBE_ID && Array.isArray(row.result)) {
        // The answer omits an unknown channel without an error.
        const accepted = new Set<unknown>(row.result);
        for (const contract of contracts) {
          if (!accepted.has(channelOf(contract)))
            batch.rejected.push({ venueSymbol: contract.venueSymbol, reason: 'subscription refused' });
        }
      }
      return { batch };
    },
  };
}

/** The bulk summaries have prices without sizes, so the tops come from here, and the rates that summaries round. */
export const tickers: Stream = {
  name: 'tickers',
  gives: ['bid and ask', 'sizes', 'rate', 'index price'],
  host: 'ws',
  path: '/ws/api/v2',
  call: 'ticker.{instrument_name}.agg2',
  contractsPerSocket: 400,
  applies: isLive,
  open: openSession,
  // After set_heartbeat the venue itself requests signs of life.
  heartbeat: null,
  silenceSeconds: 90,
};
