import { topStream } from '../held-tops.ts';
import { emptyBatch } from '../observations.ts';
import { rowOf } from '../reading.ts';
import { parseBestOrders } from './parse.ts';

/** One socket without a market in its path carries the tops of all markets; nothing is subscribed to. */
export const bestOrders = topStream({
  path: '/orderbooks?depth=1',
  call: '/orderbooks?depth=1',
  contractsPerSocket: 1000,
  open: () => ({
    opening: [],
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      return { batch: row.data === undefined ? emptyBatch() : parseBestOrders(row, context) };
    },
  }),
  // The server sends WebSocket pings every 15 seconds.
  heartbeat: null,
  sendsOnlyChanges: true,
});
