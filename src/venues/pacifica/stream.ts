import { topStream } from '../held-tops.ts';
import { emptyBatch } from '../observations.ts';
import { rowOf } from '../reading.ts';
import { parseBestOffer } from './parse.ts';

export const bestOffers = topStream({
  path: '/ws',
  call: 'bbo {symbol}',
  contractsPerSocket: 100,
  open: (contracts) => ({
    opening: contracts.map(({ venueSymbol }) =>
      JSON.stringify({ method: 'subscribe', params: { source: 'bbo', symbol: venueSymbol } }),
    ),
    receive: (message, context) => {
      const { channel, data } = rowOf(message, 'message');
      return { batch: channel === 'bbo' ? parseBestOffer(data, context) : emptyBatch() };
    },
  }),
  // A socket that sends nothing for 60 seconds is closed.
  heartbeat: { everySeconds: 15, message: () => '{"method":"ping"}' },
  sendsOnlyChanges: true,
});
