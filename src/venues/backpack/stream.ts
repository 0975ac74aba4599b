import { HeldTops } from '../held-tops.ts';
import { type Contract, emptyBatch, isLive } from '../observations.ts';
import { BadReply, isRow, NOT_LISTED, readRows, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { Stream, StreamSession } from '../venue.ts';
import { microsecondsOf } from './parse.ts';

/** A top is sent only when it changes. */
function openBookTickers(contracts: readonly Contract[]): StreamSession {
  const held = new HeldTops();
  const params = contracts.map((contract) => `bookTicker.${contract.venueSymbol}`);
  return {
    opening: [JSON.stringify({ method: 'SUBSCRIBE', params })],
    receive: (message, context) => {
      const batch = emptyBatch();
      const row = rowOf(message, 'message');
      // One wrong market fails the subscription of all, so reconnect with the contract list of that time.
      if (row.error !== undefined) {
        throw new BadReply(isRow(row.error) ? String(row.error.message) : 'error message');
      }
      if (row.stream !== undefined) {
        readRows([row.data], batch, 's', (data, venueSymbol) => {
          const contract = context.contracts.get(venueSymbol);
          if (!contract) return NOT_LISTED;
          const fields = { bidPrice: data.b, bidSize: data.B, askPrice: data.a, askSize: data.A };
          const top = readTop(contract, fields, 'base', microsecondsOf(data.T) ?? microsecondsOf(data.E));
          if (typeof top === 'string') {
            held.drop(venueSymbol);
            return top;
          }
          held.hold(top);
          batch.bookTops.push(top);
          return null;
        });
      }
      batch.bookTops.push(...held.due(context));
      return { batch };
    },
  };
}

export const bookTickerStream: Stream = {
  name: 'bookTicker',
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/',
  call: 'bookTicker.{symbol}',
  contractsPerSocket: 200,
  applies: isLive,
  open: openBookTickers,
  heartbeat: null,
  silenceSeconds: 60,
};
