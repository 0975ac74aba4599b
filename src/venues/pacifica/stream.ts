import { plainTopStream } from '../held-tops.ts';
import { parseBestOffer } from './parse.ts';

export const bestOffers = plainTopStream({
  path: '/ws',
  call: 'bbo {symbol}',
  contractsPerSocket: 100,
  subscribe: (contracts) =>
    contracts.map(({ venueSymbol }) =>
      JSON.stringify({ method: 'subscribe', params: { source: 'bbo', symbol: venueSymbol } }),
    ),
  read: ({ channel, data }, context) => (channel === 'bbo' ? parseBestOffer(data, context) : null),
  // A socket that sends nothing for 60 seconds is closed.
  heartbeat: { everySeconds: 15, message: () => '{"method":"ping"}' },
  sendsOnlyChanges: true,
});
