import { idOf } from '../fields.ts';
import { topStream } from '../held-tops.ts';
import { type Contract, emptyBatch, refusalOf } from '../observations.ts';
import { BadReply, rowOf } from '../reading.ts';
import type { StreamSession } from '../venue.ts';
import { parseBestOffers } from './parse.ts';

const EVENT = 'best_bid_offer';

function openSession(contracts: readonly Contract[]): StreamSession {
  const symbols = new Map(contracts.map(({ venueId, venueSymbol }) => [venueId, venueSymbol]));
  return {
    opening: contracts.map(({ venueId }, id) =>
      JSON.stringify({ method: 'subscribe', stream: { type: EVENT, product_id: Number(venueId) }, id }),
    ),
    receive: (message, context) => {
      const event = rowOf(message, 'message');
      if (event.type === EVENT)
        return { batch: parseBestOffers(event, symbols.get(idOf(event.product_id) ?? ''), context) };
      if (event.error === undefined || event.error === null) return { batch: emptyBatch() };
      const refused = contracts[Number(event.id)];
      if (!refused) throw new BadReply('the stream refused a request');
      return { batch: refusalOf(refused.venueSymbol, 'subscription refused') };
    },
  };
}

export const bestOffers = topStream({
  path: '/v1/subscribe',
  call: EVENT,
  contractsPerSocket: 200,
  open: openSession,
  heartbeat: {
    everySeconds: 20,
    message: (nowMs) => JSON.stringify({ method: 'ping', id: nowMs, client_time: String(nowMs) }),
  },
  sendsOnlyChanges: true,
});
