import { plainTopStream } from '../held-tops.ts';
import { parseBestOrders } from './parse.ts';

/** One socket without a market in its path carries the tops of all markets; nothing is subscribed to. */
export const bestOrders = plainTopStream({
  path: '/orderbooks?depth=1',
  call: '/orderbooks?depth=1',
  contractsPerSocket: 1000,
  subscribe: () => [],
  read: (message, context) => (message.data === undefined ? null : parseBestOrders(message, context)),
  // The server sends WebSocket pings every 15 seconds.
  heartbeat: null,
  sendsOnlyChanges: true,
});
